import { formatDecimal } from '@augury/units/decimal'
import { LOTS_PER_SHARE } from '@augury/units/lots'
import { m } from '#lib/paraglide/messages.js'
import { getLocale } from '#lib/paraglide/runtime.js'
import { directionOf } from './locale.ts'
import { perLocale } from './per-locale.ts'

const MINUS = '\u2212'
/** Isolates a figure as left-to-right in right-to-left text. */
export const leftToRight = (figure: string) => (directionOf(getLocale()) === 'rtl' ? `\u2066${figure}\u2069` : figure)

/** In right-to-left languages the currency sign goes first, as for prices: "$12". A trailing sign would be separated from its figure. */
export const dollarsWith = (options: Intl.NumberFormatOptions) => {
  const format = perLocale((tag) => {
    const from = directionOf(getLocale()) === 'rtl' ? 'en' : tag
    return new Intl.NumberFormat(from, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', ...options })
  })
  return (usdc: number | `${number}`) => format().format(usdc)
}
const whole = perLocale((tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: 0 }))
const dollars = dollarsWith({})
const wholeDollars = dollarsWith({ maximumFractionDigits: 0 })
const compactDollars = dollarsWith({ notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 })
const preciseDollars = dollarsWith({ maximumFractionDigits: 6 })
const quantity = perLocale((tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: 2 }))
const tenth = perLocale((tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: 1 }))
const fraction = perLocale((tag) => new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1 }))

/** What stands before the fraction of a number: a point, or a comma. */
export const decimalPoint = perLocale((tag) => new Intl.NumberFormat(tag).format(1.5).slice(1, -1))
/** Adds the cent sign, which is the same in every language, and localises the decimal point. */
const inCents = (text: string) => leftToRight(`${text.replace('.', decimalPoint())}¢`)

/** A price in steps as cents: "53¢", "53.4¢". With a grid, with all decimals of the grid, so that columns line up. */
export function cents(steps: number, grid?: number): string {
  if (grid === undefined) return inCents(formatDecimal(steps, 2))
  const decimals = grid % 100 === 0 ? 0 : grid % 10 === 0 ? 1 : 2
  return inCents((steps / 100).toFixed(decimals))
}

/** Converts a price between 0 and 1, as in the platform's lists, to steps of 0.0001. */
export const steps = (price: number): number => Math.round(price * 10_000)

/** Percent as a displayed price has it, in halves of a step: a chart's 0.285 times 100 is a little less than 28.5. */
const inHalfSteps = (percent: number): number => Math.round(percent * 200) / 200

/** A probability in percent: "53%", "<1%", ">99%", and "0%" or "100%" of what is decided, as no order has such a price; a dash if unknown. */
export function chance(percent: number | null): string {
  if (percent === null) return '–'
  const exact = inHalfSteps(percent)
  const isDecided = percent === 0 || percent === 100
  if (exact < 1 && !isDecided) return leftToRight('<1%')
  if (exact > 99 && !isDecided) return leftToRight('>99%')
  return leftToRight(`${whole().format(exact)}%`)
}

/** Percentage points gained or lost: "▲4", "▼12"; empty below half a point. */
export function swing(points: number): string {
  const whole = wholePoints(points)
  return whole === 0 ? '' : leftToRight(`${whole > 0 ? '▲' : '▼'}${Math.abs(whole)}`)
}

/** Points rounded away from zero, whichever way a chance went. */
export const wholePoints = (points: number): number => Math.sign(points) * Math.round(inHalfSteps(Math.abs(points)))

/**
 * Money in dollars, the one way in which the site shows it: "$1,234.56", "−$5.00"; half a cent is rounded away from zero, and what is less than
 * that and not zero is "<1¢". Exact figures are in files, details and answers to programs.
 */
export const money = (usdc: number): string => leftToRight(`${usdc < 0 && micros(usdc) < 0 ? MINUS : ''}${absolute(usdc)}`)

const micros = (usdc: number): number => Math.round(usdc * 1_000_000)
/** Rounds by millionths, as the floating-point number of $1.005 is a little less. */
const absolute = (usdc: number): string => {
  const exact = Math.abs(micros(usdc))
  return exact > 0 && exact < 5_000 ? '<1¢' : dollars(Math.round(exact / 10_000) / 100)
}

/** Millionths that can be spent, in dollars: a cent that is not all there could not be typed where it is asked for. */
export const spendable = (micros: number): string => money(Math.floor(micros / 10_000) / 100)

/** Millionths in dollars exactly, for details: "$25.00", "$1,234.5678". */
export const exactMoney = (micros: number | string): string =>
  leftToRight(`${Number(micros) < 0 ? MINUS : ''}${preciseDollars(formatDecimal(Math.abs(Number(micros)), 6) as `${number}`)}`)

/** Volume in dollars, short: "$1.2M", "$940". */
export const volume = (usdc: number): string => leftToRight((Math.round(usdc) < 1000 ? wholeDollars : compactDollars)(Math.round(usdc)))

/** A gain or loss in dollars with its sign: "+$12.30", "−$0.50"; what is rounded to zero has none. */
export const gain = (usdc: number): string => (signOf(usdc, 100) === '' ? money(0) : booked(usdc))

/** A change of cash in dollars with its sign: "+$25.00", "−$10.01", "+<1¢"; zero has none. */
export const booked = (usdc: number): string => leftToRight(`${signOf(usdc, 1_000_000)}${absolute(usdc)}`)

/** CSS class of a gain or loss; empty for zero. */
export const gainSide = (usdc: number): 'yes' | 'no' | '' => ({ '+': 'yes', [MINUS]: 'no', '': '' })[signOf(usdc, 100)] as 'yes' | 'no' | ''

/** Sign of a figure rounded to 1/`parts`; empty if it rounds to zero. */
const signOf = (value: number, parts: number): string => (Math.round(Math.abs(value) * parts) === 0 ? '' : value < 0 ? MINUS : '+')

/** Lots as shares, two decimals at most, trimmed: "1,250.5". */
export const shares = (lots: number): string => quantity().format(lots / LOTS_PER_SHARE)

/** Lots as a message by number takes shares: "1 share", "1.5 shares". */
export const countedShares = (lots: number): { count: number; n: string } => ({ count: lots / LOTS_PER_SHARE, n: shares(lots) })

/** A whole number: "1,280". */
export const integer = (n: number): string => whole().format(n)

/** A number with one decimal: "12.0". */
export const tenths = (n: number): string => fraction().format(n)

/** Best ask less best bid, and its part of the middle: "1¢ (1.9%)". Null for a side without orders. */
export function spread(bid: number | null, ask: number | null): string {
  if (bid === null || ask === null) return m.spread_none()
  const gap = ask - bid
  return `${cents(gap)} (${leftToRight(`${fraction().format((gap * 200) / (ask + bid))}%`)})`
}

/** Arguments of a message with plural forms: the number, and its formatted text. */
export const counted = (count: number): { count: number; n: string } => ({ count, n: integer(count) })

/** A fraction as percent with at most one decimal: "4.1%". */
export const percentOf = (part: number): string => leftToRight(`${tenth().format(part * 100)}%`)

/** An average price in hundredths of a step as cents, to a hundredth of one: "53.33¢". */
export const preciseCents = (hundredths: number): string => inCents(formatDecimal(Math.round(hundredths / 100), 2))

/** A relative change as percent with its sign: "+4.1%", "−0.8%". */
export const percentChange = (part: number): string => leftToRight(`${signOf(part, 1000)}${tenth().format(Math.abs(part * 100))}%`)
