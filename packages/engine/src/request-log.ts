import { INITIAL_ROWS, LinkedTable } from './columns.ts'
import { KeyIndex } from './key-index.ts'

/** Remembers 32-byte request ids for a fixed time, so that none takes effect twice. */
export class RequestLog extends LinkedTable {
  ids = new KeyIndex(8)
  at = new Float64Array(INITIAL_ROWS)
  first = 0
  last = 0
  readonly #period: number

  /** `period` in engine milliseconds. */
  constructor(period: number) {
    super()
    this.#period = period
  }

  /** Whether the id at `words[at]` was added less than a period ago. */
  has(words: Uint32Array, at: number, now: number): boolean {
    const row = this.ids.find(words, at)
    return row !== 0 && this.at[row]! + this.#period > now
  }

  /** Adds an id, forgetting those whose time has passed. */
  add(words: Uint32Array, at: number, now: number): void {
    while (this.first !== 0 && this.at[this.first]! + this.#period <= now) {
      const row = this.first
      this.first = this.links[row]!
      if (this.first === 0) this.last = 0
      this.ids.remove(row)
      this.freeRow(row)
    }
    const row = this.takeRow()
    this.ids.insert(row, words, at)
    this.at[row] = now
    this.links[row] = 0
    if (this.last === 0) this.first = row
    else this.links[this.last] = row
    this.last = row
  }
}
