import type { Hex } from './command.ts'
import type { Refusal, Refused } from './event.ts'
import { readHex } from './hex.ts'
import type { KeyIndex } from './key-index.ts'
import type { Listener } from './listener.ts'

/** What a rule decides about a command: a refusal, or the function that applies it. Deciding only reads the state. */
export type Decision = Refusal | Refused | ((listener: Listener) => void)

/** Refuses for lack of funds: `required` is more than what is `available`, beside what orders hold. */
export const lacking = (
  code: 'insufficient_balance' | 'insufficient_shares',
  available: number,
  reserved: number,
  required: number,
): Refused => ({ type: 'refused', code, details: { available, reserved, required }, state: null })

/** The answer that a refusal is. */
export const refusedBy = (refusal: Refusal | Refused): Refused =>
  typeof refusal === 'string' ? { type: 'refused', code: refusal, details: null, state: null } : refusal

const scratch = new Uint32Array(8)

/** The row of a `0x` key, or 0. */
export function rowOf(index: KeyIndex, hex: Hex): number {
  return readHex(hex, scratch, 0, index.width) ? index.find(scratch, 0) : 0
}

/** The words of a `0x` key of 20 or 32 bytes. Throws RangeError on anything else. */
export function keyWords(hex: Hex): Uint32Array {
  const width = (hex.length - 2) / 8
  const words = new Uint32Array(width)
  if (!readHex(hex, words, 0, width)) throw new RangeError(`not a key: ${hex}`)
  return words
}
