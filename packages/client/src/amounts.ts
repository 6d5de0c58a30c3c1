import { formatLots, formatPrice, formatUsdc, parseLots, parsePrice, parseUsdc } from '@augury/units/decimal'
import { LOTS_PER_SHARE } from '@augury/units/lots'
import { ONE } from '@augury/units/price'

/**
 * Prices, sizes and money as the exchange writes them, for programs that compute. Computed numbers go in, with the dust of binary fractions;
 * exact texts come out. Results that are texts go in again as they are.
 */

/** Where to round: `down` for bids and `up` for offers never gives away more than was meant. */
export type Rounding = 'down' | 'up' | 'nearest'

/** Computed numbers are exact to so many parts of one; what is beyond is the dust of binary fractions. */
const PRECISION = 1e8
const LOT = PRECISION / LOTS_PER_SHARE

const countOf = (value: number | string, what: string): number => {
  const count = Math.round(Number(value) * PRECISION)
  if (String(value).trim() === '' || !Number.isSafeInteger(count)) throw new RangeError(`not a ${what}: ${JSON.stringify(value)}`)
  return count
}

/**
 * The multiple of a market's tick at, below or above a computed price, at least one tick away from 0 and from 1. Throws a `RangeError` when it is
 * no number, or the tick none of the exchange's.
 */
export function roundPrice(value: number | string, tickSize: number | string, rounding: Rounding): string {
  const tick = countOf(tickSize, 'tick')
  const ticks = PRECISION / tick
  if (tick <= 0 || !Number.isInteger(ticks)) throw new RangeError(`not a tick: ${tickSize}`)
  const exact = countOf(value, 'price') / tick
  const rounded = rounding === 'down' ? Math.floor(exact) : rounding === 'up' ? Math.ceil(exact) : Math.round(exact)
  return formatPrice((Math.min(Math.max(rounded, 1), ticks - 1) * ONE) / ticks)
}

/** A computed number of shares, cut to hundredths. Throws a `RangeError` when it is no number, negative, or beyond what orders may have. */
export function roundSize(shares: number | string): string {
  const lots = Math.floor(countOf(shares, 'size') / LOT)
  if (lots < 0) throw new RangeError(`not a size: ${shares}`)
  return formatLots(lots)
}

/** What shares cost at a price, or bring, without the fee. Exact. */
export const costOf = (price: string, size: string): string => formatUsdc(parsePrice(price) * parseLots(size))

/** The shares that money buys at a price, without the fee, cut to hundredths. */
export const sizeFor = (usdc: string, price: string): string => formatLots(Math.floor(parseUsdc(usdc) / parsePrice(price)))

/** The same bet in terms of the other token: `0.42` of Yes is `0.58` of No. */
export const complementOf = (price: string): string => formatPrice(ONE - parsePrice(price))

/** Millionths, in which balances are answered, as a decimal: `1500000` is `1.5`. Exact, however many. */
export function formatMicros(micros: string): string {
  const digits = micros.padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}
