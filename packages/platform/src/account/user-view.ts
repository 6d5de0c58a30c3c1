import type { ProxyWalletStatus } from '@augury/domain/platform/user.entity'
import type { User } from '@augury/wire/platform/user'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress, type Hex } from 'viem'
import type { Site } from '../site.ts'
import { storedSets } from '../trading/stored-credentials.ts'

interface Row {
  id: string
  address: Hex
  username: string | null
  email: string | null
  email_verified: boolean
  total_volume: string
  total_trades: number
  affiliate_code: string
  proxy_wallet_address: string | null
  proxy_wallet_signature: string | null
  proxy_wallet_status: ProxyWalletStatus
  preferences: Record<string, unknown>
  created_at: Date
  updated_at: Date
  two_factor: boolean
  listed: boolean
}

/** A member as only the member may see it. */
export async function userView({ settings }: Site, em: EntityManager, userId: string): Promise<User> {
  const [row]: Row[] = await em.execute(
    `select users.*, exists (select from two_factor where user_id = users.id and confirmed_at is not null) as two_factor,
       exists (select from admin_wallet where admin_wallet.address = users.address) as listed
     from users where id = ?`,
    [userId],
  )
  if (!row) throw new Error('a member without a user')
  return {
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
    settings: { trading: await storedSets(em, userId), preferences: row.preferences },
    proxy_wallet_address: row.proxy_wallet_address ? getAddress(row.proxy_wallet_address) : '',
    proxy_wallet_signature: row.proxy_wallet_signature ?? '',
    proxy_wallet_status: row.proxy_wallet_status,
    affiliate_code: row.affiliate_code,
    two_factor_enabled: row.two_factor,
  }
}
