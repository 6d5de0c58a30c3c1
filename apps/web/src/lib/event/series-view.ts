import { dollarsWith, leftToRight } from '#lib/language/numbers.ts'

/** The plotted range of time and of price. */
export interface PriceFrame {
  from: number
  to: number
  low: number
  high: number
}

/** Side of the square in which the line is drawn; the SVG stretches it. */
export const EXTENT = 1000

/** The frame around prices and the price to beat, with a margin, up to the end of the window. */
export function priceFrame(points: readonly { t: number; p: number }[], toBeat: number | null, until: number): PriceFrame {
  const prices = [...points.map(({ p }) => p), ...(toBeat === null ? [] : [toBeat])]
  const low = Math.min(...prices)
  const high = Math.max(...prices)
  const air = Math.max((high - low) * 0.15, high * 0.0005)
  return { from: points[0]?.t ?? until - 1, to: Math.max(until, (points.at(-1)?.t ?? 0) + 1), low: low - air, high: high + air }
}

/** Position of a time in percent from the left, and of a price from the top. */
export const acrossTime = ({ from, to }: PriceFrame, t: number): number => (100 * (t - from)) / (to - from)
export const downPrice = ({ low, high }: PriceFrame, p: number): number => (100 * (high - p)) / (high - low)

/** SVG path through the prices. */
export const priceLine = (frame: PriceFrame, points: readonly { t: number; p: number }[]): string =>
  points
    .map(({ t, p }, i) => `${i === 0 ? 'M' : 'L'}${(acrossTime(frame, t) * 10).toFixed(1)} ${(downPrice(frame, p) * 10).toFixed(1)}`)
    .join('')

/** Round prices of the three to five horizontal grid lines. */
export function gridPrices({ low, high }: PriceFrame): number[] {
  const step = roundStep((high - low) / 5)
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
}

/** The smallest of 1, 2 and 5 times a power of ten that is at least `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find((each) => each * power >= least * (1 - 1e-9)) ?? 10) * power
}

const MINUTE = 60_000
/** Possible intervals of an axis, in minutes. */
const PACES = [1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1440]

/** Round times for the axis: three to five, not so near the edges that labels would be cut off. */
export function gridTimes({ from, to }: PriceFrame): number[] {
  const pace = MINUTE * (PACES.find((each) => (to - from) / (each * MINUTE) <= 5) ?? PACES.at(-1)!)
  const edge = (to - from) * 0.06
  const first = Math.ceil((from + edge) / pace)
  const last = Math.floor((to - edge) / pace)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * pace)
}

const quoted = [2, 4].map((digits) => dollarsWith({ maximumFractionDigits: digits }))
const scaled = [0, 1, 2, 3, 4].map((digits) => dollarsWith({ minimumFractionDigits: digits, maximumFractionDigits: digits }))

/** A price of the underlying, with decimals according to its size: "$64,120.50". */
export const quotePrice = (price: number): string => leftToRight(quoted[price < 10 ? 1 : 0]!(price))

/** A price on the axis, with only the decimals that its range needs: "$64,100", "$3,412.5". */
export function gridPrice(price: number, { low, high }: PriceFrame): string {
  const digits = Math.max(0, -Math.floor(Math.log10(roundStep((high - low) / 5)) + 1e-9))
  return scaled[Math.min(digits, scaled.length - 1)]!(price)
}

/** Length of a window, in milliseconds, up to which it is drawn each second. */
const SHORT_MS = 15 * MINUTE

/** Whether a window is so short that a second counts. */
export const isShort = (start: number, end: number): boolean => end > start && end - start <= SHORT_MS

/** Continues a line up to a time at its last price, as that price stands until the next one: the line moves on with the clock. */
export function upToNow(points: readonly { t: number; p: number }[], now: number): { t: number; p: number }[] {
  const last = points.at(-1)
  return last && now > last.t ? [...points, { t: now, p: last.p }] : [...points]
}

/** The window after one, by their starts; null when it is the last one that is known. */
export function nextWindow<Window extends { event_slug: string; start: string }>(windows: readonly Window[], slug: string): Window | null {
  const sorted = windows.toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start))
  const at = sorted.findIndex(({ event_slug }) => event_slug === slug)
  return (at === -1 ? null : sorted[at + 1]) ?? null
}

/** Remaining time: "02:14", "3:05:00". */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  const [h, min, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60]
  return h > 0 ? `${h}:${two(min)}:${two(s)}` : `${two(min)}:${two(s)}`
}
