import type { MemberNotification } from '@augury/wire/platform/belongings'
import type { Member } from '../identity/viewer.ts'
import type { Site } from '../site.ts'
import { listNotifications, readNotifications } from './manage-notifications.ts'

/** Milliseconds after which a quiet stream looks at the session and asks the exchange again. */
const LOOK_MS = 10_000
/** Newest notifications that are compared with what was sent. */
const NEWEST = { query: { offset: 0, limit: 100 } }

/**
 * What the member is told from now on, each once, until the signal ends it or the session is no more. `stillThere` reads the session
 * again: it is asked before anything is handed out.
 */
export async function* newsOf(
  site: Site,
  member: Member,
  stillThere: () => Promise<boolean>,
  signal: AbortSignal,
  lookMs = LOOK_MS,
): AsyncGenerator<MemberNotification, void, void> {
  let woken = Promise.withResolvers<boolean>()
  const wake = (byNews: boolean) => woken.resolve(byNews)
  const stopFollowing = site.wakeUps.follow(member.id, () => wake(true))
  const stop = () => wake(false)
  signal.addEventListener('abort', stop)
  try {
    const sent = new Set((await listNotifications(site, member, NEWEST)).map(({ id }) => id))
    while (!signal.aborted) {
      const timer = setTimeout(wake, lookMs, false)
      const byNews = await woken.promise
      clearTimeout(timer)
      woken = Promise.withResolvers<boolean>()
      if (signal.aborted || !(await stillThere())) return
      const newest = await (byNews ? readNotifications : listNotifications)(site, member, NEWEST)
      for (const each of newest.toReversed()) {
        if (sent.has(each.id)) continue
        sent.add(each.id)
        yield each
      }
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stopFollowing()
  }
}
