import type { MemberNotification } from '@augury/wire/platform/belongings'
import type { Member } from '../identity/viewer.ts'
import type { Site } from '../site.ts'
import { readNotifications } from './manage-notifications.ts'
import { tellOfEvents } from './order-notifications.ts'

/** Milliseconds after which a quiet stream looks at the session again. */
const LOOK_MS = 10_000
/** Newest notifications that are compared with what was sent. */
const NEWEST = { query: { offset: 0, limit: 100 } }

/** What a stream of news is opened with. */
export interface NewsOptions {
  /** Reads the session again: asked before anything is handed out. */
  stillThere: () => Promise<boolean>
  signal: AbortSignal
  /** Id of the last notification that the reader has: what was told since comes first. */
  lastEventId?: string | undefined
  lookMs?: number
}

/**
 * What the member is told from now on, each once, until the signal ends it or the session is no more. While anybody listens, the member's
 * orders are followed at the exchange: what becomes of them is told at once.
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
    site.accountFeeds.follow(member.address, (event) => void tellOfEvents(site, member.id, [event]).catch(() => {})), // the job tells it too
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
