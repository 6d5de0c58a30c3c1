import type { PublicProfile } from '@augury/wire/catalogue-people'
import type { Hex } from '@augury/wire/scalars'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress } from 'viem'
import type { Visitor } from '../access/identity.ts'
import type { Context } from '../context.ts'

/** Who an address belongs to. Throws `not_found` for one that never had anything. */
async function profileOf(ctx: Context, address: Hex): Promise<PublicProfile> {
  const first = await ctx.venue.readModel.firstChange(ctx.wallets.accountOf(address))
  if (first === null) throw new ServiceError('not_found')
  return {
    createdAt: new Date(first).toISOString(),
    proxyWallet: getAddress(address),
    name: '',
    pseudonym: '',
    bio: '',
    profileImage: '',
    displayUsernamePublic: false,
    users: [],
    xUsername: '',
    verifiedBadge: false,
  }
}

/** The profile of an address in the query. */
export const getPublicProfile = (ctx: Context, _: Visitor, { query }: { query: { address: Hex } }): Promise<PublicProfile> =>
  profileOf(ctx, query.address)

/** The same of an address in the path. */
export const getProfile = (ctx: Context, _: Visitor, { params }: { params: { address: Hex } }): Promise<PublicProfile> =>
  profileOf(ctx, params.address)
