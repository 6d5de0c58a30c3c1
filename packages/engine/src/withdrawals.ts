import { INITIAL_ROWS, LinkedTable } from './columns.ts'
import { KeyIndex } from './key-index.ts'

/** Pending withdrawals, by their 32-byte reference. */
export class Withdrawals extends LinkedTable {
  ids = new KeyIndex(8)
  account = new Int32Array(INITIAL_ROWS)
  amount = new Float64Array(INITIAL_ROWS)

  /** Adds a withdrawal whose reference is at `words[at]`; `amount` in millionths. */
  insert(words: Uint32Array, at: number, account: number, amount: number): void {
    const row = this.takeRow()
    this.ids.insert(row, words, at)
    this.account[row] = account
    this.amount[row] = amount
  }

  /** Removes one that is settled or returned. */
  drop(row: number): void {
    this.ids.remove(row)
    this.freeRow(row)
  }
}
