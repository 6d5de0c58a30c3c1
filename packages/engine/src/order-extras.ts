import { Arena } from './arena.ts'
import { NO_BYTES } from './words.ts'

/** What an order matched on arrival: lots, millionths without and of the fee, and how many fills that took. */
export interface FirstAnswer {
  matched: number
  cost: number
  totalFee: number
  fills: number
}

const NOTHING: FirstAnswer = { matched: 0, cost: 0, totalFee: 0, fills: 0 }
const FIRST_WORDS = 6
const HAS_FIRST = 0x1_0000
const LENGTH = 0xffff
const HALF = 0x1_0000_0000

/**
 * The optional parts of orders, which matching never reads: the annex, and what the order matched on arrival. A run is one head
 * word (length of the annex, whether a first answer follows), then the first answer, then the annex. Run 0 means neither.
 */
export class OrderExtras extends Arena {
  /** Keeps an order's extras; returns their run. */
  keep(words: Uint32Array, annexAt: number, annexBytes: number, first: FirstAnswer | null): number {
    const head = annexBytes | (first !== null ? HAS_FIRST : 0)
    const run = this.allocate(lengthOf(head))
    const { words: to } = this
    let at = run
    to[at++] = head
    if (first !== null) {
      to[at++] = first.matched
      to[at++] = first.cost
      to[at++] = first.cost / HALF
      to[at++] = first.totalFee
      to[at++] = first.totalFee / HALF
      to[at++] = first.fills
    }
    for (let i = 0; i < (annexBytes + 3) >>> 2; i++) to[at++] = words[annexAt + i]!
    return run
  }

  /** What the order of a run matched on arrival. */
  first(run: number): FirstAnswer {
    const { words } = this
    if (run === 0 || (words[run]! & HAS_FIRST) === 0) return NOTHING
    return {
      matched: words[run + 1]!,
      cost: words[run + 2]! + words[run + 3]! * HALF,
      totalFee: words[run + 4]! + words[run + 5]! * HALF,
      fills: words[run + 6]!,
    }
  }

  /** The annex of the order of a run. */
  annex(run: number): Uint8Array {
    const { words } = this
    const length = run === 0 ? 0 : words[run]! & LENGTH
    if (length === 0) return NO_BYTES
    const from = (run + 1 + ((words[run]! & HAS_FIRST) !== 0 ? FIRST_WORDS : 0)) * 4
    return new Uint8Array(words.buffer, from, length).slice() // so few bytes are copied into the JavaScript heap, without a buffer of their own
  }

  /** Forgets a run. */
  drop(run: number): void {
    if (run !== 0) this.release(run, lengthOf(this.words[run]!))
  }
}

const lengthOf = (head: number): number => 1 + ((head & HAS_FIRST) !== 0 ? FIRST_WORDS : 0) + (((head & LENGTH) + 3) >>> 2)
