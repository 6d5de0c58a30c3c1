import { DEEPEST_EVENT } from '@augury/wire/limits'
import type { Event } from '@augury/wire/platform/event'
import { type EventCard, eventCard } from './event-card.ts'
import { type ListQuery, PAGE_SIZE } from './list-query.ts'

/** A page of a list: its query, its cards, the next offset (null at the end or the limit of lists), and when it was read (Unix milliseconds). */
export interface EventPage {
  query: ListQuery
  events: EventCard[]
  next: number | null
  now: number
}

/** Makes a page of what was read: one event more than its size shows whether there is a next page. */
export function eventPage(query: ListQuery, read: Event[], now: number): EventPage {
  const next = query.offset + PAGE_SIZE
  return {
    query,
    events: read.slice(0, PAGE_SIZE).map((event) => eventCard(event)),
    next: read.length > PAGE_SIZE && next <= DEEPEST_EVENT ? next : null,
    now,
  }
}

/**
 * The cards of several pages without the event of slug `without`, and without duplicates: the order may change between reads, so an event may be
 * on two pages.
 */
export function cardsOf(pages: EventPage[], without: string | null): EventCard[] {
  const bySlug = new Map(pages.flatMap(({ events }) => events).map((event) => [event.slug, event]))
  if (without !== null) bySlug.delete(without)
  return [...bySlug.values()]
}
