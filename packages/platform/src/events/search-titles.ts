import type { EntityManager } from '@mikro-orm/postgresql'
import type { Filter } from './event-rows.ts'

/** Number of words of a search that count. */
const WORDS = 8

/**
 * Chooses the cheapest plan. Few matches are selected by id. More are hashed, and a scan of the list in order keeps those. Of still more,
 * the scan finds enough soon by matching every title. A scan costs the depth of the page divided by the share of matches, and the other two
 * cost the number of matches, so the bounds grow with the square root of the depth.
 */
const FEW = 100
const MANY = 400
/** Most matches that are hashed, however deep the page. */
const MOST = 20_000

/** Words that a trigram index can find, whatever the locale of the database. */
const THREE = /[a-z0-9]{3}/i
/** Further words that the bigram index can find. */
const isPair = (word: string) => !THREE.test(word) && [...word].length > 1
/** Words of two letters that stay two in any case: a title with the pair has the word. */
const TWO = /^[!-~]{2}$/

/**
 * SQL condition for events whose title contains every word of a search, ignoring case; all events for no words. `depth` is the end of the
 * page.
 */
export async function titleFilter(em: EntityManager, search: string, depth: number): Promise<Filter[]> {
  const words = [...new Set(search.normalize('NFKC').split(/\s+/).filter(Boolean))].slice(0, WORDS)
  if (words.length === 0) return []
  const [few, many] = [FEW, MANY].map((times) => Math.min(MOST, Math.ceil(times * Math.sqrt(depth)))) as [number, number]
  const byPairs = await isRarerByPairs(em, words)
  const filters = words.flatMap((word) => asked(word, byPairs))
  const { events, ids } = await look(em, filters, { few, many, byPairs })
  if (events <= few) return [{ sql: 'event.id = any(?::uuid[])', values: [ids ?? '{}'] }]
  if (events > many) return words.map((word) => ({ sql: `event.title_key like ${KEY}`, values: [pattern(word)] }))
  // A hashed subquery and no join, so that the scan keeps the order of the list.
  const gathered = `select event_id from event_search where ${filters.map(({ sql }) => sql).join(' and ')}`
  return [{ sql: `(event.id in (${gathered})) is true`, values: filters.flatMap(({ values }) => values) }]
}

/**
 * Number of matching events, up to `many` + 1, and their ids when there are at most `few`. Bigrams exist only in the index: a sequential
 * scan would compute them for every title. No parallel workers, which would take longer to start than to help.
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
 * Whether to search by bigrams. Rechecking matches of the trigram index would compute the bigrams of every title, so it is one index or the
 * other; the planner knows which words are rare.
 */
async function isRarerByPairs(em: EntityManager, words: readonly string[]): Promise<boolean> {
  const pairs = words.filter(isPair).map(hasPairs)
  const threes = words.filter((word) => THREE.test(word)).map(isLike)
  if (pairs.length === 0 || threes.length === 0) return pairs.length > 0
  const [paired, alike] = await Promise.all([estimate(em, pairs), estimate(em, threes)])
  return paired < alike
}

/** The planner's estimate of matching titles. */
async function estimate(em: EntityManager, filters: readonly Filter[]): Promise<number> {
  const [row]: { 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }[] = await em.execute(
    `explain (format json) select from event_search where ${filters.map(({ sql }) => sql).join(' and ')}`,
    filters.flatMap(({ values }) => values),
  )
  return row!['QUERY PLAN'][0].Plan['Plan Rows']
}

/** SQL condition that a title contains a word. Words that the index cannot find would make it return every title. */
function asked(word: string, byPairs: boolean): Filter[] {
  if (THREE.test(word)) return [isLike(word)]
  const whole = { sql: `strpos(text, ${KEY}) > 0`, values: [word] }
  if (!byPairs || !isPair(word)) return [whole]
  return TWO.test(word) ? [hasPairs(word)] : [hasPairs(word), whole]
}

/** A word or pattern normalised like `Event.titleKey`. */
const KEY = `casefold(? collate "pg_unicode_fast") collate "default"`
const pattern = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`
const isLike = (word: string): Filter => ({ sql: `text like ${KEY}`, values: [pattern(word)] })
const hasPairs = (word: string): Filter => ({ sql: `letter_pairs(text) @> letter_pairs(${KEY})`, values: [word] })
