import type { Platform } from '../site/platform.ts'
import { translationsOf } from '../translations/translations.ts'
import type { EventRow } from './event-rows.ts'

/** Events with their titles and category names translated, where translations exist. */
export async function inLanguage(platform: Platform, events: readonly EventRow[], locale: string): Promise<EventRow[]> {
  const tags = new Set(events.flatMap((event) => event.tags.map(({ id }) => id)))
  const [titles, names] = await Promise.all([
    translationsOf(
      platform,
      'event',
      events.map(({ id }) => id),
      locale,
    ),
    translationsOf(platform, 'tag', [...tags], locale),
  ])
  if (titles.size === 0 && names.size === 0) return [...events]
  return events.map((event) => ({
    ...event,
    original_title: event.title,
    title: titles.get(event.id) ?? event.title,
    tags: event.tags.map((tag) => ({ ...tag, name: names.get(tag.id) ?? tag.name })),
  }))
}
