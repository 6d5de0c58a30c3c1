import { Ladder } from '@augury/engine/ladder'
import { Match, type Taker } from '@augury/engine/match'
import { OrderStore } from '@augury/engine/order-store'
import { cpuSeconds } from './cpu-time.ts'
import { IdTable } from './references/id-table.ts'
import type { BookRun } from './rows/book-alone.ts'
import { STRIDE } from './tape.ts'

/** A tape's prices are thousandths: the grid 0.001. */
const GRID = 10
const NO_STP = 4
const TRADER = 1

/**
 * The engine's own book over a tape: its order store, its ladder and its matching walk, without accounts, money and events.
 * Orders are found by the table of integers that the limit uses too; the index of 32-byte ids is measured with the whole exchange.
 */
export const runEngineBook: BookRun = (tape) => {
  const orders = new OrderStore()
  const ladder = new Ladder(GRID)
  const match = new Match()
  const groups = new Float64Array(TRADER + 1)
  const ids = new IdTable(tape.length / STRIDE)
  const orderOf = new Int32Array(tape.length / STRIDE)
  const taker: Taker = {
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
  let fills = 0
  let volume = 0

  const leave = (slot: number) => {
    ladder.remove(orders, slot, orders.price(slot) / GRID)
    ids.remove(orderOf[slot]!)
    orders.freeRow(slot)
  }

  while (orders.capacity < tape.length / STRIDE / 4) orders.grow()
  const begun = cpuSeconds()
  for (let at = 0; at < tape.length; at += STRIDE) {
    if (tape[at] === 1) {
      const slot = ids.find(tape[at + 4]!)
      if (slot > 0) leave(slot)
      continue
    }
    taker.side = tape[at + 1]!
    taker.price = tape[at + 2]! * GRID
    taker.lots = tape[at + 3]!
    match.walk(orders, groups, ladder, taker, 0, 0)
    for (let step = 0; step < match.count; step++) {
      const maker = match.slot[step]!
      const lots = match.lots[step]!
      orders.take(maker, lots, 0)
      ladder.lots[orders.price(maker) / GRID]! -= lots
      if (orders.remaining(maker) === 0) leave(maker)
    }
    fills += match.fills
    volume += match.matched
    if (match.left === 0) continue
    const slot = orders.takeRow()
    ids.insert(tape[at + 4]!, slot)
    orderOf[slot] = tape[at + 4]!
    orders.open(slot, TRADER, 0, taker.side << 1, taker.price, match.left)
    ladder.append(orders, slot, taker.price / GRID, taker.side === 0)
  }
  return { seconds: cpuSeconds() - begun, fills, volume }
}
