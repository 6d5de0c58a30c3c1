import { DecimalError, formatDecimal, parseDecimal } from '@augury/units/decimal'
import { ONE } from '@augury/units/price'
import { decimalPoint } from './numbers.ts'

/** What an Arabic or Persian keyboard writes of a number, as every other one writes it. */
const latinDigits = (text: string): string =>
  text.replace(/[٠-٩۰-۹٫٬٪]/g, (each) => ({ '٫': '.', '٬': ',', '٪': '%' })[each] ?? String(each.charCodeAt(0) & 15))

/** A code of digits as people type or paste it: "123 456" is "123456". */
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

/** What was typed as a count of 10^-places; null for what is no such number, or too exact. */
export function readTyped(text: string, places: number): number | null {
  try {
    return parseDecimal(plainNumber(text), places)
  } catch (error) {
    if (error instanceof DecimalError) return null
    throw error
  }
}

/** A price as people type it, in steps: "53", "53c", "53%" and ".53" are the same. What begins with "0.", "0," or "$" is of a dollar, unless it says ¢. */
export function readTypedPrice(typed: string): number | null {
  const text = latinDigits(typed)
  const ofDollar = /^\s*(\$|0?[.,])/.test(text) && !/[¢%c]/i.test(text)
  const steps = readTyped(text, ofDollar ? 4 : 2)
  return steps !== null && steps > 0 && steps < ONE ? steps : null
}

/** A count of 10^-places as a field writes it, with the decimal point of the language: "1000.5". */
export const writeTyped = (count: number, places: number): string => formatDecimal(count, places).replace('.', decimalPoint())

/** A price in steps as the price field writes it: "53.4¢". */
export const writePrice = (steps: number): string => `${writeTyped(steps, 2)}¢`

/** Lots as a field of shares writes them: "12.5". */
export const writeShares = (lots: number): string => writeTyped(lots, 2)

/** Millionths of a USDC as an amount field writes them, in whole cents, rounded down: "25.5". */
export const writeMoney = (micros: number): string => writeTyped(Math.floor(micros / 10_000), 2)
