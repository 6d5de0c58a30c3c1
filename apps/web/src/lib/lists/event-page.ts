import { DEEPEST_EVENT } from '@augury/wire/limits'
import type { Event } from '@augury/wire/platform/event'
import { type EventCard, eventCard } from './event-card.ts'
import { type ListQuery, PAGE_SIZE } from './list-query.ts'

/** One page of a list: what was asked, its cards, where the next one begins (null at the end, and where lists end), and when it was read (Unix milliseconds). */
export interface EventPage {
  query: ListQuery
  events: EventCard[]
  next: number | null
  now: number
}

/** Cuts what was read to one page. Reading one event more than a page holds tells whether there is another. */
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
 * The cards of pages one after the other, without the event of that slug, each once: the order of a list moves while it is read, and what
 * stood at the end of one page may begin the next.
 */
export function cardsOf(pages: EventPage[], without: string | null): EventCard[] {
  const bySlug = new Map(pages.flatMap(({ events }) => events).map((event) => [event.slug, event]))
  if (without !== null) bySlug.delete(without)
  return [...bySlug.values()]
}
