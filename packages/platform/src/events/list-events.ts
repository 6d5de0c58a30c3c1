import { readSearch } from '@augury/search/read-search'
import { DEEPEST_EVENT } from '@augury/wire/limits'
import type { Input, Output } from '@augury/wire/operation'
import { isOrderOfEvents } from '@augury/wire/platform/admin-categories'
import type { platformOperations } from '@augury/wire/platform/operations'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Viewer } from '../authorization/viewer.ts'
import { withField } from '../cache/json-bytes.ts'
import type { Platform } from '../site/platform.ts'
import { localeOf } from '../translations/translations.ts'
import { type EventRow, type Filter, findEvents } from './event-rows.ts'
import { keptViews, viewsOf } from './event-views.ts'
import { bookmarkedAmong } from './manage-bookmarks.ts'
import { matchedOutcomeOf } from './matched-outcome.ts'
import { type SearchPage, searchEvents } from './search-events.ts'
import { TAG_SLUGS } from './tag-slugs.ts'

type Operation = typeof platformOperations.listEvents
type Query = Input<Operation>['query']

const BUSIEST = 'event.volume_24h desc, event.volume desc, event.ranking_seed desc, event.created_at desc, event.id'
/** Orders of a list, each backed by an index. */
export const SORTS: ReadonlyMap<string, string> = new Map([
  ['trending', BUSIEST],
  ['volume_24h', BUSIEST],
  ['volume', 'event.volume desc, event.ranking_seed desc, event.created_at desc, event.id'],
  ['created_at', 'event.created_at desc, event.id'],
  ['end_date', 'event.end_date, event.id'],
])
/** The statuses that each filter shows; no list shows drafts. */
export const STATUSES: ReadonlyMap<string, readonly EventRow['status'][]> = new Map([
  ['active', ['active']],
  ['resolved', ['resolved']],
  ['all', ['active', 'resolved', 'archived']],
])

/** Events that no list shows: those of other creators, and those that an admin hid, by themselves or with their category. */
export const SEEN: Filter = {
  sql: `event.is_shown and event.hidden_at is null and event.id not in (select event_id from event_tag join tag on tag.id = tag_id where tag.hide_events)`,
  values: [],
}

/**
 * A page of events. Throws `invalid_status_filter` and `invalid_sort_filter`. Markets come without their rules. Beyond the largest offset
 * a list has either ended, or is refused.
 */
export async function listEvents(platform: Platform, viewer: Viewer, { query }: { query: Query }): Promise<Output<Operation>> {
  const statuses = STATUSES.get(query.status)
  if (!statuses) throw new ServiceError('invalid_status_filter')
  const sort = query.sort ?? (query.tag === 'new' ? 'created_at' : 'trending')
  const order = SORTS.get(sort)
  if (!order) throw new ServiceError('invalid_sort_filter')
  if (query.bookmarked && viewer.kind === 'anonymous') return []

  const { tag, mainTag, search = '', limit } = query
  const isSearch = search.trim() !== ''
  const offset = Math.min(query.offset, DEEPEST_EVENT)
  const locale = localeOf(query.locale)
  const make = async () => {
    const filters = [SEEN, ...(await tagFilter(platform.em(), tag)), ...mainTagFilter(mainTag), ...own(query, viewer)]
    const page = { filters, statuses, order, limit, offset }
    // What trends is what matters most: of a search, the best matches.
    return isSearch ? searchList(platform, { ...page, byRank: sort === 'trending' }, search, locale) : readList(platform, page, locale)
  }
  // Bookmarks and searches are not cached: they are rarely the same.
  const isCommon = !query.bookmarked && !isSearch
  const name = `events ${JSON.stringify([query.status, order, tag, mainTag, offset, limit, locale])}`
  const events = await (isCommon ? platform.lists.read(name, ['lists'], make) : make())
  if (query.offset > offset && events.length > 0) throw new ServiceError('invalid_payload', { text: `Invalid offset: at most ${offset}` })
  const ids = events.map(({ id }) => id)
  const bookmarked = await bookmarkedAmong(platform, viewer, ids)
  return bookmarked.size === 0 ? events : events.map((event) => ({ ...event, is_bookmarked: bookmarked.has(event.id) }))
}

/** The page without anything personal. */
async function readList(platform: Platform, { filters, ...page }: Omit<SearchPage, 'byRank'>, locale: string): Promise<Output<Operation>> {
  return viewsOf(platform, await findEvents(platform.em(), filters, page), locale)
}

/** The page of a search. Each event says which outcome was found. */
async function searchList(platform: Platform, page: SearchPage, search: string, locale: string): Promise<Output<Operation>> {
  const clauses = readSearch(search)
  if (clauses.length === 0) return []
  const found = await searchEvents(platform, clauses, page)
  const events = await keptViews(platform, found.ids, locale)
  return events.map((event) => withField(event, { matched_outcome: matchedOutcomeOf(found.clauses, event) }))
}

/** Events that a member's own list leaves out. */
const own = ({ bookmarked }: Query, viewer: Viewer): Filter[] =>
  bookmarked && viewer.kind === 'member'
    ? [{ sql: 'event.id in (select event_id from bookmark where user_id = ?)', values: [viewer.id] }]
    : []

/** Up to so many events of a tag are looked up by id. With more, scanning the list in order soon finds enough of them. */
const FEW = 2000

/** The planner cannot estimate the size of a tag, and for a small one would scan all other events. */
async function tagFilter(em: EntityManager, slug: string): Promise<Filter[]> {
  if (isOrderOfEvents(slug)) return []
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
