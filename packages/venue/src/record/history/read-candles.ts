import type { Hex } from '@augury/engine/command'
import { ONE } from '@augury/units/price'
import type pg from 'pg'
import { toBytes } from '../../base/postgres.ts'

const MINUTE = 60_000

/** The trades of a token within an interval: prices in its steps, lots, and millionths of a USDC. `at` is in engine milliseconds. */
export interface CandleRecord {
  at: number
  open: number
  high: number
  low: number
  close: number
  lots: number
  volume: number
  trades: number
}

/**
 * Reads the candles of a token that begin in `[from, to)`, engine milliseconds, oldest first. Intervals of `minutes` begin at multiples of their
 * length; those without trades are left out.
 */
export async function readCandles(
  { pool, stream }: { pool: pg.Pool; stream: string },
  condition: Hex,
  outcome: 0 | 1,
  { from, to, minutes }: { from: number; to: number; minutes: number },
): Promise<CandleRecord[]> {
  const { rows } = await pool.query<CandleRecord>({
    name: 'candles',
    text: CANDLES,
    values: [stream, toBytes(condition), from, to, minutes * MINUTE],
  })
  if (outcome === 0) return rows
  // What is paid for No is what Yes leaves of one.
  return rows.map((row) => ({ ...row, open: ONE - row.open, high: ONE - row.low, low: ONE - row.high, close: ONE - row.close }))
}

const CANDLES = `
  select at, (array_agg(open order by minute))[1] as open, max(high) as high, min(low) as low,
    (array_agg(close order by minute desc))[1] as close,
    sum(lots)::int8 as lots, sum(volume)::int8 as volume, sum(trades)::int8 as trades
  from price_point cross join lateral (select minute - minute % $5::int8 as at) interval
  where stream = $1 and condition_id = $2 and minute >= $3 and minute < $4
  group by at order by at`
