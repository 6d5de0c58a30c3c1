import { perLocale } from '#lib/language/per-locale.ts'
import { plainNumber } from '#lib/language/typed-number.ts'

/** Parses a typed amount to the smallest units of a token; null if it is invalid or has too many decimals. */
export function readUnits(text: string, decimals: number): bigint | null {
  const [, whole, fraction = ''] = /^(\d{1,30})(?:\.(\d+))?$/.exec(plainNumber(text)) ?? []
  return whole === undefined || fraction.length > decimals ? null : BigInt(whole + fraction.padEnd(decimals, '0'))
}

const readable = perLocale((tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: 6 }))

/** Formats smallest units with at most six decimals, truncated. */
export function formatUnits(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals, digits.length - decimals + Math.min(decimals, 6)).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return readable().format(`${BigInt(whole)}.${fraction || '0'}` as `${number}`)
}
