import type { Hex } from './command.ts'
import type { Refusal } from './event.ts'
import { readHex } from './hex.ts'
import type { KeyIndex } from './key-index.ts'
import type { Listener } from './listener.ts'

/** What a rule decides about a command: a refusal, or the function that applies it. Deciding only reads the state. */
export type Decision = Refusal | ((listener: Listener) => void)

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
