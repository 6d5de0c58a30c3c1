import { notePrices } from '../src/prices/price-history.ts'
import type { Platform } from '../src/site/platform.ts'

/** Points as `[minutes after the start, percent]`. */
export type Points = [minutes: number, percent: number][]

/** Writes and reads the price history of a market, from a start in Unix milliseconds. */
export function pricePoints(platform: Platform, id: string, start: number) {
  const shown = (rows: { at: string; price: string }[]): Points =>
    rows.map(({ at, price }) => [(Number(at) * 1000 - start) / 60_000, Number(price) / 100])
  return {
    note: (points: Points) =>
      notePrices(
        platform.em(),
        points.map(([minutes, percent]) => ({ condition_id: id, at: new Date(start + minutes * 60_000), price: percent * 100 })),
      ),
    points: async () =>
      shown(await platform.em().execute('select extract(epoch from minute) as at, price from price_point order by minute')),
    rolled: async (minutes: number) =>
      shown(
        await platform
          .em()
          .execute('select extract(epoch from start) as at, price from price_rollup where minutes = ? order by start', [minutes]),
      ),
  }
}
