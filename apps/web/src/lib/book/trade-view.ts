import { parseLots, parsePrice } from '@augury/units/decimal'
import type { PublicTrade } from '@augury/wire/trade'

/** A trade for display: price in steps and lots of the taker's token, time in Unix milliseconds. */
export interface TradeView {
  id: string
  side: 'BUY' | 'SELL'
  /** 0 for Yes. */
  outcome: 0 | 1
  price: number
  lots: number
  at: number
}

/** Trades kept by a page. */
export const TRADES_SHOWN = 24

/** Parses a trade of the order-book service. */
export const readTrade = (trade: PublicTrade): TradeView => ({
  id: trade.id,
  side: trade.side,
  outcome: trade.outcome_index,
  price: parsePrice(trade.price),
  lots: parseLots(trade.size),
  at: trade.timestamp * 1000,
})

/** Adds a new trade at the top of a list, unless it is there already. */
export const withTrade = (trades: TradeView[], trade: TradeView): TradeView[] =>
  trades.some((each) => each.id === trade.id) ? trades : [trade, ...trades].slice(0, TRADES_SHOWN)

/** Merges streamed trades with those the page was rendered with, without duplicates. */
export function mergeTrades(live: TradeView[], before: TradeView[]): TradeView[] {
  const liveIds = new Set(live.map(({ id }) => id))
  return [...live, ...before.filter(({ id }) => !liveIds.has(id))].slice(0, TRADES_SHOWN)
}
