import { misuse } from './failure.ts'

/** Parses the value of a flag as an integer from 1 to `most`. Throws a failure. */
export function readCount(text: string, flag: string, most = Number.POSITIVE_INFINITY): number {
  const count = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > most) throw misuse(`${flag} is a number from 1${Number.isFinite(most) ? ` to ${most}` : ''}`)
  return count
}
