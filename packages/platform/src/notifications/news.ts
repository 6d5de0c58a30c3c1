import type { MemberNotification } from '@augury/wire/platform/belongings'
import type { Member } from '../identity/viewer.ts'
import type { Site } from '../site.ts'
import { readNotifications } from './manage-notifications.ts'
import { notifyOfEvents } from './order-notifications.ts'

/** How often a quiet stream checks its session. */
const LOOK_MS = 10_000
/** Newest notifications that are compared with those already sent. */
const NEWEST = { query: { offset: 0, limit: 100 } }

/** How a stream of notifications is opened. */
export interface NewsOptions {
  /** Reads the session again; called before anything is sent. */
  stillThere: () => Promise<boolean>
  signal: AbortSignal
  /** Id of the last notification that the reader has; later ones come first. */
  lastEventId?: string | undefined
  lookMs?: number
}

/**
 * Yields the member's notifications from now on, each once, until the signal or the end of the session. Meanwhile the member's orders are
 * followed on the exchange, so that their notifications come at once.
 */
export async function* newsOf(
  site: Site,
  member: Member,
  { stillThere, signal, lastEventId, lookMs = LOOK_MS }: NewsOptions,
): AsyncGenerator<MemberNotification, void, void> {
  let woken = Promise.withResolvers<void>()
  const wake = () => woken.resolve()
  const stopFollowing = [
    site.wakeUps.follow(member.id, wake),
    site.accountFeeds.follow(member.address, (event) => void notifyOfEvents(site, member.id, [event]).catch(() => {})), // the job repeats it
  ]
  signal.addEventListener('abort', wake)
  try {
    const known = await readNotifications(site, member, NEWEST)
    const sent = new Set(known.filter(({ id }) => lastEventId === undefined || id <= lastEventId).map(({ id }) => id))
    if (sent.size < known.length) wake()
    while (!signal.aborted) {
      const timer = setTimeout(wake, lookMs)
      await woken.promise
      clearTimeout(timer)
      woken = Promise.withResolvers<void>()
      if (signal.aborted || !(await stillThere())) return
      const newest = await readNotifications(site, member, NEWEST)
      for (const each of newest.toReversed()) {
        if (sent.has(each.id)) continue
        sent.add(each.id)
        yield each
      }
    }
  } finally {
    signal.removeEventListener('abort', wake)
    for (const stop of stopFollowing) stop()
  }
}
