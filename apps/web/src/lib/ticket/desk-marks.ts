import { LOTS_PER_SHARE } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import type { Activity } from '@augury/wire/data'
import type { OpenOrder } from '@augury/wire/platform/trading'
import type { FillMark, OrderLine } from '#lib/charts/candle-plot.ts'
import { shares, steps } from '#lib/language/numbers.ts'
import { m } from '#lib/paraglide/messages.js'

/** A market, and the outcome whose prices are shown: what was done in the other outcome is the same at the complementary price. */
interface Shown {
  conditionId: string
  shown: 0 | 1
}

/** The reader's open orders in a market, at prices of the shown outcome. */
export function orderLines(orders: readonly OpenOrder[], { conditionId, shown }: Shown): OrderLine[] {
  return orders
    .filter(({ market }) => market.condition_id === conditionId)
    .map((order) => {
      const isShown = order.outcome.index === shown
      const whole = Number(order.side === 'buy' ? order.taker_amount : order.maker_amount)
      const buys = (order.side === 'buy') === isShown
      const amount = shares((whole - Number(order.size_matched)) / 10_000)
      const price = isShown ? steps(order.price) : ONE - steps(order.price)
      return { id: order.id, price, words: `${buys ? m.ticket_buy() : m.ticket_sell()} ${amount}`, buys }
    })
}

/** The reader's fills in a market, at prices of the shown outcome. */
export function fillMarks(trades: readonly Activity[], { conditionId, shown }: Shown): (FillMark & { lots: number })[] {
  return trades
    .filter((trade) => trade.conditionId === conditionId)
    .map(({ timestamp, price, side, size, outcomeIndex }) => {
      const isShown = outcomeIndex === shown
      const lots = Math.round(size * LOTS_PER_SHARE)
      return { t: timestamp, lots, price: isShown ? steps(price) : ONE - steps(price), buys: (side === 'BUY') === isShown }
    })
}

/** Lots by price. */
export function lotsByPrice(fills: readonly { price: number; lots: number }[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const { price, lots } of fills) found.set(price, (found.get(price) ?? 0) + lots)
  return found
}
