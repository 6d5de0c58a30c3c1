import { tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Viewer } from '../authorization/viewer.ts'
import { hashOf } from '../crypto/token.ts'
import { notify } from '../notifications/notify.ts'
import type { Platform } from '../site/platform.ts'
import { markedReferral } from './referral-mark.ts'

/** Whether a code is that of a member whose links count. */
export async function isReferralCode(platform: Platform, code: string): Promise<boolean> {
  const found = await tables(platform.em())
    .selectFrom('users')
    .select('id')
    .where('affiliate_code', '=', code)
    .where('banned_at', 'is', null)
    .execute()
  return found.length > 0
}

/**
 * Records by whose link a new member came, for good, and notifies the referrer. Silently ignores an unknown code, one of a banned member,
 * and the member's own: that of a member who is signed in or enabled trading in this browser, or whose proxy wallet is joining.
 */
export async function joinByReferral(em: EntityManager, userId: string, viewer: Viewer, now: Date): Promise<void> {
  const { visit } = viewer
  const code = markedReferral(visit, now)
  visit.take('referral')
  if (code === null) return
  const [joined]: { referrer_id: string }[] = await em.execute(
    `insert into referral (user_id, referrer_id, created_at)
     select joining.id, referrer.id, ? from users referrer, users joining
     where joining.id = ? and referrer.affiliate_code = ? and referrer.banned_at is null and referrer.id <> joining.id
       and referrer.proxy_wallet_address is distinct from joining.address
       and referrer.id is distinct from ?::uuid
       and not exists (select from trading_context where user_id = referrer.id and context_hash = ?)
     on conflict do nothing returning referrer_id`,
    [now, userId, code, viewer.kind === 'member' ? viewer.id : null, hashOf(visit.device ?? '')],
  )
  if (!joined) return
  await notify(em, joined.referrer_id, {
    source: `referral:${userId}`,
    category: 'general',
    kind: 'referral',
    title: 'A new member joined by your link',
    description: 'You get a part of every fee that they pay as takers.',
    link: { type: 'settings', target: 'affiliate' },
    at: now,
  })
}
