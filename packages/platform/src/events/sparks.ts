import { earlierOf } from '../prices/earlier-prices.ts'
import type { Platform } from '../site/platform.ts'
import { PRICED } from './priced.ts'

/** Points of a spark line, and the time it covers. */
const POINTS = 24
const WEEK_MS = 7 * 86_400_000

/**
 * Prices of Yes of markets over the last week in whole steps, up to 24 at equal distances, oldest first, by condition. A younger market has fewer;
 * one without a price, or with one alone, has none. One query for all.
 */
export async function sparks(platform: Platform, conditions: readonly string[]): Promise<Map<string, number[]>> {
  if (conditions.length === 0) return new Map()
  const name = `sparks ${conditions.map((id) => id.slice(2, 18)).join()}`
  const rows = await platform.lists.read(name, ['lists'], (): Promise<{ condition_id: string; n: number; price: string }[]> => {
    const start = new Date(platform.now().getTime() - WEEK_MS)
    return platform.em().execute(SPARKS, [start, `${WEEK_MS / POINTS} milliseconds`, JSON.stringify(conditions)])
  })
  const lines = new Map<string, number[]>()
  for (const [condition, points] of Map.groupBy(rows, (row) => row.condition_id)) {
    const line = held(points.map(({ n, price }) => [n, Math.round(Number(price))]))
    if (line.length > 1) lines.set(condition, line)
  }
  return lines
}

/** The price at each step up to the last: one holds until the next. */
function held(points: readonly [n: number, price: number][]): number[] {
  const prices = new Map(points)
  const line: number[] = []
  for (let n = 0; n < POINTS; n++) {
    const price = prices.get(n) ?? line.at(-1)
    if (price !== undefined) line.push(price)
  }
  return line
}

const SPARKS = `
  with asked as (select ?::timestamptz as start, ?::interval as step),
  point as (
    select condition_id, each.at, each.price
    from asked cross join market cross join lateral (
      (select minute as at, price from price_point where market_condition_id = condition_id and minute <= asked.start order by minute desc limit 1)
      union all
      (select rolled.start + interval '59 minutes', price from price_rollup rolled
       where market_condition_id = condition_id and minutes = 60 and rolled.start > asked.start - interval '1 hour')
      union all
      (select at, price from ${earlierOf('condition_id')} earlier where at >= asked.start - interval '6 hours')
    ) each
    where condition_id in (select jsonb_array_elements_text(?::jsonb)) and ${PRICED}
  )
  select distinct on (condition_id, n) condition_id, n, price
  from asked cross join point
  cross join lateral (select greatest(0, least(${POINTS - 1}, floor(extract(epoch from at - start) / extract(epoch from step))))::int as n) place
  order by condition_id, n, at desc`
