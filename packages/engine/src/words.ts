import type { Hex } from './command.ts'
import { hexOf, readHex } from './hex.ts'

/** The shared empty array: most orders have no annex. */
export const NO_BYTES = new Uint8Array(0)

/** Thrown on bytes that are not a valid encoding. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError'
}

/** Appends 32-bit words to a buffer that is reused. */
export class WordWriter {
  words = new Uint32Array(1024)
  length = 0
  #bytes = Buffer.from(this.words.buffer)

  /** A copy of what was appended, as bytes. */
  copy(): Uint8Array {
    const copy = Buffer.allocUnsafe(this.length * 4) // from Node's pool when short: six times as fast as allocating
    this.#bytes.copy(copy, 0, 0, copy.length)
    return copy
  }

  word(value: number): void {
    if (value >>> 0 !== value) throw new RangeError(`not a 32-bit number: ${value}`)
    this.#reserve(1)
    this.words[this.length++] = value
  }

  /** A non-negative safe integer in two words, low first. */
  integer(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a count: ${value}`)
    this.word(value >>> 0)
    this.word(Math.floor(value / 0x1_0000_0000))
  }

  /** A `0x` text of `width` words. */
  key(hex: Hex, width: number): void {
    this.#reserve(width)
    if (!readHex(hex, this.words, this.length, width)) throw new RangeError(`not ${width * 4} bytes of hex: ${hex}`)
    this.length += width
  }

  /** A length in bytes, then the bytes, padded with zeros to whole words. */
  bytes(value: Uint8Array): void {
    this.word(value.length)
    if (value.length === 0) return
    const width = (value.length + 3) >>> 2
    this.#reserve(width)
    this.words[this.length + width - 1] = 0
    new Uint8Array(this.words.buffer, this.length * 4, value.length).set(value)
    this.length += width
  }

  #reserve(count: number): void {
    if (this.length + count <= this.words.length) return
    const larger = new Uint32Array(Math.max(this.words.length * 2, this.length + count))
    larger.set(this.words)
    this.words = larger
    this.#bytes = Buffer.from(larger.buffer)
  }
}

/** Reads 32-bit words up to a bound. Throws `DecodeError` on anything malformed. */
export class WordReader {
  readonly words: Uint32Array
  at: number
  readonly end: number

  constructor(words: Uint32Array, at: number, end: number) {
    this.words = words
    this.at = at
    this.end = end
  }

  /** Skips `count` words; returns the index of the first. */
  skip(count: number): number {
    const from = this.at
    if (from + count > this.end) throw new DecodeError(`ends ${from + count - this.end} words too early`)
    this.at = from + count
    return from
  }

  word(): number {
    return this.words[this.skip(1)]!
  }

  integer(): number {
    const from = this.skip(2)
    const high = this.words[from + 1]!
    if (high > 0x1f_ffff) throw new DecodeError('a count beyond 2^53')
    return this.words[from]! + high * 0x1_0000_0000
  }

  key(width: number): Hex {
    return hexOf(this.words, this.skip(width), width)
  }

  bytes(limit: number): Uint8Array {
    const length = this.word()
    if (length > limit) throw new DecodeError(`${length} bytes where ${limit} are allowed`)
    const from = this.skip((length + 3) >>> 2)
    if (length === 0) return NO_BYTES
    if (length % 4 !== 0 && this.words[this.at - 1]! >>> ((length % 4) * 8) !== 0) throw new DecodeError('padding is not zero')
    const start = this.words.byteOffset + from * 4
    return new Uint8Array(this.words.buffer, start, length).slice() as Uint8Array
  }
}

/** The words of a row's bytes; copied only when they do not lie on a word boundary. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  if (bytes.length % 4 !== 0) throw new DecodeError('not whole words')
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes) // a Buffer's slice would be the same memory
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4)
}
