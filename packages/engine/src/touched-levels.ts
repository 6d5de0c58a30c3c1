import { ONE } from '@augury/units/price'
import { doubled } from './columns.ts'
import type { Conditions } from './conditions.ts'
import { InvariantError } from './invariant-error.ts'
import type { Listener } from './listener.ts'

/** The price levels a command changed, each reported once when it ends. */
export class TouchedLevels {
  #count = 0
  #condition = new Int32Array(64)
  /** Yes steps times two, plus one for an ask. */
  #level = new Int32Array(64)
  #keys = new Float64Array(64)

  /** Records a level; repeats in a row count once. */
  add(condition: number, bookPrice: number, isBid: boolean): void {
    const level = bookPrice * 2 + (isBid ? 0 : 1)
    const last = this.#count - 1
    if (last >= 0 && this.#level[last] === level && this.#condition[last] === condition) return
    if (this.#count === this.#level.length) {
      this.#condition = doubled(this.#condition)
      this.#level = doubled(this.#level)
    }
    this.#condition[this.#count] = condition
    this.#level[this.#count++] = level
  }

  /** Reports what each level holds now, by condition and ascending price, and checks that no book is crossed. Throws InvariantError. */
  report(conditions: Conditions, listener: Listener): void {
    const count = this.#count
    this.#count = 0
    if (count === 0) return
    if (count === 1) this.#reportOne(conditions, listener, this.#condition[0]!, this.#level[0]!)
    else this.#reportMany(conditions, listener, count)
  }

  #reportMany(conditions: Conditions, listener: Listener, count: number): void {
    if (this.#keys.length < count) this.#keys = new Float64Array(this.#level.length)
    const keys = this.#keys.subarray(0, count)
    for (let i = 0; i < count; i++) keys[i] = this.#condition[i]! * KEYS + this.#level[i]!
    if (count > FEW) keys.sort()
    else sortFew(keys)
    for (let i = 0; i < count; i++) {
      const key = keys[i]!
      if (i === 0 || key !== keys[i - 1]) this.#reportOne(conditions, listener, Math.floor(key / KEYS), key % KEYS)
    }
  }

  #reportOne(conditions: Conditions, listener: Listener, condition: number, level: number): void {
    const isBid = (level & 1) === 0
    const bookPrice = level >>> 1
    const ladder = conditions.ladders[condition]
    if (ladder === undefined) {
      listener.level(condition, isBid, bookPrice, 0)
      return
    }
    if (ladder.above(ladder.bestBid) !== ladder.bestAsk)
      throw new InvariantError(`the book of condition ${condition} is crossed, or lost its best level`)
    listener.level(condition, isBid, bookPrice, ladder.lotsOf(bookPrice / ladder.grid, isBid))
  }
}

const KEYS = ONE * 2
const FEW = 16

function sortFew(keys: Float64Array): void {
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i]!
    let to = i
    for (; to > 0 && keys[to - 1]! > key; to--) keys[to] = keys[to - 1]!
    keys[to] = key
  }
}
