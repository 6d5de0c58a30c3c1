import type { Event } from '@augury/wire/platform/event'
import { ServiceError } from '@augury/wire/service-error'
import { bookmarkedAmong } from '../bookmarks/manage-bookmarks.ts'
import type { Viewer } from '../identity/viewer.ts'
import type { Platform } from '../platform.ts'
import { ORIGINAL, translationsOf } from '../translations/translations.ts'
import { findEvents, marketsOf } from './event-rows.ts'
import { toEvent } from './event-view.ts'

/** One event with all its texts. Refuses `event_not_found`, also for an event that has no market yet. */
export async function eventBySlug(
  platform: Platform,
  viewer: Viewer,
  { slug, locale = ORIGINAL }: { slug: string; locale?: string | undefined },
): Promise<Event> {
  const em = platform.em()
  const [event] = await findEvents(em, [{ sql: `event.slug = ? and event.status <> 'draft'`, values: [slug] }])
  if (!event) throw new ServiceError('event_not_found')
  const [markets, bookmarked, titles] = await Promise.all([
    marketsOf(em, [event.id], true),
    bookmarkedAmong(platform, viewer, [event.id]),
    translationsOf(platform, 'event', [event.id], locale),
  ])
  return toEvent({ ...event, title: titles.get(event.id) ?? event.title }, markets.get(event.id) ?? [], bookmarked.has(event.id))
}
