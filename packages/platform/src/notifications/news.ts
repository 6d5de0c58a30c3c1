import type { MemberNotification } from '@augury/wire/platform/belongings'
import type { Member } from '../identity/viewer.ts'
import type { Site } from '../site.ts'
import { readNotifications } from './manage-notifications.ts'
import { notifyOfEvents } from './order-notifications.ts'

/** How often a quiet stream checks its session. */
const LOOK_MS = 10_000
/** Notifications per page, which are compared with those already sent. */
const PAGE = 100

/** How a stream of notifications is opened. */
export interface NewsOptions {
  /** Reads the session again; called before anything is sent. */
  stillThere: () => Promise<boolean>
  signal: AbortSignal
  /** Id of the last notification that the reader has; later ones come first. */
  lastEventId?: string | undefined
}

/**
 * Yields the member's notifications from now on, each once, until the signal or the end of the session. Meanwhile the member's orders are
 * followed on the exchange, so that their notifications come at once.
 */
export async function* newsOf(
  site: Site,
  member: Member,
  { stillThere, signal, lastEventId }: NewsOptions,
): AsyncGenerator<MemberNotification, void, void> {
  let woken = Promise.withResolvers<void>()
  const wake = () => woken.resolve()
  const stopFollowing = [
    site.wakeUps.follow(member.id, wake),
    site.accountFeeds.follow(member.address, (event) => void notifyOfEvents(site, member.id, [event]).catch(() => {})), // the job repeats it
  ]
  signal.addEventListener('abort', wake)
  try {
    const known = lastEventId === undefined ? await readNotifications(site, member, { query: { offset: 0, limit: PAGE } }) : []
    const sent = new Set(known.map(({ id }) => id))
    const has = (id: string) => sent.has(id) || (lastEventId !== undefined && id <= lastEventId)
    if (lastEventId !== undefined) wake()
    while (!signal.aborted) {
      const timer = setTimeout(wake, LOOK_MS)
      await woken.promise
      clearTimeout(timer)
      woken = Promise.withResolvers<void>()
      if (signal.aborted || !(await stillThere())) return
      for (const each of await lackedBy(site, member, has)) {
        if (sent.has(each.id)) continue // was moved to the next page by one that came meanwhile
        sent.add(each.id)
        yield each
      }
    }
  } finally {
    signal.removeEventListener('abort', wake)
    for (const stop of stopFollowing) stop()
  }
}

/** What a reader lacks, oldest first: pages are read back to the first with something that the reader has. */
async function lackedBy(site: Site, member: Member, has: (id: string) => boolean): Promise<MemberNotification[]> {
  const lacked: MemberNotification[] = []
  for (let offset = 0; ; offset += PAGE) {
    const page = await readNotifications(site, member, { query: { offset, limit: PAGE } })
    const unknown = page.filter(({ id }) => !has(id))
    lacked.push(...unknown)
    if (page.length < PAGE || unknown.length < page.length) return lacked.reverse()
  }
}
