import { tables } from '@augury/domain/platform/tables'
import type { User } from '@augury/wire/platform/user'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress, type Hex } from 'viem'
import { shownStatus } from '../proxy-wallet/advance.ts'
import type { Site } from '../site/site.ts'
import { storedSets } from './stored-credentials.ts'

/** Members with what both the member and admins see of them. */
export const members = (em: EntityManager) =>
  tables(em)
    .selectFrom('users')
    .selectAll('users')
    .select((eb) => [
      eb
        .exists(eb.selectFrom('two_factor').whereRef('two_factor.user_id', '=', 'users.id').where('confirmed_at', 'is not', null))
        .$castTo<boolean>()
        .as('two_factor'),
      eb
        .exists(eb.selectFrom('admin_wallet').whereRef('admin_wallet.address', '=', 'users.address'))
        .$castTo<boolean>()
        .as('listed'),
      eb
        .selectFrom('passkey')
        .select((count) => count.fn.countAll<string>().as('count'))
        .whereRef('passkey.user_id', '=', 'users.id')
        .as('passkeys'),
      eb
        .selectFrom('wallet')
        .select((count) => count.fn.countAll<string>().as('count'))
        .whereRef('wallet.user_id', '=', 'users.id')
        .as('wallets'),
      eb
        .selectFrom('account_recovery')
        .select((count) => count.fn.countAll<string>().as('count'))
        .whereRef('account_recovery.user_id', '=', 'users.id')
        .where('expires_at', 'is', null)
        .as('codes'),
      eb
        .exists(eb.selectFrom('account_key').select('user_id').whereRef('account_key.user_id', '=', 'users.id'))
        .$castTo<boolean>()
        .as('keeps_key'),
    ])

type UserRow = Awaited<ReturnType<ReturnType<typeof members>['executeTakeFirstOrThrow']>>

/** The fields of a user that both the member and admins see. */
export const userFields = ({ settings }: Site, row: UserRow) => ({
  id: row.id,
  address: getAddress(row.address),
  username: row.username,
  email: row.email,
  email_verified: row.email_verified,
  is_admin: row.listed || settings.adminWallets.includes(row.address as Hex),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  total_volume: Number(row.total_volume) / 1_000_000,
  total_trades: row.total_trades,
  proxy_wallet_address: row.proxy_wallet_address ? getAddress(row.proxy_wallet_address) : '',
  proxy_wallet_status: shownStatus(row.proxy_wallet_status, settings),
  affiliate_code: row.affiliate_code,
  two_factor_enabled: row.two_factor,
  ways_in: { passkeys: Number(row.passkeys), wallets: Number(row.wallets), recovery_codes: Number(row.codes), keeps_key: row.keeps_key },
})

/** A user as the user alone sees it. */
export async function userView(site: Site, em: EntityManager, userId: string): Promise<User> {
  const row = await members(em).where('id', '=', userId).executeTakeFirst()
  if (!row) throw new Error('a member without a user')
  return {
    ...userFields(site, row),
    settings: { trading: await storedSets(em, userId), preferences: row.preferences },
    proxy_wallet_signature: row.proxy_wallet_signature ?? '',
  }
}
