import type { Hex } from './command.ts'
import { hexOf } from './hex.ts'

const ROWS = 32

/**
 * Finds a table's row by a key of fixed width (an address, a hash), kept as 32-bit words in a column of its own. Open
 * addressing with removal by shifting back, so a long life leaves no tombstones. A bucket holds a row and, in the bits
 * above it, those of the key's hash, so most other keys are skipped without reading them. Only `keys` is state; the buckets are derived.
 */
export class KeyIndex {
  /** 32-bit words of a key. */
  readonly width: number
  keys: Uint32Array
  #buckets: Int32Array
  #texts: (Hex | undefined)[] = []

  constructor(width: number) {
    this.width = width
    this.keys = new Uint32Array(ROWS * width)
    this.#buckets = new Int32Array(ROWS * 2)
  }

  /** The row of the key that starts at `words[at]`, or 0. */
  find(words: Uint32Array, at: number): number {
    const buckets = this.#buckets
    const mask = buckets.length - 1
    const rows = mask >>> 1
    const h = hash(words, at, this.width)
    let bucket = h & mask
    for (let entry = buckets[bucket]!; entry !== 0; entry = buckets[bucket]!) {
      const row = entry & rows
      if ((entry ^ row) === (h & ~rows) && this.#is(row, words, at)) return row
      bucket = (bucket + 1) & mask
    }
    return 0
  }

  #is(row: number, words: Uint32Array, at: number): boolean {
    const { width, keys } = this
    const from = row * width
    let i = 0
    while (i < width && keys[from + i] === words[at + i]) i++
    return i === width
  }

  /** Gives a row its key. The key must be new. */
  insert(row: number, words: Uint32Array, at: number): void {
    const { width, keys } = this
    const from = row * width
    for (let i = 0; i < width; i++) keys[from + i] = words[at + i]!
    this.#link(row)
  }

  #link(row: number): void {
    const buckets = this.#buckets
    const mask = buckets.length - 1
    const h = this.#hash(row)
    let bucket = h & mask
    while (buckets[bucket] !== 0) bucket = (bucket + 1) & mask
    buckets[bucket] = (h & ~(mask >>> 1)) | row
  }

  #hash(row: number): number {
    return hash(this.keys, row * this.width, this.width)
  }

  /** Removes a row's key. */
  remove(row: number): void {
    const buckets = this.#buckets
    const mask = buckets.length - 1
    const rows = mask >>> 1
    this.#texts[row] = undefined
    let hole = this.#hash(row) & mask
    while ((buckets[hole]! & rows) !== row) hole = (hole + 1) & mask
    for (let bucket = (hole + 1) & mask; buckets[bucket] !== 0; bucket = (bucket + 1) & mask) {
      const home = this.#hash(buckets[bucket]! & rows) & mask
      if (((bucket - home) & mask) >= ((bucket - hole) & mask)) {
        buckets[hole] = buckets[bucket]!
        hole = bucket
      }
    }
    buckets[hole] = 0
  }

  /** Doubles the capacity. */
  grow(): void {
    const keys = new Uint32Array(this.keys.length * 2)
    keys.set(this.keys)
    this.keys = keys
    const used = new Uint8Array(keys.length / this.width)
    const rows = (this.#buckets.length >>> 1) - 1
    for (const entry of this.#buckets) used[entry & rows] = 1
    this.#buckets = new Int32Array(this.#buckets.length * 2)
    // In the order of rows, because the keys are read one after the other then.
    for (let row = 1; row < used.length; row++) if (used[row] === 1) this.#link(row)
  }

  /** Rebuilds the buckets from the keys of exactly these rows. */
  rebuild(rows: number[]): void {
    this.#buckets = new Int32Array((this.keys.length / this.width) * 2)
    this.#texts = []
    for (const row of rows) this.#link(row)
  }

  /** The key of a row as text. */
  text(row: number): Hex {
    return hexOf(this.keys, row * this.width, this.width)
  }

  /** The key of a row as text, cached: for tables whose rows are named often and never removed in bulk. */
  name(row: number): Hex {
    this.#texts[row] ??= this.text(row)
    return this.#texts[row]
  }
}

/** Hashes the first and last two words: enough for keys that are hashes and addresses, and the multiplications run in parallel. */
function hash(words: Uint32Array, at: number, width: number): number {
  const last = at + width - 1
  const first = Math.imul(words[at]!, 0x9e3779b1) ^ Math.imul(words[at + 1]!, 0x85ebca6b)
  let h = first ^ Math.imul(words[last - 1]!, 0xc2b2ae35) ^ Math.imul(words[last]!, 0x27d4eb2f)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  return h ^ (h >>> 13)
}
