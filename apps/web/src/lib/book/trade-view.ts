import { parseLots, parsePrice } from '@augury/units/decimal'
import type { PublicTrade } from '@augury/wire/trade'

/** A trade as a page shows it: price in steps and lots of the taker's token, time in Unix milliseconds. */
export interface TradeView {
  id: string
  side: 'BUY' | 'SELL'
  /** 0 is Yes. */
  outcome: 0 | 1
  price: number
  lots: number
  at: number
}

/** Trades that a page keeps. */
export const TRADES_SHOWN = 24

/** Reads a trade as the order-book service lists it. */
export const readTrade = (trade: PublicTrade): TradeView => ({
  id: trade.id,
  side: trade.side,
  outcome: trade.outcome_index,
  price: parsePrice(trade.price),
  lots: parseLots(trade.size),
  at: trade.timestamp * 1000,
})

/** Puts a new trade on top of a list; a trade that is there already changes nothing. */
export const withTrade = (trades: TradeView[], trade: TradeView): TradeView[] =>
  trades.some((each) => each.id === trade.id) ? trades : [trade, ...trades].slice(0, TRADES_SHOWN)

/** Trades that were heard on top of those that the page was made with, each once. */
export function mergeTrades(heard: TradeView[], before: TradeView[]): TradeView[] {
  const known = new Set(heard.map(({ id }) => id))
  return [...heard, ...before.filter(({ id }) => !known.has(id))].slice(0, TRADES_SHOWN)
}
