import { prng } from '@augury/testing/prng'
import { LimitBook } from './references/limit-book.ts'

/** Integers per operation: kind (0 add, 1 cancel), side (0 buy, 1 sell), price (1 … 999), size, order number. */
export const STRIDE = 5

/** A mixture of operations, in parts of 100; the rest adds around the mid. */
export interface Mix {
  name: string
  cancels: number
  crossings: number
  /** How far from the mid an order rests, in prices. */
  width: number
  /** Orders that rest before the tape begins to be mixed. */
  resting: number
  /** Books that the orders are dealt out to: a power of two. */
  books: number
}

/** The book of an order: they take turns, so its number says it. */
export const bookOf = (order: number, books: number): number => order & (books - 1)

/** The mixtures that engines are compared on. */
export const mixes = {
  mixed: { name: 'mixed', cancels: 30, crossings: 10, width: 20, resting: 1_000, books: 1 },
  cancel: { name: 'cancel', cancels: 48, crossings: 2, width: 20, resting: 1_000, books: 1 },
  deep: { name: 'deep', cancels: 30, crossings: 10, width: 400, resting: 50_000, books: 1 },
  multi: { name: 'multi', cancels: 30, crossings: 10, width: 20, resting: 10_000, books: 128 },
  thin: { name: 'thin', cancels: 30, crossings: 40, width: 3, resting: 0, books: 1 },
} satisfies Record<string, Mix>

/** What a tape comes to: engines that disagree on it are not comparable. */
export interface TapeResult {
  fills: number
  volume: number
}

/** A tape of `operations` operations from a seed, and what it comes to. Cancels name orders that rest at that moment. */
export function makeTape(mix: Mix, operations: number, seed = 1): { tape: Int32Array; result: TapeResult } {
  const random = prng(seed)
  const tape = new Int32Array(operations * STRIDE)
  const live = new LiveOrders(operations)
  const books = limitBooks(mix.books, operations)
  for (const book of books) book.onEnd = (order) => live.remove(order)
  let mid = 500
  for (let n = 0; n < operations; n++) {
    const dice = random.integer(0, 99)
    const side = random.integer(0, 1)
    const at = n * STRIDE
    if (random.chance(0.01)) mid = Math.min(Math.max(mid + random.integer(-1, 1), 450), 550)
    if (n >= mix.resting && dice < mix.cancels && live.count > 0) {
      const order = live.pick(random.integer(0, live.count - 1))
      tape.set([1, 0, 0, 0, order], at)
      books[bookOf(order, mix.books)]!.cancel(order)
      live.remove(order)
      continue
    }
    const crosses = n >= mix.resting && dice < mix.cancels + mix.crossings
    const away = crosses ? -random.integer(0, 3) : random.integer(1, mix.width)
    const price = Math.min(Math.max(mid + (side === 0 ? -away : away), 1), 999)
    const size = random.integer(1, 100)
    tape.set([0, side, price, size, n], at)
    live.add(n)
    books[bookOf(n, mix.books)]!.add(side, price, size, n)
  }
  return { tape, result: sumOf(books) }
}

/** As many reference books as share out so many operations. */
export const limitBooks = (count: number, operations: number): LimitBook[] =>
  Array.from({ length: count }, () => new LimitBook(Math.ceil(operations / count) + 1))

/** What books come to together. */
export const sumOf = (books: readonly LimitBook[]): TapeResult => ({
  fills: books.reduce((sum, { fills }) => sum + fills, 0),
  volume: books.reduce((sum, { volume }) => sum + volume, 0),
})

/** The orders that rest, for drawing one of them. */
class LiveOrders {
  readonly #orders: Int32Array
  readonly #place: Int32Array
  count = 0

  constructor(most: number) {
    this.#orders = new Int32Array(most)
    this.#place = new Int32Array(most).fill(-1)
  }

  add(order: number): void {
    this.#place[order] = this.count
    this.#orders[this.count++] = order
  }

  remove(order: number): void {
    const place = this.#place[order]!
    if (place < 0) return
    const last = this.#orders[--this.count]!
    this.#orders[place] = last
    this.#place[last] = place
    this.#place[order] = -1
  }

  pick(place: number): number {
    return this.#orders[place]!
  }
}
