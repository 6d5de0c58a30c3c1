import { type Lots, lots } from './lots.ts'
import { type Price, price } from './price.ts'
import { type Usdc, usdc } from './usdc.ts'

/** Thrown when a text is not an exact amount of the unit asked for. */
export class DecimalError extends Error {
  override readonly name = 'DecimalError'
  /** Whether it is exact, and only more than can be counted. */
  readonly isTooLarge: boolean

  constructor(message: string, { isTooLarge = false } = {}) {
    super(message)
    this.isTooLarge = isTooLarge
  }
}

const DECIMAL = /^(0|[1-9]\d{0,15})(?:\.(\d{1,18}))?$/

/**
 * The only place where text becomes an amount. Reads a plain decimal (no sign, exponent, or leading zeros)
 * as an integer count of 10^-places. Digits beyond `places` must be zero: nothing is ever rounded on the way in.
 * Throws a `DecimalError`.
 */
export function parseDecimal(text: string, places: number): number {
  const match = DECIMAL.exec(text)
  if (!match) throw new DecimalError(`not a decimal: ${JSON.stringify(text.slice(0, 40))}`)
  const fraction = match[2] ?? ''
  if (/[1-9]/.test(fraction.slice(places))) throw new DecimalError(`more than ${places} decimals: ${text}`)
  const count = Number(match[1] + fraction.slice(0, places).padEnd(places, '0'))
  if (!Number.isSafeInteger(count)) throw new DecimalError(`too large: ${text}`, { isTooLarge: true })
  return count
}

/** Writes an integer count of 10^-places as the shortest decimal: 5300 at 4 places is "0.53". Throws a `RangeError` on no safe integer. */
export function formatDecimal(count: number, places: number): string {
  if (!Number.isSafeInteger(count)) throw new RangeError(`not an integer amount: ${count}`)
  const sign = count < 0 ? '-' : ''
  const digits = String(Math.abs(count)).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '')
  return fraction ? `${sign}${whole}.${fraction}` : sign + whole
}

/** "0.53" → 5300 steps. Throws a `DecimalError`, also outside of 0.0001 … 0.9999. */
export function parsePrice(text: string): Price {
  const steps = parseDecimal(text, 4)
  if (steps < 1 || steps > 9999) throw new DecimalError(`a price lies between 0 and 1: ${text}`)
  return price(steps)
}
/** 5300 steps → "0.53". */
export const formatPrice = (k: number): string => formatDecimal(k, 4)

/** "12.34" shares → 1234 lots. Throws a `DecimalError`. */
export const parseLots = (text: string): Lots => lots(parseDecimal(text, 2))
/** 1234 lots → "12.34" shares. */
export const formatLots = (count: number): string => formatDecimal(count, 2)

/** "1.5" USDC → 1 500 000 millionths. Throws a `DecimalError`. */
export const parseUsdc = (text: string): Usdc => usdc(parseDecimal(text, 6))
/** 1 500 000 millionths → "1.5" USDC. */
export const formatUsdc = (micros: number): string => formatDecimal(micros, 6)
