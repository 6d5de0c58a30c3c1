import { setImmediate } from 'node:timers/promises'
import { NEAR_RANKS, RANKS } from '@augury/search/match'
import type { Clause } from '@augury/search/read-search'
import { NOT_FOUND } from '@augury/search/search-index'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Searchable, STATUSES } from '../cache/searched-events.ts'
import type { Platform } from '../site/platform.ts'
import type { EventRow, Filter } from './event-rows.ts'
import { searchedTags } from './search-terms.ts'

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

/** What decides the order of matches, by place: smaller comes first, and `NOT_FOUND` is not shown. */
type Keys = Uint8Array

/** Up to so many matches are sorted by the database. More are taken in an order that is kept in memory, and are a little old. */
const FEW = 500
const ACTIVE = STATUSES.indexOf('active')
/** The event of a row that was found. Looked up by its id: the planner would read all events, since it takes filters for hardly any. */
const EACH = 'lateral (select * from event where id = event_id offset 0) event'

/** Finds events by all clauses of a search. When there are none, by words that differ from those typed by an error. */
export async function searchEvents(platform: Platform, clauses: readonly Clause[], page: SearchPage): Promise<Found> {
  const [events, labels] = await Promise.all([platform.searched.upToDate(platform.em()), searchedTags(platform)])
  const { index } = events
  const options = { labels, pause: () => setImmediate() }
  const keys = keysOf(events, await index.scores(clauses, RANKS, options), page)
  const ids = await pageOf(platform, events, keys, page)
  if (ids.length > 0 || (page.offset > 0 && (await pageOf(platform, events, keys, { ...page, offset: 0, limit: 1 })).length > 0))
    return { ids, clauses }
  const near = index.withNearWords(clauses, labels)
  if (!near) return { ids, clauses }
  const nearKeys = keysOf(events, await index.scores(near, NEAR_RANKS, options), page)
  return { ids: await pageOf(platform, events, nearKeys, page), clauses: near }
}

/** Turns scores, which are below half of `NOT_FOUND`, into keys: the best first, and among equal ones those that are open. */
function keysOf({ statuses }: Searchable, scores: Uint8Array, page: SearchPage): Keys {
  const isShown = STATUSES.map((status) => page.statuses.includes(status))
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place]!
    if (score === NOT_FOUND) continue
    const status = statuses[place]!
    if (!isShown[status]) scores[place] = NOT_FOUND
    else scores[place] = page.byRank ? score * 2 + Number(status !== ACTIVE) : 0
  }
  return scores
}

async function pageOf(platform: Platform, events: Searchable, keys: Keys, page: SearchPage): Promise<string[]> {
  const em = platform.em()
  const found: number[] = []
  for (let place = 0; place < keys.length && found.length <= FEW; place++) if (keys[place] !== NOT_FOUND) found.push(place)
  const few = found.length <= FEW ? found : await withinFilters(em, events, keys, page)
  if (few) return sortedPage(em, events, keys, few, page)
  return filteredPage(em, events, bestFirst(keys, await platform.searched.inOrder(em, events, page.order)), page)
}

const conditionsOf = ({ filters }: SearchPage) =>
  ['event.status in (select jsonb_array_elements_text(?::jsonb))', ...filters.map(({ sql }) => sql)].join(' and ')
const valuesOf = ({ statuses, filters }: SearchPage) => [JSON.stringify(statuses), ...filters.flatMap(({ values }) => values)]

/** The places of matches among a few events that pass the filters of a list, such as those of a small category; null when more pass. */
async function withinFilters(em: EntityManager, { known }: Searchable, keys: Keys, page: SearchPage): Promise<number[] | null> {
  if (page.filters.length < 2) return null
  const rows: { id: string }[] = await em.execute(`select id from event where ${conditionsOf(page)} limit ?`, [...valuesOf(page), FEW + 1])
  if (rows.length > FEW) return null
  const places = rows.map(({ id }) => known.get(id)?.place ?? keys.length)
  return places.filter((place) => place < keys.length && keys[place] !== NOT_FOUND)
}

/** A page of some events, in the order of their keys, then in that of the list. */
async function sortedPage(
  em: EntityManager,
  { index }: Searchable,
  keys: Keys,
  places: readonly number[],
  page: SearchPage,
): Promise<string[]> {
  if (places.length === 0) return []
  const rows: { id: string }[] = await em.execute(
    `select event.id from unnest(?::uuid[], ?::int[]) found (event_id, key) cross join ${EACH} where ${conditionsOf(page)}
     order by key, ${page.order} limit ? offset ?`,
    [
      `{${places.map((place) => index.at(place)).join(',')}}`,
      `{${places.map((place) => keys[place]).join(',')}}`,
      ...valuesOf(page),
      page.limit,
      page.offset,
    ],
  )
  return rows.map(({ id }) => id)
}

/** Places that were found, in the order of their keys, then in that of the list. Mostly the first ones are asked for, which have one key. */
function* bestFirst(keys: Keys, order: Uint32Array): Generator<number> {
  const isThere = new Uint8Array(NOT_FOUND)
  for (const key of keys) isThere[key] = 1
  for (let key = 0; key < NOT_FOUND; key++) if (isThere[key] === 1) for (const place of order) if (keys[place] === key) yield place
}

/** A page of those that pass the filters, which are looked at until there are enough. */
async function filteredPage(em: EntityManager, { index }: Searchable, places: Generator<number>, page: SearchPage): Promise<string[]> {
  const wanted = page.offset + page.limit
  const passed: string[] = []
  for (let count = wanted + page.limit; passed.length < wanted; count *= 2) {
    const ids: string[] = []
    for (let next = places.next(); !next.done; next = places.next()) if (ids.push(index.at(next.value)!) === count) break
    if (ids.length === 0) break
    const rows: { id: string }[] = await em.execute(
      `select event.id from unnest(?::uuid[]) with ordinality found (event_id, nth) cross join ${EACH} where ${conditionsOf(page)} order by nth`,
      [`{${ids.join(',')}}`, ...valuesOf(page)],
    )
    passed.push(...rows.map(({ id }) => id))
  }
  return passed.slice(page.offset, wanted)
}
