import type { Event } from '@augury/wire/platform/event'
import type { Viewer } from '../authorization/viewer.ts'
import { settingsOf } from '../settings/site-settings.ts'
import type { Platform } from '../site/platform.ts'
import { localeOf, ORIGINAL } from '../translations/translations.ts'
import { findEvents, marketsOf } from './event-rows.ts'
import { toEvent } from './event-view.ts'
import { inLanguage } from './in-language.ts'
import { SEEN } from './list-events.ts'
import { bookmarkedAmong } from './manage-bookmarks.ts'

/** Events pinned to the top of the front page, in order; ended and hidden ones are left out. */
export async function pinnedEvents(
  platform: Platform,
  viewer: Viewer,
  { locale = ORIGINAL }: { locale?: string | undefined } = {},
): Promise<Event[]> {
  const events = await platform.lists.read(`pinned ${localeOf(locale)}`, ['lists'], () => readPinned(platform, locale))
  const bookmarked = await bookmarkedAmong(
    platform,
    viewer,
    events.map(({ id }) => id),
  )
  return bookmarked.size === 0 ? events : events.map((event) => ({ ...event, is_bookmarked: bookmarked.has(event.id) }))
}

async function readPinned(platform: Platform, locale: string): Promise<Event[]> {
  const { pinned } = await settingsOf(platform, 'home')
  if (pinned.length === 0) return []
  const em = platform.em()
  const named = { sql: 'event.slug in (select jsonb_array_elements_text(?::jsonb))', values: [JSON.stringify(pinned)] }
  const events = await findEvents(em, [{ sql: `event.status = 'active'`, values: [] }, SEEN, named], { limit: pinned.length })
  const ids = events.map(({ id }) => id)
  const [markets, translated] = await Promise.all([marketsOf(em, ids, false), inLanguage(platform, events, locale)])
  return translated
    .sort((a, b) => pinned.indexOf(a.slug) - pinned.indexOf(b.slug))
    .map((event) => toEvent(event, markets.get(event.id) ?? []))
}
