import type { Input, Output } from '@augury/wire/operation'
import type { platformOperations } from '@augury/wire/platform/operations'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { bookmarkedAmong } from '../bookmarks/manage-bookmarks.ts'
import type { Viewer } from '../identity/viewer.ts'
import type { Platform } from '../platform.ts'
import { inLanguage } from '../translations/in-language.ts'
import { localeOf } from '../translations/translations.ts'
import { type EventRow, type Filter, findEvents, marketsOf } from './event-rows.ts'
import { toEvent } from './event-view.ts'
import { titleFilter } from './search-titles.ts'
import { TAG_SLUGS } from './tag-slugs.ts'

type Operation = typeof platformOperations.listEvents
type Query = Input<Operation>['query']

const BUSIEST = 'event.volume_24h desc, event.volume desc, event.ranking_seed desc, event.created_at desc, event.id'
/** Orders of a list, each with an index of its own. */
export const SORTS: ReadonlyMap<string, string> = new Map([
  ['trending', BUSIEST],
  ['volume_24h', BUSIEST],
  ['volume', 'event.volume desc, event.ranking_seed desc, event.created_at desc, event.id'],
  ['created_at', 'event.created_at desc, event.id'],
  ['end_date', 'event.end_date, event.id'],
])
/** What a list of a status shows; drafts are in none. */
export const STATUSES: ReadonlyMap<string, readonly EventRow['status'][]> = new Map([
  ['active', ['active']],
  ['resolved', ['resolved']],
  ['all', ['active', 'resolved', 'archived']],
])

/** What no list shows: events of creators whose markets are not shown, and those that an admin hid, alone or with their category. */
export const SEEN: Filter = {
  sql: `event.is_shown and event.hidden_at is null and event.id not in (select event_id from event_tag join tag on tag.id = tag_id where tag.hide_events)`,
  values: [],
}

/** A page of events. Refuses `invalid_status_filter` and `invalid_sort_filter`. Markets come without their rules. */
export async function listEvents(platform: Platform, viewer: Viewer, { query }: { query: Query }): Promise<Output<Operation>> {
  const statuses = STATUSES.get(query.status)
  if (!statuses) throw new ServiceError('invalid_status_filter')
  const order = SORTS.get(query.sort ?? (query.tag === 'new' ? 'created_at' : 'trending'))
  if (!order) throw new ServiceError('invalid_sort_filter')
  if (query.bookmarked && viewer.kind === 'anonymous') return []

  const { tag, mainTag, search = '', offset, limit } = query
  const locale = localeOf(query.locale)
  const make = async () => {
    const [tagged, found] = await Promise.all([tagFilter(platform.em(), tag), titleFilter(platform.em(), search, offset + limit)])
    const all = [SEEN, ...tagged, ...mainTagFilter(mainTag), ...found, ...own(query, viewer)]
    return readList(platform, { ...query, locale, order, statuses }, all)
  }
  // What a member keeps and what somebody looks for is not asked for again by others.
  const isCommon = !query.bookmarked && !query.search
  const name = `events ${JSON.stringify([query.status, order, tag, mainTag, offset, limit, locale])}`
  const events = await (isCommon ? platform.lists.read(name, ['lists'], make) : make())
  const ids = events.map(({ id }) => id)
  const bookmarked = await bookmarkedAmong(platform, viewer, ids)
  return bookmarked.size === 0 ? events : events.map((event) => ({ ...event, is_bookmarked: bookmarked.has(event.id) }))
}

/** The page as it is for everybody. */
async function readList(
  platform: Platform,
  page: Query & { order: string; statuses: readonly EventRow['status'][] },
  filters: Filter[],
): Promise<Output<Operation>> {
  const em = platform.em()
  const events = await findEvents(em, filters, page)
  const ids = events.map(({ id }) => id)
  const [markets, translated] = await Promise.all([marketsOf(em, ids, false), inLanguage(platform, events, page.locale)])
  return translated.map((event) => toEvent(event, markets.get(event.id) ?? []))
}

/** What a member's own list leaves out. */
const own = ({ bookmarked }: Query, viewer: Viewer): Filter[] =>
  bookmarked && viewer.kind === 'member'
    ? [{ sql: 'event.id in (select event_id from bookmark where user_id = ?)', values: [viewer.id] }]
    : []

/** Events of a tag that are looked up one by one: of a larger tag there is soon one among those that come first anyway. */
const FEW = 2000

/** The planner cannot tell how many events a tag has, and would go through all others for those of a small one. */
async function tagFilter(em: EntityManager, slug: string): Promise<Filter[]> {
  if (slug === 'trending' || slug === 'new') return []
  const [tag]: { id: string; events: number }[] = await em.execute(
    `select tag_id as id, (select count(*)::int from (select from event_tag where tag_id = tag_slug.tag_id limit ?) few) as events from ${TAG_SLUGS} where slug = ?`,
    [FEW + 1, slug],
  )
  if (!tag) return [{ sql: 'false', values: [] }]
  const events = 'select event_id from event_tag where tag_id = ?'
  return [{ sql: tag.events > FEW ? `event.id in (${events})` : `event.id = any(array(${events}))`, values: [tag.id] }]
}

const mainTagFilter = (slug: string | undefined): Filter[] =>
  slug === undefined ? [] : [{ sql: `event.main_tag_id = (select tag_id from ${TAG_SLUGS} where slug = ?)`, values: [slug] }]
