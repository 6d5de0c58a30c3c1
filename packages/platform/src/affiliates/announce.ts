import type { VenueClient } from '@augury/client/rest'
import type { Hex } from 'viem'
import type { Platform } from '../platform.ts'
import { ifManaging } from '../sync/if-managing.ts'

/** What of the exchange naming a referrer needs. */
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
 * Tells the exchange who referred a member, if it does not know: from then on it shares the fees. Twice is once. Where another deployment
 * named a referrer before, that one stays. A deployment that does not manage the exchange may tell it once the member has a key by it.
 */
export async function announceReferral(platform: Platform, exchange: Announcing, userId: string): Promise<void> {
  const [row]: Row[] = await platform.em().execute(`${PENDING} and user_id = ?`, [userId])
  if (row) await announce(platform, exchange, row)
}

/** Some referrals that the exchange does not know, after a member. */
export const pendingReferrals = (platform: Platform, after: string, most: number): Promise<Row[]> =>
  platform.em().execute(`${PENDING} and user_id > ? order by user_id limit ?`, [after, most])

/** As `announceReferral`, of one that was just read. Whether the exchange was told: it is told again later when not. */
export async function announce(platform: Platform, exchange: Announcing, { user_id, address, referrer }: Row): Promise<boolean> {
  const account = await ifManaging(() => exchange.setAccount({ params: { address }, body: { referrer } }))
  if (!account) return false
  const status = account.referrer?.toLowerCase() === referrer ? 'counted' : 'taken'
  await platform.em().execute(`update referral set status = ? where user_id = ? and status = 'pending'`, [status, user_id])
  return true
}
