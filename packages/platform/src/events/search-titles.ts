import type { EntityManager } from '@mikro-orm/postgresql'
import type { Filter } from './event-rows.ts'

/** Words of a search that count. */
const WORDS = 8
/**
 * Events that are looked up one by one for a page that ends at the first, and at most: of more there is soon one among those that come
 * first anyway. A walk along the list costs as many rows as the page is deep, divided by the share that has the words; looking up costs the
 * events that have them. So what is few grows with the root of the depth.
 */
const FEW = 200
const MOST = 20_000

/** What an index of three letters in a row can be asked for, whatever the language of the database. */
const THREE = /[a-z0-9]{3}/i
/** What else the index of two letters in a row knows of. */
const isPair = (word: string) => !THREE.test(word) && [...word].length > 1

/** Leaves the events in whose title every word of a search occurs, in any case; all, where it has no word. `depth` of them are skipped or shown. */
export async function titleFilter(em: EntityManager, search: string, depth: number): Promise<Filter[]> {
  const words = [...new Set(search.normalize('NFKC').split(/\s+/).filter(Boolean))].slice(0, WORDS)
  if (words.length === 0) return []
  const few = Math.min(MOST, Math.ceil(FEW * Math.sqrt(depth)))
  const { events, ids } = await look(em, words, few + 1)
  if (events > few) return words.map((word) => ({ sql: `event.title_key like ${KEY}`, values: [pattern(word)] }))
  return [{ sql: 'event.id = any(?::uuid[])', values: [ids ?? '{}'] }]
}

/** Some of the events that have the words, or all that do. A word that an index knows nothing of would make it list every title. */
async function look(em: EntityManager, words: readonly string[], most: number): Promise<{ events: number; ids: string | null }> {
  const filters = words.flatMap((word): Filter[] => {
    if (THREE.test(word)) return [{ sql: `text like ${KEY}`, values: [pattern(word)] }]
    const whole = { sql: `strpos(text, ${KEY}) > 0`, values: [word] }
    return isPair(word) ? [{ sql: `letter_pairs(text) @> letter_pairs(${KEY})`, values: [word] }, whole] : [whole]
  })
  const ask = async (at: EntityManager) => {
    const [found]: { events: number; ids: string | null }[] = await at.execute(
      `select count(*)::int as events, array_agg(event_id)::text as ids from (
         select event_id from event_search where ${filters.map(({ sql }) => sql).join(' and ')} limit ?
       ) found`,
      [...filters.flatMap(({ values }) => values), most],
    )
    return found!
  }
  if (!words.some(isPair)) return ask(em)
  // The pairs of a title lie in the index only: one after the other they would have to be made of every title. A second process for so few
  // titles takes longer to begin than it helps.
  return em.transactional(async (at) => {
    await at.execute('set local enable_seqscan = off; set local max_parallel_workers_per_gather = 0')
    return ask(at)
  })
}

/** A word or a pattern as `Event.titleKey` would have it. */
const KEY = `casefold(? collate "pg_unicode_fast") collate "default"`
const pattern = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`
