import { Ladder } from '@augury/engine/ladder'
import { Match, type Taker } from '@augury/engine/match'
import { OrderStore } from '@augury/engine/order-store'
import type { BookRun } from './rows/book-alone.ts'
import { STRIDE } from './tape.ts'

/** A tape's prices are thousandths: the grid 0.001. */
const GRID = 10
const NO_STP = 4
const TRADER = 1

/**
 * The engine's own book over a tape: its order store with the index of ids, its ladder and its matching walk, without accounts, money
 * and events.
 */
export const runEngineBook: BookRun = (tape) => {
  const orders = new OrderStore()
  const ladder = new Ladder(GRID)
  const match = new Match()
  const groups = new Float64Array(TRADER + 1)
  const id = new Uint32Array(8)
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
    orders.remember(slot, 0)
    orders.drop(slot)
  }

  const begun = performance.now()
  for (let at = 0; at < tape.length; at += STRIDE) {
    id[0] = tape[at + 4]!
    if (tape[at] === 1) {
      const slot = orders.ids.find(id, 0)
      if (slot !== 0) leave(slot)
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
    const slot = orders.insert(id, 0)
    orders.open(slot, TRADER, 0, taker.side << 1, taker.price, 0)
    orders.setSize(slot, match.left, match.left, 0)
    ladder.append(orders, slot, taker.price / GRID, taker.side === 0)
  }
  return { seconds: (performance.now() - begun) / 1000, fills, volume }
}
