const PRICES = 1024

/**
 * The limit of what a book can do in JavaScript: price levels in an array, orders as slots of typed arrays, linked by number, order
 * number = slot. It knows nothing of accounts, money or refusals. Prices 1 … 999; sides 0 (buy) and 1 (sell).
 */
export class LimitBook {
  fills = 0
  volume = 0
  /** Told of every resting order that a taker used up, and of every taker that does not rest. */
  onEnd: ((order: number) => void) | null = null

  readonly #size: Int32Array
  readonly #price: Int32Array
  readonly #next: Int32Array
  readonly #previous: Int32Array
  readonly #head = new Int32Array(PRICES).fill(-1)
  readonly #tail = new Int32Array(PRICES).fill(-1)
  #bestBid = 0
  #bestAsk = PRICES

  constructor(orders: number) {
    this.#size = new Int32Array(orders)
    this.#price = new Int32Array(orders)
    this.#next = new Int32Array(orders)
    this.#previous = new Int32Array(orders)
  }

  add(side: number, price: number, size: number, order: number): void {
    const left = side === 0 ? this.#buy(price, size) : this.#sell(price, size)
    if (left === 0) this.onEnd?.(order)
    else this.#rest(side, price, left, order)
  }

  cancel(order: number): void {
    if (this.#size[order] === 0) return
    this.#size[order] = 0
    this.#unlink(order)
  }

  #buy(price: number, size: number): number {
    while (size > 0 && this.#bestAsk <= price) {
      size = this.#take(this.#bestAsk, size)
      while (this.#bestAsk < PRICES && this.#head[this.#bestAsk]! < 0) this.#bestAsk++
    }
    return size
  }

  #sell(price: number, size: number): number {
    while (size > 0 && this.#bestBid >= price) {
      size = this.#take(this.#bestBid, size)
      while (this.#bestBid > 0 && this.#head[this.#bestBid]! < 0) this.#bestBid--
    }
    return size
  }

  /** Matches against one level, oldest first. Returns what is left. */
  #take(level: number, size: number): number {
    let maker = this.#head[level]!
    while (maker >= 0 && size > 0) {
      const lots = Math.min(size, this.#size[maker]!)
      this.fills++
      this.volume += lots
      size -= lots
      this.#size[maker]! -= lots
      if (this.#size[maker] !== 0) return 0
      const next = this.#next[maker]!
      this.#head[level] = next
      if (next < 0) this.#tail[level] = -1
      else this.#previous[next] = -1
      this.onEnd?.(maker)
      maker = next
    }
    return size
  }

  #rest(side: number, price: number, size: number, order: number): void {
    const tail = this.#tail[price]!
    this.#size[order] = size
    this.#price[order] = price
    this.#previous[order] = tail
    this.#next[order] = -1
    if (tail < 0) this.#head[price] = order
    else this.#next[tail] = order
    this.#tail[price] = order
    if (side === 0 && price > this.#bestBid) this.#bestBid = price
    if (side === 1 && price < this.#bestAsk) this.#bestAsk = price
  }

  #unlink(order: number): void {
    const level = this.#price[order]!
    const next = this.#next[order]!
    const previous = this.#previous[order]!
    if (previous < 0) this.#head[level] = next
    else this.#next[previous] = next
    if (next < 0) this.#tail[level] = previous
    else this.#previous[next] = previous
    if (this.#head[level]! >= 0) return
    while (this.#bestBid > 0 && this.#head[this.#bestBid]! < 0) this.#bestBid--
    while (this.#bestAsk < PRICES && this.#head[this.#bestAsk]! < 0) this.#bestAsk++
  }
}
