import type { Funds } from '@augury/wire/platform/portfolio'

const CENTS = 100
const MICROS = 1_000_000
const inCents = (usdc: number): number => Math.sign(usdc) * Math.round(Math.abs(usdc) * CENTS)

/** Rounds a sum in USDC and its parts to cents so that the rounded parts add up to the rounded sum: the largest part takes what is left over. */
export function addingUp(total: number, parts: readonly number[]): { total: number; parts: number[] } {
  const whole = inCents(total)
  const cents = parts.map(inCents)
  const rest = whole - cents.reduce((sum, part) => sum + part, 0)
  const sizes = parts.map(Math.abs)
  const largest = sizes.indexOf(Math.max(...sizes))
  return { total: whole / CENTS, parts: cents.map((part, n) => (part + (n === largest ? rest : 0)) / CENTS) }
}

/** What an account has and its parts as they are shown, in USDC; null while the cash is not known. */
export function shownFunds({ cash, value }: Funds): { total: number; held: number; free: number; kept: number } | null {
  if (!cash) return null
  const [balance, available] = [Number(cash.balance) / MICROS, Number(cash.available) / MICROS]
  const { total, parts } = addingUp(balance + value, [value, available, balance - available])
  return { total, held: parts[0]!, free: parts[1]!, kept: parts[2]! }
}
