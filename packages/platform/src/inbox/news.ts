import type { MemberNotification } from '@augury/wire/platform/belongings'
import type { Member } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { notificationsOf } from './manage-notifications.ts'
import { notifyOfEvents } from './order-notifications.ts'

/** How often a quiet stream checks its session. */
const LOOK_MS = 10_000
/** Notifications that are read at once. */
const PAGE = 100
/**
 * How much older than it was at the last look a new notification may be by its id, which tells when it was inserted: until it is committed it is
 * not seen, and the database's clock may be set back.
 */
const LATE = '1 hour'

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
    const known = await look(site, member, null)
    let after = lastEventId !== undefined && lastEventId < known.late ? lastEventId : known.late
    let sent = new Set(lastEventId === undefined ? known.ids : known.ids.filter((id) => id <= lastEventId))
    if (lastEventId !== undefined) wake()
    while (!signal.aborted) {
      const timer = setTimeout(wake, LOOK_MS)
      await woken.promise
      clearTimeout(timer)
      woken = Promise.withResolvers<void>()
      if (signal.aborted || !(await stillThere())) return
      const { ids, late } = await look(site, member, after)
      const lacked = ids.filter((id) => !sent.has(id))
      for (let at = 0; at < lacked.length; at += PAGE) yield* await notificationsOf(site, member, lacked.slice(at, at + PAGE))
      sent = new Set(ids)
      if (late > after) after = late // else the database's clock was set back
    }
  } finally {
    signal.removeEventListener('abort', wake)
    for (const stop of stopFollowing) stop()
  }
}

/** Ids of the member's notifications after one, oldest first; without one, of those that were inserted since `late`, which lies `LATE` ago. */
async function look(site: Site, member: Member, after: string | null): Promise<{ ids: string[]; late: string }> {
  const [row]: [{ ids: string[]; late: string }] = await site.em().execute(LOOK, [member.id, after])
  return row
}

const LOOK = `
  select late, (
    select coalesce(jsonb_agg(id order by id), '[]') from notification where user_id = ? and id > coalesce(?::uuid, late)
  ) as ids
  from uuidv7(- interval '${LATE}') as late`
