import type { Input, Output } from '@augury/wire/operation'
import type { platformOperations } from '@augury/wire/platform/operations'
import { ServiceError } from '@augury/wire/service-error'
import { bookmarkedAmong } from '../bookmarks/manage-bookmarks.ts'
import type { Viewer } from '../identity/viewer.ts'
import type { Platform } from '../platform.ts'
import { type Filter, findEvents, marketsOf } from './event-rows.ts'
import { toEvent } from './event-view.ts'

type Operation = typeof platformOperations.listEvents
type Query = Input<Operation>['query']

/** Words of a search that count. */
const SEARCH_TERMS = 8

const BUSIEST = 'event.volume_24h desc, event.volume desc, event.ranking_seed desc, event.created_at desc, event.id'
const SORTS: ReadonlyMap<string, string> = new Map([
  ['trending', BUSIEST],
  ['volume_24h', BUSIEST],
  ['volume', 'event.volume desc, event.ranking_seed desc, event.created_at desc, event.id'],
  ['created_at', 'event.created_at desc, event.id'],
  ['end_date', 'event.end_date, event.id'],
])
const STATUSES: ReadonlyMap<string, string> = new Map([
  ['active', `event.status = 'active'`],
  ['resolved', `event.status = 'resolved'`],
  ['all', `event.status <> 'draft'`],
])

/** A page of events. Refuses `invalid_status_filter` and `invalid_sort_filter`. Markets come without their rules. */
export async function listEvents(platform: Platform, viewer: Viewer, { query }: { query: Query }): Promise<Output<Operation>> {
  const status = STATUSES.get(query.status)
  if (!status) throw new ServiceError('invalid_status_filter')
  const order = SORTS.get(query.sort ?? (query.tag === 'new' ? 'created_at' : 'trending'))
  if (!order) throw new ServiceError('invalid_sort_filter')
  if (query.bookmarked && viewer.kind === 'anonymous') return []

  const em = platform.em()
  const events = await findEvents(em, [{ sql: status, values: [] }, ...filters(query), ...own(query, viewer)], { ...query, order })
  const ids = events.map(({ id }) => id)
  const [markets, bookmarked] = await Promise.all([marketsOf(em, ids, false), bookmarkedAmong(platform, viewer, ids)])
  return events.map((event) => toEvent(event, markets.get(event.id) ?? [], bookmarked.has(event.id)))
}

/** What a member's own list leaves out. */
const own = ({ bookmarked }: Query, viewer: Viewer): Filter[] =>
  bookmarked && viewer.kind === 'member'
    ? [{ sql: 'event.id in (select event_id from bookmark where user_id = ?)', values: [viewer.id] }]
    : []

function filters({ tag, mainTag, search }: Query): Filter[] {
  const terms = (search ?? '').split(/\s+/).filter(Boolean).slice(0, SEARCH_TERMS)
  return [
    ...(tag === 'trending' || tag === 'new'
      ? []
      : [{ sql: 'event.id in (select event_id from event_tag join tag on tag.id = tag_id where tag.slug = ?)', values: [tag] }]),
    ...(mainTag === undefined ? [] : [{ sql: 'event.main_tag_id = (select id from tag where slug = ?)', values: [mainTag] }]),
    ...terms.map((term) => ({ sql: 'event.title ilike ?', values: [`%${term.replace(/[\\%_]/g, '\\$&')}%`] })),
  ]
}
