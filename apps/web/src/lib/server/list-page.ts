import { dayChanges } from '@augury/platform/events/movers'
import type { Platform } from '@augury/platform/platform'
import type { Event } from '@augury/wire/platform/event'
import { eventCard } from '../event-card.ts'
import { type EventPage, eventPage } from '../event-page.ts'
import type { ListQuery } from '../list-query.ts'

/** A page of cards as of now, those of `pinned` first; each row with what it gained or lost within a day. */
export async function listPage(platform: Platform, query: ListQuery, read: Event[], pinned: Event[] = []): Promise<EventPage> {
  const page = eventPage(query, read, platform.now().getTime())
  const first = new Set(pinned.map(({ slug }) => slug))
  page.events = [...pinned.map((event) => eventCard(event)), ...page.events.filter(({ slug }) => !first.has(slug))]
  const rows = page.events.flatMap((event) => event.rows)
  const changes = await dayChanges(
    platform,
    rows.map(({ conditionId }) => conditionId),
  )
  for (const row of rows) {
    const change = Math.round(changes.get(row.conditionId) ?? 0)
    if (change !== 0) row.change = change
  }
  return page
}
