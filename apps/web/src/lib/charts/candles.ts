import { ONE } from '@augury/units/price'
import type { Point } from './lines.ts'

/** Minutes of the intervals of candles. */
export const INTERVALS = { '1m': 1, '5m': 5, '1h': 60, '4h': 240, '1d': 1440 } as const
export type Interval = keyof typeof INTERVALS

/** A candle as it is drawn: prices in steps of the shown token, time in Unix seconds; `lots` is 0 where it is a sample. */
export interface DrawnCandle {
  t: number
  open: number
  high: number
  low: number
  close: number
  lots: number
}

/**
 * Candles of the prices of Yes that a chart shows from before the exchange had any: what stood at the begin of an interval, the extremes within,
 * and its last. They end before the interval of `until`, in Unix milliseconds.
 */
export function sampleCandles(points: readonly Point[], until: number, minutes: number, shown: 0 | 1): DrawnCandle[] {
  const step = minutes * 60
  const candles: DrawnCandle[] = []
  for (const { t, p } of points) {
    if (t > until) break
    const price = Math.round((shown === 0 ? p : 1 - p) * ONE)
    const at = Math.floor(t / 1000 / step) * step
    const last = candles.at(-1)
    if (last?.t === at) Object.assign(last, { high: Math.max(last.high, price), low: Math.min(last.low, price), close: price })
    else {
      const open = last?.close ?? price
      candles.push({ t: at, open, high: Math.max(open, price), low: Math.min(open, price), close: price, lots: 0 })
    }
  }
  return candles
}

/** Candles of both kinds in the order of time: what was traded in an interval stands in place of its sample. */
export function joined(sample: readonly DrawnCandle[], traded: readonly DrawnCandle[]): DrawnCandle[] {
  const first = traded[0]?.t ?? Number.POSITIVE_INFINITY
  return [...sample.filter(({ t }) => t < first), ...traded]
}
