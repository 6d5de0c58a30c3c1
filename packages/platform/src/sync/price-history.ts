import type { EntityManager } from '@mikro-orm/postgresql'

/** Minutes of the stretches that history is rolled up to. */
export const ROLLED = [5, 60, 1440] as const

/**
 * Notes the displayed prices of markets in their minute and in the longer stretches it lies in: the last of a stretch stays. A price that
 * stands still needs no second point.
 */
export async function notePrices(em: EntityManager, seen: readonly { condition_id: string; price: number }[], now: Date): Promise<void> {
  if (seen.length === 0) return
  await em.execute(NOTE, [now, JSON.stringify(seen), JSON.stringify(ROLLED)])
}

const NOTE = `
  with point as (
    select seen.condition_id, date_trunc('minute', ?::timestamptz, 'UTC') as minute, seen.price
    from jsonb_to_recordset(?::jsonb) as seen (condition_id text, price numeric)
    left join lateral (
      select price from price_point where market_condition_id = seen.condition_id order by minute desc limit 1
    ) before on true
    where before.price is distinct from seen.price
  ), rolled as (
    insert into price_rollup (market_condition_id, minutes, start, price)
    select condition_id, length::smallint, date_bin(length * interval '1 minute', minute, '2000-01-01Z'), price
    from point cross join (select value::int as length from jsonb_array_elements_text(?::jsonb)) stretch
    on conflict (market_condition_id, minutes, start) do update set price = excluded.price
  )
  insert into price_point (market_condition_id, minute, price) select condition_id, minute, price from point
  on conflict (market_condition_id, minute) do update set price = excluded.price`

/** Gives resolved markets the price that a share pays, and their history its end. Returns how many there were. */
export async function settlePrices(em: EntityManager, now: Date, most: number): Promise<number> {
  const settled: { condition_id: string; price: number }[] = await em.execute(SETTLE, [most])
  await notePrices(em, settled, now)
  return settled.length
}

const SETTLE = `
  with resolved as (
    select condition_id from market where is_resolved and not price_is_final order by condition_id limit ? for no key update
  )
  update market set price = weight, price_is_final = true, best_bid = null, best_ask = null, liquidity = 0, updated_at = now()
  from resolved where market.condition_id = resolved.condition_id
  returning market.condition_id, market.price`
