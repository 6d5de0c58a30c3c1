import { z } from 'zod'
import { alignDown, lengthOf } from './intervals.ts'
import { type Oracle, OracleError } from './oracle.ts'
import type { AskService } from './price-service.ts'

/** A price as text or number. An absurd one is accepted here, so that it does not cost the other windows of the answer. */
const price = z.coerce.number()
/** A candle as most exchanges give it: opening time, open, high, low, close, and more that is ignored. */
const candles = z.array(z.tuple([z.int().positive(), price, price, price, price]).rest(z.unknown())).max(2000)

/**
 * An exchange's candles. The address has places for `{symbol}`, `{interval}`, `{start}` and `{end}` (Unix milliseconds of the first and the
 * last opening). The close of a candle is the price at the end of its window, seen a millisecond before.
 */
export function candleOracle(name: string, template: string, ask: AskService): Oracle {
  const read = async (symbol: string, interval: string, start: number, end: number) => {
    const places: Record<string, string | number> = { symbol, interval, start, end }
    const url = template.replace(/\{(symbol|interval|start|end)\}/g, (_, place: string) => encodeURIComponent(places[place]!))
    const rows = await ask(url, candles)
    return rows.map(([opens, open, , , close]) => ({ opens, open, close }))
  }
  return {
    name,
    simulated: false,
    most: 500,
    async settled(symbol, interval, after, until) {
      const length = lengthOf(interval)
      const first = alignDown(after, interval)
      const last = alignDown(until, interval) - length
      if (last < first) return []
      const rows = await read(symbol, interval, first, last)
      const marks = new Map<number, number>()
      for (const { opens, close } of rows) {
        if (alignDown(opens, interval) !== opens) throw new OracleError(`a candle opens within a window: ${opens}`)
        if (opens >= first && opens <= last) marks.set(opens + length, close)
      }
      return [...marks].sort(([a], [b]) => a - b).map(([windowEnd, price]) => ({ windowEnd, price, sourceTimestamp: windowEnd - 1 }))
    },
    async live(symbol, interval, now) {
      const start = alignDown(now, interval)
      const row = (await read(symbol, interval, start, start)).find(({ opens }) => opens === start)
      return row ? { start, end: start + lengthOf(interval), openingPrice: row.open, price: row.close, timestamp: now } : null
    },
  }
}
