import { ONE } from '@augury/units/price'
import type { OrderStore } from './order-store.ts'

/**
 * The price levels of one book, both sides in one array indexed by Yes price / grid: since a book never crosses, a level
 * is a bid below the spread and an ask above it. A bitmap finds the next level in use. Queues are linked through the order store.
 */
export class Ladder {
  readonly grid: number
  /** Levels run from 1 to size − 1. */
  readonly size: number
  readonly head: Int32Array
  readonly tail: Int32Array
  readonly lots: Float64Array
  readonly bits: Uint32Array
  /** Best level of each side: 0 when there is no bid, `size` when there is no ask. */
  bestBid = 0
  bestAsk: number
  /** Resting orders. */
  orders = 0

  constructor(grid: number) {
    this.grid = grid
    this.size = ONE / grid
    this.head = new Int32Array(this.size)
    this.tail = new Int32Array(this.size)
    this.lots = new Float64Array(this.size)
    this.bits = new Uint32Array((this.size + 31) >>> 5)
    this.bestAsk = this.size
  }

  /** The next level in use below `level`, or 0. */
  below(level: number): number {
    const { bits } = this
    const from = level - 1
    let at = from >>> 5
    let word = bits[at]! & (0xffffffff >>> (31 - (from & 31)))
    while (word === 0) {
      if (at === 0) return 0
      word = bits[--at]!
    }
    return at * 32 + 31 - Math.clz32(word)
  }

  /** The next level in use above `level`, or `size`. */
  above(level: number): number {
    const { bits } = this
    const from = level + 1
    if (from >= this.size) return this.size
    let at = from >>> 5
    let word = bits[at]! & (0xffffffff << (from & 31))
    while (word === 0) {
      if (++at === bits.length) return this.size
      word = bits[at]!
    }
    return at * 32 + 31 - Math.clz32(word & -word)
  }

  /** Lots at a level, 0 when it belongs to the other side or to none. */
  lotsOf(level: number, isBid: boolean): number {
    return isBid ? (level <= this.bestBid ? this.lots[level]! : 0) : level >= this.bestAsk ? this.lots[level]! : 0
  }

  /** Puts an order at the end of a level's queue. */
  append(orders: OrderStore, slot: number, level: number, isBid: boolean): void {
    const last = this.tail[level]!
    orders.setPrev(slot, last)
    orders.setNext(slot, 0)
    this.tail[level] = slot
    this.lots[level]! += orders.remaining(slot)
    this.orders++
    if (last !== 0) {
      orders.setNext(last, slot)
      return
    }
    this.head[level] = slot
    this.bits[level >>> 5]! |= 1 << (level & 31)
    if (isBid) {
      if (level > this.bestBid) this.bestBid = level
    } else if (level < this.bestAsk) this.bestAsk = level
  }

  /** Takes an order out of its level's queue, wherever it stands. */
  remove(orders: OrderStore, slot: number, level: number): void {
    const before = orders.prev(slot)
    const after = orders.next(slot)
    if (before === 0) this.head[level] = after
    else orders.setNext(before, after)
    if (after === 0) this.tail[level] = before
    else orders.setPrev(after, before)
    this.lots[level]! -= orders.remaining(slot)
    this.orders--
    if (this.head[level] !== 0) return
    this.bits[level >>> 5]! &= ~(1 << (level & 31))
    if (level === this.bestBid) this.bestBid = this.below(level)
    else if (level === this.bestAsk) this.bestAsk = this.above(level)
  }

  /** The same queues on a finer grid that divides this one; orders keep their slots and their priority. */
  refined(grid: number): Ladder {
    const finer = new Ladder(grid)
    const factor = this.grid / grid
    for (let level = this.above(0); level < this.size; level = this.above(level)) {
      const to = level * factor
      finer.head[to] = this.head[level]!
      finer.tail[to] = this.tail[level]!
      finer.lots[to] = this.lots[level]!
      finer.bits[to >>> 5]! |= 1 << (to & 31)
    }
    finer.bestBid = this.bestBid * factor
    finer.bestAsk = this.bestAsk * factor
    finer.orders = this.orders
    return finer
  }
}
