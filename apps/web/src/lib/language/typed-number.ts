import { DecimalError, formatDecimal, parseDecimal } from '@augury/units/decimal'
import { ONE } from '@augury/units/price'
import { m } from '#lib/paraglide/messages.js'
import { cents, decimalPoint } from './numbers.ts'

/** Converts Arabic and Persian digits and separators to Latin ones. */
const latinDigits = (text: string): string =>
  text.replace(/[٠-٩۰-۹٫٬٪]/g, (each) => ({ '٫': '.', '٬': ',', '٪': '%' })[each] ?? String(each.charCodeAt(0) & 15))

/** Normalises a typed code of digits: "123 456" becomes "123456". */
export const typedCode = (text: string): string => latinDigits(text).replace(/\s/g, '')

/**
 * A number as people type it, in a plain decimal: "$1,000" is "1000", "25,5" is "25.5", "1.000,5" is "1000.5", ".5" is "0.5". Where a mark
 * before three digits may part thousands or begin a fraction, it is what the language of the page has it for. What is no number stays none.
 */
export function plainNumber(text: string): string {
  const bare = latinDigits(text).replace(/[\s$¢%c]/gi, '')
  if (!/\d/.test(bare)) return ''
  const [dot, comma] = [bare.lastIndexOf('.'), bare.lastIndexOf(',')]
  const thousands = decimalPoint() === ',' ? '.' : ','
  const isCertain = bare.split(/[.,]/).length > 2
  const grouped = /^[1-9]\d{0,2}([.,]\d{2,3})*[.,]\d{3}$/.test(bare) && (isCertain || bare.includes(thousands))
  const point = dot >= 0 && comma >= 0 ? (dot > comma ? '.' : ',') : grouped ? '' : dot >= 0 ? '.' : ','
  const dotted = [...bare].map((each) => (each === point ? '.' : each === '.' || each === ',' ? '' : each)).join('')
  const [whole = '', fraction, ...more] = dotted.split('.')
  if (more.length > 0) return dotted
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  return fraction === undefined || fraction === '' ? digits : `${digits}.${fraction}`
}

/** Parses a typed number as a count of 10^-places; null if it is invalid or has too many decimals. */
export function readTyped(text: string, places: number): number | null {
  try {
    return parseDecimal(plainNumber(text), places)
  } catch (error) {
    if (error instanceof DecimalError) return null
    throw error
  }
}

/** Why a typed amount cannot be read, in words; empty where it can, and before there is a letter or digit. */
export function amountProblem(text: string, places: number): string {
  if (readTyped(text, places) !== null || !/[\p{L}\p{N}]/u.test(text)) return ''
  const isTooLarge = Number(plainNumber(text)) * 10 ** places > Number.MAX_SAFE_INTEGER
  return isTooLarge ? m.amount_too_large() : m.amount_unreadable({ n: places })
}

/** A typed price in steps of 0.0001, each in 10^finer parts; null if it is none. */
function typedPrice(typed: string, finer: number): number | null {
  const text = latinDigits(typed)
  const ofDollar = /^\s*(\$|0?[.,])/.test(text) && !/[¢%c]/i.test(text)
  const parts = readTyped(text, (ofDollar ? 4 : 2) + finer)
  return parts !== null && parts > 0 && parts < ONE * 10 ** finer ? parts : null
}

/**
 * Parses a typed price to steps: "53", "53c", "53%" and ".53" are the same. Texts starting with "0.", "0," or "$" are in dollars unless they
 * have ¢.
 */
export const readTypedPrice = (typed: string): number | null => typedPrice(typed, 0)

/** Why a text cannot become a price of a market with that grid, in words: it lies between two steps, or beyond the lowest and the highest. */
export const priceProblem = (text: string, grid: number): string =>
  typedPrice(text, 6) !== null
    ? m.ticket_off_grid({ step: cents(grid) })
    : m.ticket_bad_price({ least: cents(grid), most: cents(ONE - grid) })

/** Whether a text cannot become a price any more: "150" cannot, "0." still may. */
export const isNoPrice = (text: string): boolean => readTypedPrice(text) === null && /[\p{L}\p{N}]/u.test(text.replace(/[0٠۰]/g, ''))

/** Formats a count of 10^-places for a field, with the language's decimal point: "1000.5". */
export const writeTyped = (count: number, places: number): string => formatDecimal(count, places).replace('.', decimalPoint())

/** Formats a price in steps for the price field: "53.4¢". */
export const writePrice = (steps: number): string => `${writeTyped(steps, 2)}¢`

/** Formats lots for a field of shares: "12.5". */
export const writeShares = (lots: number): string => writeTyped(lots, 2)

/** Formats millionths of a USDC for an amount field, rounded down to cents: "25.5". */
export const writeMoney = (micros: number): string => writeTyped(Math.floor(micros / 10_000), 2)
