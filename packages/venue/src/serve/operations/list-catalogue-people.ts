import type { CatalogueComment, PublicProfile } from '@augury/wire/catalogue-people'
import type { Input } from '@augury/wire/operation'
import type { cataloguePeopleOperations } from '@augury/wire/operations/catalogue-people'
import type { LatestCommentsQuery } from '@augury/wire/platform/comments'
import type { Hex } from '@augury/wire/scalars'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress } from 'viem'
import type { Visitor } from '../access/identity.ts'
import { commentView, eventNumbers } from '../views/comment-view.ts'
import type { Context } from './context.ts'

type Asked<Name extends keyof typeof cataloguePeopleOperations> = Input<(typeof cataloguePeopleOperations)[Name]>

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

/** Comments of the site on events that the exchange lists. Throws `service_unavailable` when the site does not answer. */
async function commentsOf({ site, catalogue }: Context, asked: LatestCommentsQuery): Promise<CatalogueComment[]> {
  if (!site) return []
  const [rows, index] = await Promise.all([
    site.comments(asked).catch(() => {
      throw new ServiceError('service_unavailable', { retryAfter: 1 })
    }),
    catalogue.index(),
  ])
  const numbers = eventNumbers(index)
  return rows.flatMap((row) => commentView(row, numbers) ?? [])
}

/** Comments on an event, or on all of them. */
export async function listCatalogueComments(
  ctx: Context,
  _: Visitor,
  { query }: Asked<'listCatalogueComments'>,
): Promise<CatalogueComment[]> {
  const { parent_entity_type: type = 'Event', parent_entity_id: id, ascending, limit, offset } = query
  if (type.toLowerCase() !== 'event') return []
  const page = { ascending: String(ascending), limit, offset }
  if (id === undefined) return commentsOf(ctx, page)
  const event = (await ctx.catalogue.index()).events.find(({ number }) => String(number) === id)
  return event ? commentsOf(ctx, { ...page, event: event.slug }) : []
}

/** Comments of an author. */
export const listCommentsOfUser = (ctx: Context, _: Visitor, { params, query }: Asked<'listCommentsOfUser'>): Promise<CatalogueComment[]> =>
  commentsOf(ctx, { user: params.address, ascending: String(query.ascending), limit: query.limit, offset: query.offset })

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** One comment; none for an id that cannot be one. */
export const getCatalogueComment = async (
  ctx: Context,
  _: Visitor,
  { params }: Asked<'getCatalogueComment'>,
): Promise<CatalogueComment[]> => (UUID.test(params.id) ? commentsOf(ctx, { id: params.id }) : [])
