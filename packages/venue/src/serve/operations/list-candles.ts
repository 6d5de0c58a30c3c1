import { CANDLE_MINUTES, type Candle, type CandlesQuery } from '@augury/wire/price-history'
import type { Visitor } from '../access/identity.ts'
import type { Context } from './context.ts'
import { tokenOf } from './get-books.ts'

const MINUTE = 60_000

/** Candles of a token, oldest first; the last may still change. Throws `unknown_token`. */
export async function listCandles(ctx: Context, _: Visitor, { query }: { query: CandlesQuery }): Promise<{ candles: Candle[] }> {
  const { market, interval, endTs, limit } = query
  const { condition, outcome } = tokenOf(ctx, market)
  const minutes = CANDLE_MINUTES[interval]
  const step = minutes * MINUTE
  const end = Math.min(endTs === undefined ? ctx.venue.now() : endTs * 1000, ctx.venue.now())
  const last = end - (end % step)
  const range = { from: Math.max(0, last - (limit - 1) * step), to: last + step, minutes }
  const found = await ctx.venue.readModel.candles(condition, outcome, range)
  return { candles: found.map(({ at, ...candle }) => ({ t: at / 1000, ...candle })) }
}
