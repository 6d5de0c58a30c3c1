import { NEAR_RANKS, RANKS } from '@augury/search/match'
import type { Clause } from '@augury/search/read-search'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../platform.ts'
import { cutPage, type EventRow, type Filter } from './event-rows.ts'
import { searchedTags, tsquery, withNearWords } from './search-terms.ts'

/** What a search looks through, and the page it wants. */
export interface SearchPage {
  filters: readonly Filter[]
  statuses: readonly EventRow['status'][]
  /** SQL order by columns of `event`. */
  order: string
  /** Whether the best matches come first, and `order` decides among equal ones. */
  byRank: boolean
  limit: number
  offset: number
}

/** Ids of the events of a page, in order, and the clauses that found them. */
interface Found {
  ids: string[]
  clauses: readonly Clause[]
}

/**
 * Up to so many matches are sorted. Of more, the list is walked in its order, which soon finds enough of them. A walk costs the depth of the
 * page divided by the share of matches, so the bound grows with the depth.
 */
const FEW = 2000
const FEW_BY_DEPTH = 400
const MOST = 20_000

/** Finds events by all clauses of a search. When there are none, by words that differ from those typed by an error. */
export async function searchEvents(platform: Platform, clauses: readonly Clause[], page: SearchPage): Promise<Found> {
  const tags = await searchedTags(platform)
  const em = platform.em()
  const queries = RANKS.map(([fields, reach]) => tsquery(clauses, fields, reach, tags))
  const ids = await pageOf(em, queries, page)
  if (ids.length > 0 || (page.offset > 0 && (await pageOf(em, queries, { ...page, offset: 0, limit: 1 })).length > 0))
    return { ids, clauses }
  const near = await withNearWords(platform, clauses, tags)
  if (!near) return { ids, clauses }
  const nearQueries = NEAR_RANKS.map(([fields, reach]) => tsquery(near, fields, reach, tags))
  return { ids: await pageOf(em, nearQueries, page), clauses: near }
}

/** A page of the events that any of the queries finds, of which the last finds all that the others find. */
async function pageOf(em: EntityManager, queries: readonly string[], page: SearchPage): Promise<string[]> {
  const few = Math.min(MOST, Math.max(FEW, Math.ceil(FEW_BY_DEPTH * Math.sqrt(page.offset + page.limit))))
  const matches = await matchesOf(em, page.byRank ? queries : queries.slice(-1), page.statuses, few)
  if (matches) return sortedPage(em, matches, page)
  const groups = page.byRank ? [page.statuses.filter(isOpen), page.statuses.filter((status) => !isOpen(status))] : [page.statuses]
  const segments = (page.byRank ? queries.map((query, nth) => [query, ...queries.slice(0, nth)]) : [queries.slice(-1)]).flatMap(
    ([query, ...better]) =>
      groups
        .filter((statuses) => statuses.length > 0)
        .map((statuses) => ({ query: [`(${query})`, ...better.map((each) => `!(${each})`)].join(' & '), statuses })),
  )
  return pageOfSegments(em, segments, page, few)
}

const isOpen = (status: EventRow['status']) => status === 'active'

interface Match {
  id: string
  rank: number
}

const ofStatuses = (query: string, statuses: readonly string[]) => `(${query}) & (${statuses.map((status) => `'s/${status}'`).join(' | ')})`

/** Matches of the last query with the place of the first query that finds them; null when there are more than `most`. */
async function matchesOf(
  em: EntityManager,
  queries: readonly string[],
  statuses: readonly string[],
  most: number,
): Promise<Match[] | null> {
  const better = queries.slice(0, -1)
  const rank =
    better.length === 0 ? '0' : `case ${better.map((_, nth) => `when terms @@ ?::tsquery then ${nth}`).join(' ')} else ${better.length} end`
  const rows: Match[] = await em.execute(`select event_id as id, ${rank} as rank from event_search where terms @@ ?::tsquery limit ?`, [
    ...better,
    ofStatuses(queries.at(-1)!, statuses),
    most + 1,
  ])
  return rows.length > most ? null : rows
}

/** A page of some events, the best first, and among equal ones those that are open. */
async function sortedPage(
  em: EntityManager,
  matches: readonly Match[],
  { filters, statuses, order, byRank, limit, offset }: SearchPage,
): Promise<string[]> {
  if (matches.length === 0) return []
  const rows: { id: string }[] = await em.execute(
    `select event.id from unnest(?::uuid[], ?::int[]) found (event_id, rank) join event on event.id = event_id
     where ${['event.status in (select jsonb_array_elements_text(?::jsonb))', ...filters.map(({ sql }) => sql)].join(' and ')}
     order by ${byRank ? `rank, event.status <> 'active', ` : ''}${order} limit ? offset ?`,
    [
      `{${matches.map(({ id }) => id).join(',')}}`,
      `{${matches.map(({ rank }) => rank).join(',')}}`,
      JSON.stringify(statuses),
      ...filters.flatMap(({ values }) => values),
      limit,
      offset,
    ],
  )
  return rows.map(({ id }) => id)
}

/** Events that a query finds, in some statuses. */
interface Segment {
  query: string
  statuses: readonly EventRow['status'][]
}

/** A page of segments that follow each other. */
async function pageOfSegments(em: EntityManager, segments: readonly Segment[], page: SearchPage, few: number): Promise<string[]> {
  const ids: string[] = []
  let skip = page.offset
  for (const segment of segments) {
    const filters = [await segmentFilter(em, segment, few), ...page.filters]
    const cut = cutPage(filters, { ...page, statuses: segment.statuses, limit: page.limit - ids.length, offset: skip })
    const rows: { id: string }[] = await em.execute(cut.sql, cut.values)
    ids.push(...rows.map(({ id }) => id))
    if (ids.length === page.limit) break
    skip = skip === 0 || rows.length > 0 ? 0 : skip - (await countOf(em, segment.statuses, filters))
  }
  return ids
}

/** SQL condition for the events of a segment: few by their ids, many by a look at each. */
async function segmentFilter(em: EntityManager, { query, statuses }: Segment, few: number): Promise<Filter> {
  const matches = await matchesOf(em, [query], statuses, few)
  return matches
    ? { sql: 'event.id = any(?::uuid[])', values: [`{${matches.map(({ id }) => id).join(',')}}`] }
    : { sql: '(select terms @@ ?::tsquery from event_search where event_id = event.id)', values: [query] }
}

async function countOf(em: EntityManager, statuses: readonly string[], filters: readonly Filter[]): Promise<number> {
  const [row]: { events: number }[] = await em.execute(
    `select count(*)::int as events from event where ${['event.status in (select jsonb_array_elements_text(?::jsonb))', ...filters.map(({ sql }) => sql)].join(' and ')}`,
    [JSON.stringify(statuses), ...filters.flatMap(({ values }) => values)],
  )
  return row!.events
}
