import type { Event } from '@augury/wire/platform/event'
import { type EventCard, eventCard } from './event-card.ts'
import { type ListQuery, PAGE_SIZE } from './list-query.ts'

/** One page of a list: what was asked, its cards, where the next one begins (null at the end), and when it was read (Unix milliseconds). */
export interface EventPage {
  query: ListQuery
  events: EventCard[]
  next: number | null
  now: number
}

/** Cuts what was read to one page. Reading one event more than a page holds tells whether there is another. */
export function eventPage(query: ListQuery, read: Event[], now: number): EventPage {
  return {
    query,
    events: read.slice(0, PAGE_SIZE).map((event) => eventCard(event)),
    next: read.length > PAGE_SIZE ? query.offset + PAGE_SIZE : null,
    now,
  }
}
