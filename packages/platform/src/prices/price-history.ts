import type { EntityManager } from '@mikro-orm/postgresql'

/** Lengths in minutes of the intervals that history is rolled up to. */
export const ROLLED = [5, 60, 1440] as const

/** The displayed price of Yes at a time, in steps of 0.0001. */
export interface NotedPrice {
  condition_id: string
  at: Date
  price: number
}

/**
 * Stores displayed prices by the minute, keeping the last of each, and updates the rollups that contain them. An unchanged price adds no
 * point. Points may arrive late without disturbing later ones.
 */
export async function notePrices(em: EntityManager, prices: readonly NotedPrice[]): Promise<void> {
  if (prices.length === 0) return
  const noted: { condition_id: string; minute: string }[] = await em.execute(NOTE, [JSON.stringify(prices)])
  if (noted.length > 0) await em.execute(ROLL, [JSON.stringify(noted), JSON.stringify(ROLLED)])
}

const NOTE = `
  with given as (
    select distinct on (condition_id, minute) condition_id, minute, price
    from jsonb_to_recordset(?::jsonb) as given (condition_id text, at timestamptz, price numeric)
    cross join lateral (select date_trunc('minute', at, 'UTC') as minute) truncated
    order by condition_id, minute, at desc
  ), compared as (
    select given.*, coalesce(lag(price) over (partition by condition_id order by minute), (
      select before.price from price_point before
      where before.market_condition_id = condition_id and before.minute < given.minute order by before.minute desc limit 1
    )) as before
    from given
  )
  insert into price_point as point (market_condition_id, minute, price)
  select condition_id, minute, price from compared
  where price is distinct from before
    or exists (select from price_point same where same.market_condition_id = condition_id and same.minute = compared.minute)
  on conflict (market_condition_id, minute) do update set price = excluded.price where point.price <> excluded.price
  returning market_condition_id as condition_id, minute`

// A statement of its own, so that it sees the points just written.
const ROLL = `
  with stretch as (
    select distinct condition_id, length, date_bin(length * interval '1 minute', minute, '2000-01-01Z') as start
    from jsonb_to_recordset(?::jsonb) as noted (condition_id text, minute timestamptz)
    cross join (select value::int as length from jsonb_array_elements_text(?::jsonb)) lengths
  )
  insert into price_rollup as rolled (market_condition_id, minutes, start, price)
  select condition_id, length, start, last.price
  from stretch cross join lateral (
    select price from price_point
    where market_condition_id = condition_id and minute >= start and minute < start + length * interval '1 minute'
    order by minute desc limit 1
  ) last
  on conflict (market_condition_id, minutes, start) do update set price = excluded.price where rolled.price <> excluded.price`

/**
 * Sets the price of resolved markets to what a share pays and ends their history with it. Handles at most `most` markets; returns how many.
 */
export async function settlePrices(em: EntityManager, now: Date, most: number): Promise<number> {
  const settled: { condition_id: string; price: number }[] = await em.execute(SETTLE, [most])
  await notePrices(
    em,
    settled.map((row) => ({ ...row, at: now })),
  )
  return settled.length
}

const SETTLE = `
  with resolved as (
    select condition_id from market where is_resolved and not price_is_final order by condition_id limit ? for no key update
  )
  update market set price = weight, price_is_final = true, best_bid = null, best_ask = null, liquidity = 0, updated_at = now()
  from resolved where market.condition_id = resolved.condition_id
  returning market.condition_id, market.price`
