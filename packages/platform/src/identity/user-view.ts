import type { ProxyWalletStatus } from '@augury/domain/platform/user.entity'
import type { User } from '@augury/wire/platform/user'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress, type Hex } from 'viem'
import { shownStatus } from '../proxy-wallet/advance.ts'
import type { Site } from '../site/site.ts'
import { storedSets } from './stored-credentials.ts'

/** The columns of a user that every view needs. */
export interface UserRow {
  id: string
  address: Hex
  username: string | null
  email: string | null
  email_verified: boolean
  total_volume: string
  total_trades: number
  affiliate_code: string
  proxy_wallet_address: Hex | null
  proxy_wallet_status: ProxyWalletStatus
  created_at: string
  updated_at: string
  two_factor: boolean
  listed: boolean
}

/** Columns of a `UserRow`, for a query of `users`. */
export const USER_COLUMNS = `users.*,
  exists (select from two_factor where user_id = users.id and confirmed_at is not null) as two_factor,
  exists (select from admin_wallet where admin_wallet.address = users.address) as listed`

/** The fields of a user that both the member and admins see. */
export const userFields = ({ settings }: Site, row: UserRow) => ({
  id: row.id,
  address: getAddress(row.address),
  username: row.username,
  email: row.email,
  email_verified: row.email_verified,
  is_admin: row.listed || settings.adminWallets.includes(row.address),
  created_at: new Date(row.created_at).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
  total_volume: Number(row.total_volume) / 1_000_000,
  total_trades: row.total_trades,
  proxy_wallet_address: row.proxy_wallet_address ? getAddress(row.proxy_wallet_address) : '',
  proxy_wallet_status: shownStatus(row.proxy_wallet_status, settings),
  affiliate_code: row.affiliate_code,
  two_factor_enabled: row.two_factor,
})

interface OwnRow extends UserRow {
  proxy_wallet_signature: string | null
  preferences: Record<string, unknown>
}

/** A user as the user alone sees it. */
export async function userView(site: Site, em: EntityManager, userId: string): Promise<User> {
  const [row]: OwnRow[] = await em.execute(`select ${USER_COLUMNS} from users where id = ?`, [userId])
  if (!row) throw new Error('a member without a user')
  return {
    ...userFields(site, row),
    settings: { trading: await storedSets(em, userId), preferences: row.preferences },
    proxy_wallet_signature: row.proxy_wallet_signature ?? '',
  }
}
