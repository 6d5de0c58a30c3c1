import { Columns, INITIAL_ROWS } from './columns.ts'

const BLOCK = 8

/**
 * An allocator of short runs of 32-bit words. A run takes one to six blocks of 8 words; freed runs are kept in a free list
 * for each length and used again.
 */
export class Arena extends Columns {
  words = new Uint32Array(INITIAL_ROWS * BLOCK)
  /** First free run of each length in blocks. */
  freeRuns = new Uint32Array(8)

  get capacity(): number {
    return this.words.length / BLOCK
  }

  /** Allocates `length` words; returns the index of the first in `words`. */
  allocate(length: number): number {
    const blocks = Math.ceil(length / BLOCK)
    const reused = this.freeRuns[blocks]!
    if (reused !== 0) {
      this.freeRuns[blocks] = this.words[reused]!
      return reused
    }
    while (this.used + blocks > this.capacity) this.grow()
    const at = this.used * BLOCK
    this.used += blocks
    return at
  }

  /** Frees a run of `length` words. */
  release(at: number, length: number): void {
    const blocks = Math.ceil(length / BLOCK)
    this.words[at] = this.freeRuns[blocks]!
    this.freeRuns[blocks] = at
  }
}
