import { IdTable } from './id-table.ts'

const PRICES = 1024

/**
 * The limit of what a book can do in JavaScript: price levels in an array, orders as slots of typed arrays, linked by number, found by
 * a hash of integers. It knows nothing of accounts, money or refusals. Prices 1 … 999; sides 0 (buy) and 1 (sell).
 */
export class LimitBook {
  fills = 0
  volume = 0
  /** Told of every resting order that a taker used up, and of every taker that does not rest. */
  onEnd: ((order: number) => void) | null = null

  readonly #ids: IdTable
  readonly #order: Int32Array
  readonly #size: Int32Array
  readonly #price: Int32Array
  readonly #next: Int32Array
  readonly #previous: Int32Array
  readonly #head = new Int32Array(PRICES).fill(-1)
  readonly #tail = new Int32Array(PRICES).fill(-1)
  #bestBid = 0
  #bestAsk = PRICES
  #used = 0
  #free = -1

  /** A book for at most so many resting orders. */
  constructor(most: number) {
    this.#ids = new IdTable(most)
    this.#order = new Int32Array(most)
    this.#size = new Int32Array(most)
    this.#price = new Int32Array(most)
    this.#next = new Int32Array(most)
    this.#previous = new Int32Array(most)
  }

  add(side: number, price: number, size: number, order: number): void {
    const left = side === 0 ? this.#buy(price, size) : this.#sell(price, size)
    if (left === 0) this.onEnd?.(order)
    else this.#rest(side, price, left, order)
  }

  cancel(order: number): void {
    const slot = this.#ids.find(order)
    if (slot < 0) return
    this.#unlink(slot)
    this.#release(slot)
    this.#retreat()
  }

  #buy(price: number, size: number): number {
    let left = size
    while (left > 0 && this.#bestAsk <= price) {
      left = this.#take(this.#bestAsk, left)
      this.#retreat()
    }
    return left
  }

  #sell(price: number, size: number): number {
    let left = size
    while (left > 0 && this.#bestBid >= price) {
      left = this.#take(this.#bestBid, left)
      this.#retreat()
    }
    return left
  }

  /** Matches against one level, oldest first. Returns what is left. */
  #take(level: number, size: number): number {
    let left = size
    for (let maker = this.#head[level]!; maker >= 0 && left > 0; maker = this.#head[level]!) {
      const lots = Math.min(left, this.#size[maker]!)
      this.fills++
      this.volume += lots
      left -= lots
      this.#size[maker]! -= lots
      if (this.#size[maker] !== 0) return 0
      this.#unlink(maker)
      this.onEnd?.(this.#order[maker]!)
      this.#release(maker)
    }
    return left
  }

  #rest(side: number, price: number, size: number, order: number): void {
    const slot = this.#free < 0 ? this.#used++ : this.#free
    if (slot === this.#free) this.#free = this.#next[slot]!
    const tail = this.#tail[price]!
    this.#ids.insert(order, slot)
    this.#order[slot] = order
    this.#size[slot] = size
    this.#price[slot] = price
    this.#previous[slot] = tail
    this.#next[slot] = -1
    if (tail < 0) this.#head[price] = slot
    else this.#next[tail] = slot
    this.#tail[price] = slot
    if (side === 0 && price > this.#bestBid) this.#bestBid = price
    if (side === 1 && price < this.#bestAsk) this.#bestAsk = price
  }

  #unlink(slot: number): void {
    const level = this.#price[slot]!
    const next = this.#next[slot]!
    const previous = this.#previous[slot]!
    if (previous < 0) this.#head[level] = next
    else this.#next[previous] = next
    if (next < 0) this.#tail[level] = previous
    else this.#previous[next] = previous
  }

  #release(slot: number): void {
    this.#ids.remove(this.#order[slot]!)
    this.#next[slot] = this.#free
    this.#free = slot
  }

  /** Moves the best prices off levels that became empty. */
  #retreat(): void {
    while (this.#bestBid > 0 && this.#head[this.#bestBid]! < 0) this.#bestBid--
    while (this.#bestAsk < PRICES && this.#head[this.#bestAsk]! < 0) this.#bestAsk++
  }
}
