/** One side of a book: prices in steps, kept in order, and the lots at each. */
export class BookSide {
  readonly #descending: boolean
  /** Best first. */
  readonly #prices: number[] = []
  readonly #lots = new Map<number, number>()

  /** Bids are descending: their best price is the highest. */
  constructor(descending: boolean) {
    this.#descending = descending
  }

  /** Sets the lots at a price; 0 removes it. */
  set(price: number, lots: number): void {
    const isKnown = this.#lots.has(price)
    if (lots > 0) this.#lots.set(price, lots)
    else this.#lots.delete(price)
    if (lots > 0 && !isKnown) this.#prices.splice(this.#placeOf(price), 0, price)
    if (lots === 0 && isKnown) this.#prices.splice(this.#placeOf(price), 1)
  }

  clear(): void {
    this.#prices.length = 0
    this.#lots.clear()
  }

  /** Prices with their lots, best first. */
  top(depth: number): [price: number, lots: number][] {
    return this.#prices.slice(0, depth).map((price) => [price, this.#lots.get(price)!])
  }

  /** Where a price stands, or belongs. */
  #placeOf(price: number): number {
    let [from, to] = [0, this.#prices.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      const isBefore = this.#descending ? this.#prices[middle]! > price : this.#prices[middle]! < price
      if (isBefore) from = middle + 1
      else to = middle
    }
    return from
  }
}
