import { INITIAL_ROWS, LinkedTable } from './columns.ts'
import { KeyIndex } from './key-index.ts'

/** Events of which exactly one condition comes true, so that No tokens convert into the other Yes tokens. */
export class NegRiskEvents extends LinkedTable {
  ids = new KeyIndex(8)
  /** Conditions it will have, has, and has resolved. */
  size = new Int32Array(INITIAL_ROWS)
  members = new Int32Array(INITIAL_ROWS)
  resolved = new Int32Array(INITIAL_ROWS)
  firstMember = new Int32Array(INITIAL_ROWS)
  lastMember = new Int32Array(INITIAL_ROWS)
  /** Lots ever converted: how many Yes each unresolved member has beyond its No. */
  converted = new Float64Array(INITIAL_ROWS)
  /** Millionths behind those, not yet moved to a resolved member. */
  cash = new Float64Array(INITIAL_ROWS)
  /** Sum of the weights resolved so far. */
  weights = new Int32Array(INITIAL_ROWS)

  insert(words: Uint32Array, at: number): number {
    const row = this.takeRow()
    this.ids.insert(row, words, at)
    return row
  }
}
