import { INITIAL_ROWS, LinkedTable } from './columns.ts'
import type { ConditionMode } from './command.ts'
import { KeyIndex } from './key-index.ts'
import { Ladder } from './ladder.ts'

/** Condition modes by the number the `mode` column holds. */
export const CONDITION_MODES: readonly ConditionMode[] = ['open', 'paused', 'cancel_only', 'closed', 'resolved']
export const OPEN = 0
export const PAUSED = 1
export const CANCEL_ONLY = 2
export const CLOSED = 3
export const RESOLVED = 4

/** The questions that are traded: terms, supply of both tokens, and the money locked behind them. */
export class Conditions extends LinkedTable {
  ids = new KeyIndex(8)
  mode = new Uint8Array(INITIAL_ROWS)
  /** Account that created it: earns the fees of orders without a deployment. */
  creator = new Int32Array(INITIAL_ROWS)
  grid = new Int32Array(INITIAL_ROWS)
  minLots = new Float64Array(INITIAL_ROWS)
  minNotional = new Float64Array(INITIAL_ROWS)
  feeBps = new Int32Array(INITIAL_ROWS)
  rebateBps = new Int32Array(INITIAL_ROWS)
  affiliateBps = new Int32Array(INITIAL_ROWS)
  /** Neg-risk event, and the member registered after this one. */
  event = new Int32Array(INITIAL_ROWS)
  nextMember = new Int32Array(INITIAL_ROWS)
  /** Millionths per Yes lot once resolved. */
  weight = new Int32Array(INITIAL_ROWS)
  /** Millionths behind the tokens. */
  locked = new Float64Array(INITIAL_ROWS)
  /** Lots in circulation, index `row * 2 + outcome`. */
  supply = new Float64Array(INITIAL_ROWS * 2)
  /** Last trade: Yes steps (0 for none), then the taker's outcome and side in one bit each. */
  lastPrice = new Uint16Array(INITIAL_ROWS)
  lastTaker = new Uint8Array(INITIAL_ROWS)
  firstHolder = new Int32Array(INITIAL_ROWS)
  /** Closed conditions whose orders still wait for a sweep, oldest first. */
  nextClosing = new Int32Array(INITIAL_ROWS)
  firstClosing = 0
  lastClosing = 0
  /** Levels of each book, from its first order on. */
  readonly ladders: (Ladder | undefined)[] = []

  /** A row for a new condition with the id at `words[at]`. */
  insert(words: Uint32Array, at: number): number {
    const row = this.takeRow()
    this.ids.insert(row, words, at)
    return row
  }

  /** The ladder of a condition, created on first use. */
  ladder(condition: number): Ladder {
    this.ladders[condition] ??= new Ladder(this.grid[condition]!)
    return this.ladders[condition]
  }

  /** Orders resting in a book. */
  resting(condition: number): number {
    return this.ladders[condition]?.orders ?? 0
  }
}
