import { intlTag } from './locale.ts'
import { getLocale } from './paraglide/runtime.js'

/** What a price chart shows: a stretch of time and of price. */
export interface PriceFrame {
  from: number
  to: number
  low: number
  high: number
}

/** Side of the square in which the line is drawn; the picture stretches it. */
export const EXTENT = 1000

/** The frame around prices and the price to beat, with some air, up to the end of the window. */
export function priceFrame(points: readonly { t: number; p: number }[], toBeat: number | null, until: number): PriceFrame {
  const prices = [...points.map(({ p }) => p), ...(toBeat === null ? [] : [toBeat])]
  const low = Math.min(...prices)
  const high = Math.max(...prices)
  const air = Math.max((high - low) * 0.15, high * 0.0005)
  return { from: points[0]?.t ?? until - 1, to: Math.max(until, (points.at(-1)?.t ?? 0) + 1), low: low - air, high: high + air }
}

/** Percent from the left for a moment, and from the top for a price. */
export const acrossTime = ({ from, to }: PriceFrame, t: number): number => (100 * (t - from)) / (to - from)
export const downPrice = ({ low, high }: PriceFrame, p: number): number => (100 * (high - p)) / (high - low)

/** Prices as a line from point to point. */
export const priceLine = (frame: PriceFrame, points: readonly { t: number; p: number }[]): string =>
  points
    .map(({ t, p }, i) => `${i === 0 ? 'M' : 'L'}${(acrossTime(frame, t) * 10).toFixed(1)} ${(downPrice(frame, p) * 10).toFixed(1)}`)
    .join('')

/** A price of the underlying, with as many decimals as such prices have: "$64,120.50". */
export const quotePrice = (price: number): string =>
  new Intl.NumberFormat(intlTag(getLocale()), {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: price < 10 ? 4 : 2,
  }).format(price)

/** Time that is left, to the second within an hour: "02:14", "3:05:00". */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  const [h, min, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60]
  return h > 0 ? `${h}:${two(min)}:${two(s)}` : `${two(min)}:${two(s)}`
}
