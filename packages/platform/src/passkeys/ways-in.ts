import { tables } from '@augury/domain/platform/tables'
import type { WaysIn } from '@augury/wire/platform/passkeys'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress } from 'viem'
import type { Member } from '../authorization/viewer.ts'
import { passkeysOf } from '../identity/passkeys.ts'
import type { Site } from '../site/site.ts'
import { countCodes } from './recovery-codes.ts'

/** The ways in which a member signs in. */
export const listWaysIn = (site: Site, member: Member): Promise<WaysIn> => waysInOf(site.em(), member.id)

/** The same within a transaction. */
export async function waysInOf(em: EntityManager, userId: string): Promise<WaysIn> {
  const passkeys = await passkeysOf(em, userId)
  const wallets = await walletsOf(em, userId)
  const key = await tables(em).selectFrom('account_key').select('user_id').where('user_id', '=', userId).execute()
  return {
    passkeys: passkeys.map(({ id, name, synced, created_at, last_used_at, suspended_at }) => ({
      id,
      name,
      synced,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
      suspended_at: suspended_at?.toISOString() ?? null,
    })),
    wallets: wallets.map(({ address, is_primary, created_at }) => ({
      address: getAddress(address),
      primary: is_primary,
      created_at: created_at.toISOString(),
    })),
    recovery_codes: await countCodes(em, userId),
    keeps_key: key.length > 0,
  }
}

/** The wallets that sign a member in, the oldest first. */
export const walletsOf = (em: EntityManager, userId: string) =>
  tables(em)
    .selectFrom('wallet')
    .select(['address', 'is_primary', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('address')
    .execute()

/** How many ways in would sign the member in without the one that is about to go. A suspended passkey is none. */
export async function countOtherWays(
  em: EntityManager,
  userId: string,
  without: { passkey: string } | { wallet: string },
): Promise<number> {
  const passkeys = (await passkeysOf(em, userId)).filter(
    ({ id, suspended_at }) => suspended_at === null && !('passkey' in without && id === without.passkey),
  )
  const wallets = (await walletsOf(em, userId)).filter(({ address }) => !('wallet' in without && address === without.wallet))
  return passkeys.length + wallets.length
}
