import type { VenueClient } from '@augury/client/rest'
import { tables } from '@augury/domain/platform/tables'
import type { Platform } from '../site/platform.ts'
import { ifManaging } from './if-managing.ts'

/** The part of the exchange's client that announcing a referral needs. */
export type Announcing = Pick<VenueClient, 'setAccount'>

/** Referrals that the exchange does not know yet. */
const pending = (platform: Platform) =>
  tables(platform.em())
    .selectFrom('referral')
    .innerJoin('users', 'users.id', 'referral.user_id')
    .innerJoin('users as referrer', 'referrer.id', 'referral.referrer_id')
    .select(['user_id', 'users.address', 'referrer.address as referrer'])
    .where('referral.status', '=', 'pending')

type Row = Awaited<ReturnType<ReturnType<typeof pending>['executeTakeFirstOrThrow']>>

/**
 * Names the referrer of a member on the exchange, unless it was done: from then on fees are shared. When another deployment named a
 * referrer earlier, that one stays. A deployment that does not manage the exchange can do this only once the member has a key through it.
 */
export async function announceReferral(platform: Platform, exchange: Announcing, userId: string): Promise<void> {
  const row = await pending(platform).where('user_id', '=', userId).executeTakeFirst()
  if (row) await announce(platform, exchange, row)
}

/** The next referrals that the exchange does not know yet, ordered by member: of those who have a key through us, or have none. */
export const pendingReferrals = (
  platform: Platform,
  { hasKey, after, most }: { hasKey: boolean; after: string; most: number },
): Promise<Row[]> =>
  pending(platform)
    .where('user_id', '>', after)
    .where((eb) => {
      const key = eb
        .selectFrom('trading_credential as key')
        .whereRef('key.user_id', '=', 'referral.user_id')
        .where('key.set', '=', 'clob')
        .where('key.broken_at', 'is', null)
      return hasKey ? eb.exists(key) : eb.not(eb.exists(key))
    })
    .orderBy('user_id')
    .limit(most)
    .execute()

/** Like `announceReferral` for a row of `pendingReferrals`. False when the exchange did not allow it yet. */
export async function announce(platform: Platform, exchange: Announcing, { user_id, address, referrer }: Row): Promise<boolean> {
  const account = await ifManaging(() => exchange.setAccount({ params: { address }, body: { referrer } }))
  if (!account) return false
  const status = account.referrer?.toLowerCase() === referrer ? 'counted' : 'taken'
  await tables(platform.em())
    .updateTable('referral')
    .set({ status })
    .where('user_id', '=', user_id)
    .where('status', '=', 'pending')
    .execute()
  return true
}
