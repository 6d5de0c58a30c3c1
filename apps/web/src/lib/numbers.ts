import { formatDecimal } from '@augury/units/decimal'
import { LOTS_PER_SHARE } from '@augury/units/lots'

const LOCALE = 'en'
const MINUS = '\u2212'

const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 })
const dollars = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD' })
const wholeDollars = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const compactDollars = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  minimumFractionDigits: 0,
  maximumFractionDigits: 1,
})
const quantity = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 })

/** A price in steps as cents: "53¢", "53.4¢". With a grid, as many decimals as the grid has, so that a column lines up. */
export function cents(steps: number, grid?: number): string {
  const text = formatDecimal(steps, 2)
  if (grid === undefined) return `${text}¢`
  const decimals = grid % 100 === 0 ? 0 : grid % 10 === 0 ? 1 : 2
  return `${(steps / 100).toFixed(decimals)}¢`
}

/** A price between 0 and 1, as the platform's lists carry it, in steps of 0.0001. */
export const steps = (price: number): number => Math.round(price * 10_000)

/** A probability in percent as people say it: "53%", "<1%", ">99%"; a dash for one that is not known. */
export function chance(percent: number | null): string {
  if (percent === null) return '–'
  if (percent < 1) return '<1%'
  if (percent > 99) return '>99%'
  return `${whole.format(percent)}%`
}

/** Money in dollars: "$1,234.56". */
export const money = (usdc: number): string => dollars.format(usdc)

/** Volume in dollars, short: "$1.2M", "$940". */
export const volume = (usdc: number): string => (Math.round(usdc) < 1000 ? wholeDollars : compactDollars).format(Math.round(usdc))

/** A gain or a loss in dollars with its sign: "+$12.30", "−$0.50". */
export const gain = (usdc: number): string => `${usdc < 0 ? MINUS : '+'}${dollars.format(Math.abs(usdc))}`

/** Lots as shares, two decimals at most, trimmed: "1,250.5". */
export const shares = (lots: number): string => quantity.format(lots / LOTS_PER_SHARE)

/** Best ask less best bid, and its part of the middle: "1¢ (1.9%)". Null for a side without orders. */
export function spread(bid: number | null, ask: number | null): string {
  if (bid === null || ask === null) return 'no two-sided market'
  const gap = ask - bid
  return `${cents(gap)} (${((gap * 200) / (ask + bid)).toFixed(1)}%)`
}

/** A count with its noun: "1 market", "128 markets". */
export const count = (n: number, noun: string): string => `${whole.format(n)} ${noun}${n === 1 ? '' : 's'}`
