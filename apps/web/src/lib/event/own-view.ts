import { MICROS_PER_LOT } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import type { Activity } from '@augury/wire/data'
import type { OpenOrder } from '@augury/wire/platform/trading'
import type { ChartMark, Line } from '#lib/charts/lines.ts'
import { cents, shares } from '#lib/language/numbers.ts'
import { m } from '#lib/paraglide/messages.js'
import type { MarketView } from './event-view.ts'

/** The reader's open lots in a market, by price of the shown token in steps. */
export function levelsOf(orders: readonly OpenOrder[], conditionId: string | undefined, shown: 0 | 1): ReadonlyMap<number, number> {
  const levels = new Map<number, number>()
  for (const order of orders) {
    if (order.market.condition_id !== conditionId) continue
    const price = Math.round(order.price * ONE)
    const at = order.outcome.index === shown ? price : ONE - price
    const whole = order.side === 'buy' ? Number(order.taker_amount) : Number(order.maker_amount)
    levels.set(at, (levels.get(at) ?? 0) + (whole - Number(order.size_matched)) / MICROS_PER_LOT)
  }
  return levels
}

/** Marks of the reader's own trades on the lines of a chart. */
export function marksOf(trades: readonly Activity[], markets: readonly MarketView[], lines: readonly Line[]): ChartMark[] {
  return trades.flatMap((trade, i): ChartMark[] => {
    const slugOf = markets.find(({ conditionId }) => conditionId === trade.conditionId)?.slug
    const line = lines.find((each) => each.slug === slugOf)
    if (!line) return []
    const facts = { shares: shares(Math.round(trade.size * 100)), price: cents(Math.round(trade.price * ONE)) }
    const bought = trade.side === 'BUY'
    const name = bought ? m.chart_bought(facts) : m.chart_sold(facts)
    const p = trade.outcomeIndex === 1 ? 1 - trade.price : trade.price
    return [
      {
        id: `${trade.transactionHash}${i}`,
        place: line.place,
        t: trade.timestamp * 1000,
        p,
        bought: bought === (trade.outcomeIndex !== 1),
        name,
      },
    ]
  })
}
