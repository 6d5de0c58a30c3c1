import { INITIAL_ROWS, LinkedTable } from './columns.ts'
import { KeyIndex } from './key-index.ts'

/** Who holds how many outcome tokens of which condition, in lots; index `row * 2 + outcome`. */
export class Holdings extends LinkedTable {
  /** Account and condition rows. */
  ids = new KeyIndex(2)
  account = new Int32Array(INITIAL_ROWS)
  condition = new Int32Array(INITIAL_ROWS)
  /** Free lots: not held by an order. */
  lots = new Float64Array(INITIAL_ROWS * 2)
  held = new Float64Array(INITIAL_ROWS * 2)
  /** Chain of the account's holdings is `links` and `prev`; chain of the condition's holders is `after` and `before`. */
  prev = new Int32Array(INITIAL_ROWS)
  after = new Int32Array(INITIAL_ROWS)
  before = new Int32Array(INITIAL_ROWS)
  readonly #key = new Uint32Array(2)

  /** The row of an account in a condition, or 0. */
  find(account: number, condition: number): number {
    this.#key[0] = account
    this.#key[1] = condition
    return this.ids.find(this.#key, 0)
  }

  /** The same, created when it is new. `firstOf` and `firstIn` are the heads of the two chains. */
  open(account: number, condition: number, firstOf: Int32Array, firstIn: Int32Array): number {
    const known = this.find(account, condition)
    if (known !== 0) return known
    const row = this.takeRow()
    this.ids.insert(row, this.#key, 0)
    this.account[row] = account
    this.condition[row] = condition
    this.links[row] = firstOf[account]!
    this.prev[row] = 0
    if (firstOf[account] !== 0) this.prev[firstOf[account]!] = row
    firstOf[account] = row
    this.after[row] = firstIn[condition]!
    this.before[row] = 0
    if (firstIn[condition] !== 0) this.before[firstIn[condition]!] = row
    firstIn[condition] = row
    return row
  }

  /** Removes an empty holding. */
  drop(row: number, firstOf: Int32Array, firstIn: Int32Array): void {
    const [next, prev, after, before] = [this.links[row]!, this.prev[row]!, this.after[row]!, this.before[row]!]
    if (next !== 0) this.prev[next] = prev
    if (prev !== 0) this.links[prev] = next
    else firstOf[this.account[row]!] = next
    if (after !== 0) this.before[after] = before
    if (before !== 0) this.after[before] = after
    else firstIn[this.condition[row]!] = after
    this.ids.remove(row)
    this.freeRow(row)
  }
}
