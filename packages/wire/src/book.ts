import { z } from 'zod'
import { anyDecimal, side } from './scalars.ts'

/** All shares resting at one price. */
export const level = z.object({ price: anyDecimal, size: anyDecimal })

/** A book of one token. Writers emit exactly this key order: the hash is taken over it. */
export const book = z.object({
  market: z.string(),
  asset_id: z.string(),
  /** Unix milliseconds as text. */
  timestamp: z.string(),
  hash: z.string(),
  bids: z.array(level),
  asks: z.array(level),
  min_order_size: anyDecimal,
  tick_size: anyDecimal,
  neg_risk: z.boolean(),
  /** Empty before the first trade. */
  last_trade_price: z.string(),
})

/** A book with its position in the log: `GET /orderbook`, best first. */
export const sequencedBook = book.extend({ seq: z.int(), epoch: z.int() })

/** Price and side of the last trade, in terms of this token. */
export const lastTrade = z.object({ token_id: z.string(), price: anyDecimal, side })

/** Best bid under BUY, best ask under SELL; `"0"` and `"1"` stand for an empty side. */
export const tokenPrices = z.record(z.string(), z.object({ BUY: anyDecimal.nullish(), SELL: anyDecimal.nullish() }))

export type Level = z.output<typeof level>
export type Book = z.output<typeof book>
export type SequencedBook = z.output<typeof sequencedBook>
export type TokenPrices = z.output<typeof tokenPrices>
export type LastTrade = z.output<typeof lastTrade>
