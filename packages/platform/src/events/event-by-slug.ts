import { anyOf, tables } from '@augury/domain/platform/tables'
import type { Event } from '@augury/wire/platform/event'
import { ServiceError } from '@augury/wire/service-error'
import type { Viewer } from '../authorization/viewer.ts'
import type { Platform } from '../site/platform.ts'
import { ORIGINAL } from '../translations/translations.ts'
import { findEvents, marketsOf } from './event-rows.ts'
import { toEvent } from './event-view.ts'
import { inLanguage } from './in-language.ts'
import { bookmarkedAmong } from './manage-bookmarks.ts'

/**
 * One event with all its texts. Throws `event_not_found`, also for an event without markets, and for a hidden one where only `listed` ones are
 * shown: its page stays for those who hold its shares, and what is made for strangers is gone.
 */
export async function eventBySlug(
  platform: Platform,
  viewer: Viewer,
  { slug, locale = ORIGINAL, listed = false }: { slug: string; locale?: string | undefined; listed?: boolean },
): Promise<Event> {
  const em = platform.em()
  const [event] = await findEvents(em, [
    { sql: `event.slug = ? and event.status <> 'draft'`, values: [slug] },
    ...(listed ? [{ sql: 'event.hidden_at is null', values: [] }] : []),
  ])
  if (!event) throw new ServiceError('event_not_found')
  const [markets, bookmarked, [translated]] = await Promise.all([
    marketsOf(em, [event.id], true),
    bookmarkedAmong(platform, viewer, [event.id]),
    inLanguage(platform, [event], locale),
  ])
  return toEvent(translated!, markets.get(event.id) ?? [], bookmarked.has(event.id))
}

/** Which of some events are hidden, by slug. */
export async function hiddenAmong(platform: Platform, slugs: readonly string[]): Promise<Set<string>> {
  if (slugs.length === 0) return new Set()
  const rows = await tables(platform.em())
    .selectFrom('event')
    .select('slug')
    .where('hidden_at', 'is not', null)
    .where('slug', '=', anyOf([...new Set(slugs)]))
    .execute()
  return new Set(rows.map(({ slug }) => slug))
}
