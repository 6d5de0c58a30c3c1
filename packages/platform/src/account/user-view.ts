import type { User } from '@augury/domain/platform/user.entity'
import { User as UserEntity } from '@augury/domain/platform/user.entity'
import type { User as UserView } from '@augury/wire/platform/user'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress, type Hex } from 'viem'
import type { Site } from '../site.ts'

/** Credentials of a set that a member has stored. */
const NONE = { enabled: false, updatedAt: null }

/** A member as only the member may see it. */
export async function userView(site: Site, em: EntityManager, userId: string): Promise<UserView> {
  const user = await em.findOneOrFail(UserEntity, userId)
  const confirmed = await em.execute('select from two_factor where user_id = ? and confirmed_at is not null', [userId])
  return toView(user, site.settings.adminWallets, confirmed.length > 0)
}

function toView(user: User, adminWallets: readonly string[], twoFactor: boolean): UserView {
  return {
    id: user.id,
    address: getAddress(user.address),
    username: user.username ?? null,
    email: user.email ?? null,
    email_verified: user.emailVerified,
    is_admin: adminWallets.includes(user.address as Hex),
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    total_volume: user.totalVolume / 1_000_000,
    total_trades: user.totalTrades,
    settings: { trading: { clob: NONE, relayer: NONE }, preferences: user.preferences },
    proxy_wallet_address: user.proxyWalletAddress ? getAddress(user.proxyWalletAddress) : '',
    proxy_wallet_signature: user.proxyWalletSignature ?? '',
    proxy_wallet_status: user.proxyWalletStatus,
    affiliate_code: user.affiliateCode,
    two_factor_enabled: twoFactor,
  }
}
