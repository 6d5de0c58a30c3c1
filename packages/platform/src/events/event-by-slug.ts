import type { Event } from '@augury/wire/platform/event'
import { ServiceError } from '@augury/wire/service-error'
import { bookmarkedAmong } from '../bookmarks/manage-bookmarks.ts'
import type { Viewer } from '../identity/viewer.ts'
import type { Platform } from '../platform.ts'
import { inLanguage } from '../translations/in-language.ts'
import { ORIGINAL } from '../translations/translations.ts'
import { findEvents, marketsOf } from './event-rows.ts'
import { toEvent } from './event-view.ts'

/** One event with all its texts. Throws `event_not_found`, also for an event without markets. */
export async function eventBySlug(
  platform: Platform,
  viewer: Viewer,
  { slug, locale = ORIGINAL }: { slug: string; locale?: string | undefined },
): Promise<Event> {
  const em = platform.em()
  const [event] = await findEvents(em, [{ sql: `event.slug = ? and event.status <> 'draft'`, values: [slug] }])
  if (!event) throw new ServiceError('event_not_found')
  const [markets, bookmarked, [translated]] = await Promise.all([
    marketsOf(em, [event.id], true),
    bookmarkedAmong(platform, viewer, [event.id]),
    inLanguage(platform, [event], locale),
  ])
  return toEvent(translated!, markets.get(event.id) ?? [], bookmarked.has(event.id))
}
