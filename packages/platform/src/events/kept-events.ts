import type { Event } from '@augury/wire/platform/event'
import type { Platform } from '../site/platform.ts'
import { findEvents, marketsOf } from './event-rows.ts'
import { toEvent } from './event-view.ts'
import { SEEN } from './list-events.ts'

/** Events by id, in the given order: the bookmarks of a browser that is not signed in. Hidden and unknown events are left out. */
export async function keptEvents(platform: Platform, ids: readonly string[]): Promise<Event[]> {
  if (ids.length === 0) return []
  const em = platform.em()
  const among = 'event.id in (select value::uuid from jsonb_array_elements_text(?::jsonb))'
  const shown = { sql: `event.status <> 'draft'`, values: [] }
  const events = await findEvents(em, [{ sql: among, values: [JSON.stringify(ids)] }, SEEN, shown], { limit: ids.length })
  const markets = await marketsOf(
    em,
    events.map(({ id }) => id),
    false,
  )
  return events.map((event) => toEvent(event, markets.get(event.id) ?? [], true)).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}
