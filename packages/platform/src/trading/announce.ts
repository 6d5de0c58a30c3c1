import type { VenueClient } from '@augury/client/rest'
import type { Hex } from 'viem'
import type { Platform } from '../site/platform.ts'
import { ifManaging } from './if-managing.ts'

/** The part of the exchange's client that announcing a referral needs. */
export type Announcing = Pick<VenueClient, 'setAccount'>

interface Row {
  user_id: string
  address: Hex
  referrer: Hex
}

const PENDING = `
  select user_id, users.address, referrer.address as referrer from referral
  join users on users.id = user_id join users referrer on referrer.id = referrer_id
  where referral.status = 'pending'`

/**
 * Names the referrer of a member on the exchange, unless it was done: from then on fees are shared. When another deployment named a
 * referrer earlier, that one stays. A deployment that does not manage the exchange can do this only once the member has a key through it.
 */
export async function announceReferral(platform: Platform, exchange: Announcing, userId: string): Promise<void> {
  const [row]: Row[] = await platform.em().execute(`${PENDING} and user_id = ?`, [userId])
  if (row) await announce(platform, exchange, row)
}

/** The next referrals that the exchange does not know yet, ordered by member: of those who have a key through us, or have none. */
export const pendingReferrals = (
  platform: Platform,
  { hasKey, after, most }: { hasKey: boolean; after: string; most: number },
): Promise<Row[]> =>
  platform.em().execute(
    `${PENDING} and user_id > ? and ? = exists (
       select from trading_credential key where key.user_id = referral.user_id and key.set = 'clob' and key.broken_at is null
     ) order by user_id limit ?`,
    [after, hasKey, most],
  )

/** Like `announceReferral` for a row of `pendingReferrals`. False when the exchange did not allow it yet. */
export async function announce(platform: Platform, exchange: Announcing, { user_id, address, referrer }: Row): Promise<boolean> {
  const account = await ifManaging(() => exchange.setAccount({ params: { address }, body: { referrer } }))
  if (!account) return false
  const status = account.referrer?.toLowerCase() === referrer ? 'counted' : 'taken'
  await platform.em().execute(`update referral set status = ? where user_id = ? and status = 'pending'`, [status, user_id])
  return true
}
