import type { Hex } from './command.ts'

/** No key is longer than eight words: 66 characters with the `0x`. */
const text = new Uint16Array(34)
const textBytes = Buffer.from(text.buffer)

const DIGITS = '0123456789abcdef'
/** Both hex digits of a byte, as two adjacent characters. */
const PAIRS = Uint16Array.from({ length: 256 }, (_, byte) => DIGITS.charCodeAt(byte >>> 4) | (DIGITS.charCodeAt(byte & 15) << 8))
const WRONG = 256
/** The byte that two digits make, by the pair; WRONG for any other characters. */
const BYTES = new Uint16Array(0x1_0000).fill(WRONG)
PAIRS.forEach((pair, byte) => {
  BYTES[pair] = byte
})
const PREFIX = 0x7830

/** Key words as `0x` text, by table lookup into reused memory: every event names its orders, so this is hot. */
export function hexOf(words: Uint32Array, at: number, width: number): Hex {
  text[0] = PREFIX
  let to = 1
  for (let i = 0; i < width; i++) {
    const word = words[at + i]!
    text[to++] = PAIRS[word & 255]!
    text[to++] = PAIRS[(word >>> 8) & 255]!
    text[to++] = PAIRS[(word >>> 16) & 255]!
    text[to++] = PAIRS[word >>> 24]!
  }
  return textBytes.toString('latin1', 0, to * 2) as Hex
}

/** Writes a `0x` text of exactly `width` words at `words[at]`; returns false for any other text, and then what was written is undefined. */
export function readHex(hex: string, words: Uint32Array, at: number, width: number): boolean {
  if (hex.length !== 2 + width * 8 || textBytes.write(hex) !== hex.length || text[0] !== PREFIX) return false
  let seen = 0
  let from = 1
  for (let i = 0; i < width; i++) {
    const first = BYTES[text[from++]!]!
    const second = BYTES[text[from++]!]!
    const third = BYTES[text[from++]!]!
    const fourth = BYTES[text[from++]!]!
    seen |= first | second | third | fourth
    words[at + i] = first | (second << 8) | (third << 16) | (fourth << 24)
  }
  return seen < WRONG
}
