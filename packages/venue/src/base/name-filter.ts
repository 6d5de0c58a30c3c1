import type { Hex } from '@augury/engine/command'

/** Bits of one block: a cache line, so that a question costs one access to memory. */
const BLOCK_BITS = 512
const BLOCK_WORDS = BLOCK_BITS / 32
/** Four bits a name: with 11 million names one new name in 150 is taken for a known one, with 50 million one in three. */
const BITS_A_NAME = 4
/** 16 MiB. */
const BLOCKS = 2 ** 18

/**
 * A set of hashes (a blocked Bloom filter) of a fixed size that several threads share. It may take a hash that was never added for a known
 * one, the more often the fuller it is; one that was added it always knows.
 */
export class NameFilter {
  readonly memory: SharedArrayBuffer
  readonly #words: Int32Array

  /** Empty, or over the memory of another thread's. */
  constructor(memory = new SharedArrayBuffer(BLOCKS * BLOCK_WORDS * 4)) {
    this.memory = memory
    this.#words = new Int32Array(memory)
  }

  /** Adds a hash of 32 bytes whose digits are evenly spread. */
  add(hash: Hex): void {
    const block = blockOf(hash)
    let bits = bitsOf(hash)
    for (let n = 0; n < BITS_A_NAME; n++) {
      const bit = bits % BLOCK_BITS
      Atomics.or(this.#words, block + (bit >>> 5), 1 << (bit & 31))
      bits = Math.floor(bits / BLOCK_BITS)
    }
  }

  /** False only for a hash that was never added. */
  mayHave(hash: Hex): boolean {
    const block = blockOf(hash)
    let bits = bitsOf(hash)
    for (let n = 0; n < BITS_A_NAME; n++) {
      const bit = bits % BLOCK_BITS
      if ((Atomics.load(this.#words, block + (bit >>> 5)) & (1 << (bit & 31))) === 0) return false
      bits = Math.floor(bits / BLOCK_BITS)
    }
    return true
  }
}

/** First word of a hash's block, by its first 32 bits. */
const blockOf = (hash: Hex): number => (Number.parseInt(hash.slice(2, 10), 16) % BLOCKS) * BLOCK_WORDS
/** Its bits in the block, by the next 36. */
const bitsOf = (hash: Hex): number => Number.parseInt(hash.slice(10, 19), 16)
