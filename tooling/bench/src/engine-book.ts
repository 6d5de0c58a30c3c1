import { Ladder } from '@augury/engine/ladder'
import { Match, type Taker } from '@augury/engine/match'
import { OrderStore } from '@augury/engine/order-store'
import { cpuSeconds } from './cpu-time.ts'
import { IdTable } from './references/id-table.ts'
import type { BookRun } from './rows/book-alone.ts'
import { bookOf, STRIDE } from './tape.ts'

/** A tape's prices are thousandths: the grid 0.001. */
const GRID = 10
const NO_STP = 4
const TRADER = 1

/**
 * The engine's own books: its order store, a ladder for each and its matching walk, without accounts, money and events. Orders are found by
 * the table of integers that the limit uses too; the index of 32-byte ids is measured with the whole exchange.
 */
class EngineBook {
  fills = 0
  volume = 0
  readonly #orders = new OrderStore()
  readonly #ladders: readonly Ladder[]
  #ladder: Ladder
  readonly #match = new Match()
  readonly #groups = new Float64Array(TRADER + 1)
  readonly #ids: IdTable
  readonly #order: Int32Array
  readonly #taker: Taker = {
    account: TRADER,
    outcome: 0,
    side: 0,
    type: 0,
    selfTrade: NO_STP,
    postOnly: false,
    price: 0,
    lots: 0,
    budget: 0,
    replaced: 0,
  }

  /** So many books for at most so many resting orders. */
  constructor(most: number, books: number) {
    this.#ladders = Array.from({ length: books }, () => new Ladder(GRID))
    this.#ladder = this.#ladders[0]!
    this.#ids = new IdTable(most)
    this.#order = new Int32Array(most)
    while (this.#orders.capacity < most / 4) this.#orders.grow()
  }

  add(side: number, price: number, size: number, order: number): void {
    const taker = this.#taker
    const match = this.#match
    this.#ladder = this.#ladders[bookOf(order, this.#ladders.length)]!
    taker.side = side
    taker.price = price * GRID
    taker.lots = size
    match.walk(this.#orders, this.#groups, this.#ladder, taker, 0, 0)
    if (match.count > 0) this.#trade()
    if (match.left > 0) this.#rest(order)
  }

  cancel(order: number): void {
    const slot = this.#ids.find(order)
    this.#ladder = this.#ladders[bookOf(order, this.#ladders.length)]!
    if (slot > 0) this.#leave(slot)
  }

  #trade(): void {
    const match = this.#match
    const orders = this.#orders
    for (let step = 0; step < match.count; step++) {
      const maker = match.slot[step]!
      const lots = match.lots[step]!
      orders.take(maker, lots)
      this.#ladder.lots[orders.price(maker) / GRID]! -= lots
      if (orders.remaining(maker) === 0) this.#leave(maker)
    }
    this.fills += match.fills
    this.volume += match.matched
  }

  #rest(order: number): void {
    const { side, price } = this.#taker
    const slot = this.#orders.takeRow()
    this.#ids.insert(order, slot)
    this.#order[slot] = order
    this.#orders.open(slot, TRADER, 0, side << 1, price, this.#match.left)
    this.#ladder.append(this.#orders, slot, price / GRID, side === 0)
  }

  #leave(slot: number): void {
    this.#ladder.remove(this.#orders, slot, this.#orders.price(slot) / GRID)
    this.#ids.remove(this.#order[slot]!)
    this.#orders.freeRow(slot)
  }
}

/** The engine's own books over a tape. */
export const runEngineBook: BookRun = (tape, books = 1) => {
  const book = new EngineBook(tape.length / STRIDE, books)
  const begun = cpuSeconds()
  for (let at = 0; at < tape.length; at += STRIDE) {
    if (tape[at] === 0) book.add(tape[at + 1]!, tape[at + 2]!, tape[at + 3]!, tape[at + 4]!)
    else book.cancel(tape[at + 4]!)
  }
  return { seconds: cpuSeconds() - begun, fills: book.fills, volume: book.volume }
}
