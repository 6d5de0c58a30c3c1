import type { EntityManager } from '@mikro-orm/postgresql'

/** A price of Yes in steps from a minute on, in minutes since 1970. */
export interface EarlierPrice {
  minute: number
  price: number
}

/** Prices of a market from before the exchange had one, oldest first. */
export interface EarlierHistory {
  condition: string
  source: 'sample' | 'imported'
  prices: readonly EarlierPrice[]
}

/**
 * Stores histories of markets that have none of this kind yet. What is not before a market's first price of the exchange is left out, and so
 * is a price that repeats the one before, but for the last. Returns how many markets got a history.
 */
export async function storeEarlierPrices(em: EntityManager, histories: readonly EarlierHistory[]): Promise<number> {
  const given = histories.flatMap(({ condition, source, prices }) => {
    const kept = prices.filter(({ price }, n) => n === 0 || n === prices.length - 1 || price !== prices[n - 1]!.price)
    return kept.length === 0
      ? []
      : [{ condition, source, minutes: kept.map(({ minute }) => minute), prices: kept.map(({ price }) => price) }]
  })
  if (given.length === 0) return 0
  const stored: unknown[] = await em.execute(STORE, [JSON.stringify(given)])
  return stored.length
}

const STORE = `
  insert into earlier_prices (market_condition_id, source, minutes, prices)
  select given.condition, given.source, kept.minutes, kept.prices
  from jsonb_to_recordset(?::jsonb) as given (condition text, source text, minutes int[], prices smallint[])
  join market on condition_id = given.condition
  cross join lateral (
    select extract(epoch from min(minute)) / 60 as minute from price_point where market_condition_id = given.condition
  ) first
  cross join lateral (
    select array_agg(each.minute order by each.minute) as minutes, array_agg(each.price order by each.minute) as prices
    from unnest(given.minutes, given.prices) as each (minute, price)
    where first.minute is null or each.minute < first.minute
  ) kept
  where kept.minutes is not null
  on conflict do nothing
  returning market_condition_id`

/** SQL of the earlier prices of a market with this condition: rows of `at` and `price`. */
export const earlierOf = (condition: string): string => `(
  select to_timestamp(60.0 * given.minute) as at, given.price::numeric as price
  from earlier_prices cross join lateral unnest(minutes, prices) as given (minute, price)
  where market_condition_id = ${condition}
)`
