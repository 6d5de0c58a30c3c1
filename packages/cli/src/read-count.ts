import { misuse } from './failure.ts'

/** The number that a flag says: a whole one from 1, up to the most that there may be. Throws a failure. */
export function readCount(text: string, flag: string, most = Number.POSITIVE_INFINITY): number {
  const count = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > most) throw misuse(`${flag} is a number from 1${Number.isFinite(most) ? ` to ${most}` : ''}`)
  return count
}
