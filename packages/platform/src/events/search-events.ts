import { setImmediate } from 'node:timers/promises'
import { NEAR_RANKS, RANKS } from '@augury/search/match'
import type { Clause } from '@augury/search/read-search'
import { NOT_FOUND, type SearchIndex } from '@augury/search/search-index'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../platform.ts'
import type { EventRow, Filter } from './event-rows.ts'
import { searchedTags } from './search-terms.ts'
import type { SearchedEvent } from './searched-events.ts'

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

type Index = SearchIndex<SearchedEvent>

interface Match {
  id: string
  rank: number
}

/** Up to so many matches are sorted by the database. More are taken in an order that is kept in memory, and are a little old. */
const FEW = 500
/** More than twice any score. */
const NO_GROUP = 2 * NOT_FOUND

/** Finds events by all clauses of a search. When there are none, by words that differ from those typed by an error. */
export async function searchEvents(platform: Platform, clauses: readonly Clause[], page: SearchPage): Promise<Found> {
  const [index, labels] = await Promise.all([platform.searched.upToDate(platform.em()), searchedTags(platform)])
  const options = { labels, pause: () => setImmediate() }
  const scores = await index.scores(clauses, RANKS, options)
  const ids = await pageOf(platform, index, scores, page)
  if (ids.length > 0 || (page.offset > 0 && (await pageOf(platform, index, scores, { ...page, offset: 0, limit: 1 })).length > 0))
    return { ids, clauses }
  const near = index.withNearWords(clauses, labels)
  if (!near) return { ids, clauses }
  return { ids: await pageOf(platform, index, await index.scores(near, NEAR_RANKS, options), page), clauses: near }
}

async function pageOf(platform: Platform, index: Index, scores: Uint8Array, page: SearchPage): Promise<string[]> {
  const em = platform.em()
  const places = new Uint32Array(scores.length)
  let count = 0
  for (let place = 0; place < scores.length; place++)
    if (scores[place] !== NOT_FOUND && page.statuses.includes(index.at(place)?.status ?? 'draft')) places[count++] = place
  const found = places.subarray(0, count)
  const few = count <= FEW ? matchesAt(index, scores, found) : await withinFilters(em, index, scores, found, page)
  if (few) return sortedPage(em, few, page)
  const best = bestFirst(index, scores, found, await platform.searched.inOrder(em, index, page.order), page.byRank)
  return filteredPage(em, index, best, page)
}

const matchesAt = (index: Index, scores: Uint8Array, places: Uint32Array): Match[] =>
  Array.from(places, (place) => ({ id: index.at(place)!.id, rank: scores[place]! }))

const conditionsOf = ({ filters }: SearchPage) =>
  ['event.status in (select jsonb_array_elements_text(?::jsonb))', ...filters.map(({ sql }) => sql)].join(' and ')
const valuesOf = ({ statuses, filters }: SearchPage) => [JSON.stringify(statuses), ...filters.flatMap(({ values }) => values)]

/** The matches among a few events that have passed the filters of a list, such as those of a small category; null when more pass. */
async function withinFilters(
  em: EntityManager,
  index: Index,
  scores: Uint8Array,
  places: Uint32Array,
  page: SearchPage,
): Promise<Match[] | null> {
  if (page.filters.length < 2) return null
  const rows: { id: string }[] = await em.execute(`select id from event where ${conditionsOf(page)} limit ?`, [...valuesOf(page), FEW + 1])
  if (rows.length > FEW) return null
  const ids = new Set(rows.map(({ id }) => id))
  return matchesAt(
    index,
    scores,
    places.filter((place) => ids.has(index.at(place)!.id)),
  )
}

/** A page of some events, the best first, and among equal ones those that are open. */
async function sortedPage(em: EntityManager, matches: readonly Match[], page: SearchPage): Promise<string[]> {
  if (matches.length === 0) return []
  const rows: { id: string }[] = await em.execute(
    `select event.id from unnest(?::uuid[], ?::int[]) found (event_id, rank) join event on event.id = event_id
     where ${conditionsOf(page)}
     order by ${page.byRank ? `rank, event.status <> 'active', ` : ''}${page.order} limit ? offset ?`,
    [
      `{${matches.map(({ id }) => id).join(',')}}`,
      `{${matches.map(({ rank }) => rank).join(',')}}`,
      ...valuesOf(page),
      page.limit,
      page.offset,
    ],
  )
  return rows.map(({ id }) => id)
}

/** Places that were found, the best first, among equal ones those that are open, then in the order of the list. */
function bestFirst(index: Index, scores: Uint8Array, found: Uint32Array, order: Uint32Array, byRank: boolean): Uint32Array {
  const groups = new Uint16Array(scores.length).fill(NO_GROUP)
  for (const place of found) groups[place] = byRank ? scores[place]! * 2 + Number(index.at(place)!.status !== 'active') : 0
  const next = new Uint32Array(NO_GROUP + 1)
  for (const place of found) next[groups[place]! + 1]!++
  for (let group = 1; group < next.length; group++) next[group]! += next[group - 1]!
  const sorted = new Uint32Array(found.length)
  for (const place of order) if (place < groups.length && groups[place] !== NO_GROUP) sorted[next[groups[place]!]!++] = place
  return sorted
}

/** A page of those that pass the filters, which are looked at until there are enough. */
async function filteredPage(em: EntityManager, index: Index, places: Uint32Array, page: SearchPage): Promise<string[]> {
  const wanted = page.offset + page.limit
  const passed: string[] = []
  for (let from = 0, count = wanted + page.limit; from < places.length && passed.length < wanted; from += count, count *= 2) {
    const rows: { id: string }[] = await em.execute(
      `select event.id from unnest(?::uuid[]) with ordinality found (event_id, nth) join event on event.id = event_id
       where ${conditionsOf(page)} order by nth`,
      [`{${Array.from(places.subarray(from, from + count), (place) => index.at(place)!.id).join(',')}}`, ...valuesOf(page)],
    )
    passed.push(...rows.map(({ id }) => id))
  }
  return passed.slice(page.offset, wanted)
}
