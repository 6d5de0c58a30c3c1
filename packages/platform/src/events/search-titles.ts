import type { EntityManager } from '@mikro-orm/postgresql'
import type { Filter } from './event-rows.ts'

/** Words of a search that count. */
const WORDS = 8

/**
 * Which way is cheapest: few events are named one by one; more are gathered, and a walk along the list leaves out the others; of still more
 * there is soon one among those that come first, so that the walk reads every title. A walk costs as many rows as the page ends deep, divided
 * by the share that has the words, and naming and gathering cost the events that have them: the bounds grow with the root of the depth.
 */
const FEW = 100
const MANY = 400
/** Events that are gathered at most, however deep the page. */
const MOST = 20_000

/** What an index of three letters in a row can be asked for, whatever the language of the database. */
const THREE = /[a-z0-9]{3}/i
/** What else the index of two letters in a row knows of. */
const isPair = (word: string) => !THREE.test(word) && [...word].length > 1
/** Two letters that are two in any case: what has the pair has the word. */
const TWO = /^[!-~]{2}$/

/** Leaves the events in whose title every word of a search occurs, in any case; all, where it has no word. `depth` of them are skipped or shown. */
export async function titleFilter(em: EntityManager, search: string, depth: number): Promise<Filter[]> {
  const words = [...new Set(search.normalize('NFKC').split(/\s+/).filter(Boolean))].slice(0, WORDS)
  if (words.length === 0) return []
  const [few, many] = [FEW, MANY].map((times) => Math.min(MOST, Math.ceil(times * Math.sqrt(depth)))) as [number, number]
  const byPairs = await isRarerByPairs(em, words)
  const filters = words.flatMap((word) => asked(word, byPairs))
  const { events, ids } = await look(em, filters, { few, many, byPairs })
  if (events <= few) return [{ sql: 'event.id = any(?::uuid[])', values: [ids ?? '{}'] }]
  if (events > many) return words.map((word) => ({ sql: `event.title_key like ${KEY}`, values: [pattern(word)] }))
  // As a condition that is no join, so that the order of the list is kept: who is gathered lies in a table of hashes.
  const gathered = `select event_id from event_search where ${filters.map(({ sql }) => sql).join(' and ')}`
  return [{ sql: `(event.id in (${gathered})) is true`, values: filters.flatMap(({ values }) => values) }]
}

/**
 * How many events have the words, up to one more than `many`, and which, of no more than `few`. The pairs of a title lie in their index only:
 * one after the other they would have to be made of every title. A second process for so few titles takes longer to begin than it helps.
 */
async function look(
  em: EntityManager,
  filters: readonly Filter[],
  { few, many, byPairs }: { few: number; many: number; byPairs: boolean },
): Promise<{ events: number; ids: string | null }> {
  const ask = async (at: EntityManager) => {
    const [found]: { events: number; ids: string | null }[] = await at.execute(
      `select count(*)::int as events, case when count(*) <= ? then array_agg(event_id)::text end as ids from (
         select event_id from event_search where ${filters.map(({ sql }) => sql).join(' and ')} limit ?
       ) found`,
      [few, ...filters.flatMap(({ values }) => values), many + 1],
    )
    return found!
  }
  if (!byPairs) return ask(em)
  return em.transactional(async (at) => {
    await at.execute('set local enable_seqscan = off; set local max_parallel_workers_per_gather = 0')
    return ask(at)
  })
}

/**
 * Whether the words are to be looked for by their pairs of letters. Titles found another way would have all their pairs made, one by one, to
 * see whether these are among them; so it is one index or the other, and the planner knows what is rare.
 */
async function isRarerByPairs(em: EntityManager, words: readonly string[]): Promise<boolean> {
  const pairs = words.filter(isPair).map(hasPairs)
  const threes = words.filter((word) => THREE.test(word)).map(isLike)
  if (pairs.length === 0 || threes.length === 0) return pairs.length > 0
  const [paired, alike] = await Promise.all([estimate(em, pairs), estimate(em, threes)])
  return paired < alike
}

/** As how many titles the planner takes those that meet all filters. */
async function estimate(em: EntityManager, filters: readonly Filter[]): Promise<number> {
  const [row]: { 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }[] = await em.execute(
    `explain (format json) select from event_search where ${filters.map(({ sql }) => sql).join(' and ')}`,
    filters.flatMap(({ values }) => values),
  )
  return row!['QUERY PLAN'][0].Plan['Plan Rows']
}

/** That a title has a word. A word that an index knows nothing of would make it list every title. */
function asked(word: string, byPairs: boolean): Filter[] {
  if (THREE.test(word)) return [isLike(word)]
  const whole = { sql: `strpos(text, ${KEY}) > 0`, values: [word] }
  if (!byPairs || !isPair(word)) return [whole]
  return TWO.test(word) ? [hasPairs(word)] : [hasPairs(word), whole]
}

/** A word or a pattern as `Event.titleKey` would have it. */
const KEY = `casefold(? collate "pg_unicode_fast") collate "default"`
const pattern = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`
const isLike = (word: string): Filter => ({ sql: `text like ${KEY}`, values: [pattern(word)] })
const hasPairs = (word: string): Filter => ({ sql: `letter_pairs(text) @> letter_pairs(${KEY})`, values: [word] })
