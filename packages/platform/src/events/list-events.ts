import { Event } from '@augury/domain/platform/event.entity'
import type { Input, Output } from '@augury/wire/operation'
import type { platformOperations } from '@augury/wire/platform/operations'
import { ServiceError } from '@augury/wire/service-error'
import type { FilterQuery, QueryOrderMap } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Viewer } from '../identity/viewer.ts'
import type { Platform } from '../platform.ts'
import { toEventShape } from './event-view.ts'

type Operation = typeof platformOperations.listEvents
type Query = Input<Operation>['query']

/** Words of a search that count. */
const SEARCH_TERMS = 8
/** As many active events as this carry the mark of a trend. */
const TRENDING = 10

const BUSIEST: QueryOrderMap<Event> = { volume24h: 'desc', volume: 'desc', rankingSeed: 'desc', createdAt: 'desc', id: 'asc' }
const SORTS: Readonly<Record<string, QueryOrderMap<Event>>> = {
  trending: BUSIEST,
  volume_24h: BUSIEST,
  volume: { volume: 'desc', rankingSeed: 'desc', createdAt: 'desc', id: 'asc' },
  created_at: { createdAt: 'desc', id: 'asc' },
  end_date: { endDate: 'asc', id: 'asc' },
}
const STATUSES: Readonly<Record<string, FilterQuery<Event>>> = {
  active: { status: 'active' },
  resolved: { status: 'resolved' },
  all: { status: { $in: ['active', 'resolved', 'archived'] } },
}

/** A page of events. Refuses `invalid_status_filter` and `invalid_sort_filter`. Markets come without their rules. */
export async function listEvents(
  platform: Platform,
  viewer: Viewer,
  { query }: Pick<Input<Operation>, 'query'>,
): Promise<Output<Operation>> {
  const status = STATUSES[query.status]
  if (!status) throw new ServiceError('invalid_status_filter')
  const orderBy = SORTS[query.sort ?? (query.tag === 'new' ? 'created_at' : 'trending')]
  if (!orderBy) throw new ServiceError('invalid_sort_filter')
  if (query.bookmarked && viewer.kind === 'anonymous') return []

  const em = platform.em()
  const [events, floor] = await Promise.all([
    em.find(Event, filter(status, query), {
      orderBy,
      offset: query.offset,
      limit: query.limit,
      populate: ['markets.outcomes', 'tags.tag', 'mainTag'],
      strategy: 'select-in',
    }),
    trendingFloor(platform.em()),
  ])
  return events.map((event) => toEventShape(event, floor))
}

function filter(status: FilterQuery<Event>, { tag, mainTag, search }: Query): FilterQuery<Event> {
  const terms = (search ?? '').split(/\s+/).filter(Boolean).slice(0, SEARCH_TERMS)
  return {
    $and: [
      status,
      ...(tag === 'trending' || tag === 'new' ? [] : [{ tags: { $some: { tag: { slug: tag } } } }]),
      ...(mainTag === undefined ? [] : [{ mainTag: { slug: mainTag } }]),
      ...terms.map((term) => ({ title: { $ilike: `%${term.replace(/[\\%_]/g, '\\$&')}%` } })),
    ],
  } as FilterQuery<Event>
}

/** 24-hour volume, in millionths, that puts an active event among the busiest. */
export async function trendingFloor(em: EntityManager): Promise<number> {
  const [row] = await em.find(Event, { status: 'active' }, { fields: ['volume24h'], orderBy: BUSIEST, offset: TRENDING - 1, limit: 1 })
  return row?.volume24h ?? 0
}
