import type { EntityManager } from '@mikro-orm/postgresql'
import { refreshEventTotals } from '../events/event-totals.ts'

/** What a job read of a market, by column name. */
export interface SeenMarket {
  condition_id: string
}

/**
 * For statements that write the markets of `seen`: locks them as `lockMarkets` does. A market resolved since the exchange was asked is left
 * as it is.
 */
const locked = (are: string) => `locked as (
    select condition_id from market join seen using (condition_id) where ${are} order by condition_id for no key update of market
  )`

/**
 * The statement that writes columns of `seen` markets where they differ, given each column's SQL type. A null in a column of `kept` changes
 * nothing. `are`: a condition on the markets; unresolved ones by default.
 */
export function updateOf(columns: Readonly<Record<string, string>>, kept: readonly string[] = [], are = 'not is_resolved'): string {
  const names = Object.keys(columns)
  const seen = names.map((name) => (kept.includes(name) ? `coalesce(seen.${name}, market.${name})` : `seen.${name}`))
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  return `
    with seen as (select * from jsonb_to_recordset(?::jsonb) as seen (condition_id text, ${typed.join(', ')})), ${locked(are)}
    update market set ${names.map((name, index) => `${name} = ${seen[index]}`).join(', ')}, updated_at = now()
    from seen join locked using (condition_id)
    where market.condition_id = seen.condition_id
      and (${names.map((name) => `market.${name}`).join(', ')}) is distinct from (${seen.join(', ')})
    returning event_id`
}

/** Runs a statement that writes markets and returns their `event_id`, then recomputes these events. Returns how many markets changed. */
export async function writeMarkets(em: EntityManager, update: string, values: readonly unknown[]): Promise<number> {
  const changed: { event_id: string }[] = await em.execute(update, [...values])
  await refreshEventTotals(
    em,
    changed.map(({ event_id }) => event_id),
  )
  return changed.length
}
