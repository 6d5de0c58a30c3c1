import { perLocale } from '#lib/language/per-locale.ts'
import { plainNumber } from '#lib/language/typed-number.ts'

/** An amount as people type it, in the smallest units of a token with so many decimals; null for what is no such number, or too exact. */
export function readUnits(text: string, decimals: number): bigint | null {
  const [, whole, fraction = ''] = /^(\d{1,30})(?:\.(\d+))?$/.exec(plainNumber(text)) ?? []
  return whole === undefined || fraction.length > decimals ? null : BigInt(whole + fraction.padEnd(decimals, '0'))
}

const readable = perLocale((tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: 6 }))

/** Smallest units as a number that people read: six places at most, cut off. */
export function formatUnits(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals, digits.length - decimals + Math.min(decimals, 6)).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return readable().format(`${BigInt(whole)}.${fraction || '0'}` as `${number}`)
}
