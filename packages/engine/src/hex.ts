import type { Hex } from './command.ts'

/** No key is longer than eight words: 66 characters with the `0x`. */
const text = new Uint16Array(34)
const textBytes = Buffer.from(text.buffer)

const DIGITS = '0123456789abcdef'
const WRONG = 256
/** The value of a digit by its byte; WRONG for any other. */
const VALUES = Uint16Array.from({ length: 256 }, (_, byte) =>
  DIGITS.includes(String.fromCharCode(byte)) ? Number.parseInt(String.fromCharCode(byte), 16) : WRONG,
)
/** Both digits of a byte, as two characters that lie together in memory. */
const PAIRS = Uint16Array.from({ length: 256 }, (_, byte) => DIGITS.charCodeAt(byte >>> 4) | (DIGITS.charCodeAt(byte & 15) << 8))
const PREFIX = 0x7830

/** Key words as `0x` text. By table into memory that is used again, because every event names its orders. */
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

/** Writes a `0x` text of exactly `width` words at `words[at]`; false when the text is nothing of the kind, whatever was written then. */
export function readHex(hex: string, words: Uint32Array, at: number, width: number): boolean {
  if (hex.length !== 2 + width * 8 || textBytes.write(hex) !== hex.length || text[0] !== PREFIX) return false
  let seen = 0
  let from = 2
  for (let i = 0; i < width; i++) {
    let word = 0
    for (let shift = 0; shift < 32; shift += 8) {
      const byte = (VALUES[textBytes[from++]!]! << 4) | VALUES[textBytes[from++]!]!
      seen |= byte
      word |= byte << shift
    }
    words[at + i] = word
  }
  return seen < WRONG
}
