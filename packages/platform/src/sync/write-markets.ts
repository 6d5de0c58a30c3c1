import type { EntityManager } from '@mikro-orm/postgresql'
import { refreshEventTotals } from '../events/event-totals.ts'

/** What a job has seen of a market, under the names of the columns. */
export interface SeenMarket {
  condition_id: string
}

/**
 * For statements that write the markets of `seen`: locks them as `lockMarkets` does. What was resolved since the exchange was asked stays as
 * the result left it.
 */
const LOCKED = `locked as (
    select condition_id from market join seen using (condition_id) where not is_resolved order by condition_id for no key update of market
  )`

/** The statement that writes columns of seen markets where they differ, each by its SQL type. A null of those in `kept` changes nothing. */
export function updateOf(columns: Readonly<Record<string, string>>, kept: readonly string[] = []): string {
  const names = Object.keys(columns)
  const seen = names.map((name) => (kept.includes(name) ? `coalesce(seen.${name}, market.${name})` : `seen.${name}`))
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  return `
    with seen as (select * from jsonb_to_recordset(?::jsonb) as seen (condition_id text, ${typed.join(', ')})), ${LOCKED}
    update market set ${names.map((name, index) => `${name} = ${seen[index]}`).join(', ')}, updated_at = now()
    from seen join locked using (condition_id)
    where market.condition_id = seen.condition_id
      and (${names.map((name) => `market.${name}`).join(', ')}) is distinct from (${seen.join(', ')})
    returning event_id`
}

/** Runs a statement that writes markets and returns their `event_id`, then writes what these events say. Returns how many markets changed. */
export async function writeMarkets(em: EntityManager, update: string, values: readonly unknown[]): Promise<number> {
  const changed: { event_id: string }[] = await em.execute(update, [...values])
  await refreshEventTotals(
    em,
    changed.map(({ event_id }) => event_id),
  )
  return changed.length
}
