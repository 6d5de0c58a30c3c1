import { z } from 'zod'
import { limit, secondsText, strictQuery } from './query.ts'
import { anyId, checksumAddress, iso, outcomeIndex, side, tokenText } from './scalars.ts'

/** How far back a price history goes unless bounds are given. `max` and `all` are the same. */
const historyInterval = z.enum(['1h', '6h', '1d', '1w', '1m', 'max', 'all'])
/** Minutes between two points. */
const fidelity = z.coerce.number().int().min(1).max(1_000_000)

/** Range of a price history; established clients call the token `market`. */
const range = {
  startTs: secondsText.optional(),
  endTs: secondsText.optional(),
  interval: historyInterval.optional(),
  fidelity: fidelity.optional(),
}
export const priceHistoryQuery = strictQuery({ market: tokenText, ...range })
/** The same for up to 20 tokens. */
export const priceHistoriesBody = z.strictObject({ markets: z.array(tokenText).max(20), ...range })

/** A price that held at a time: `t` in Unix seconds, `p` in USDC per share. */
const pricePoint = z.object({ t: z.int(), p: z.number() })
export const priceHistory = z.object({ history: z.array(pricePoint) })
/** Token id → its points. */
export const priceHistories = z.object({ history: z.record(z.string(), z.array(pricePoint)) })

/** Minutes of each interval of candles. */
export const CANDLE_MINUTES = { '1m': 1, '5m': 5, '1h': 60, '4h': 240, '1d': 1440 } as const
/** Most candles of an answer. */
const CANDLES = 500

export const candlesQuery = strictQuery({
  market: tokenText,
  interval: z.enum(['1m', '5m', '1h', '4h', '1d']).default('1h'),
  endTs: secondsText.optional().describe('Unix seconds within the last interval; now when left out.'),
  limit: limit(CANDLES, 300),
})

/** The trades of a token within an interval that begins at `t` in Unix seconds: prices in steps of 0.0001, lots of 0.01 share, millionths of a USDC. */
const candle = z.object({
  t: z.int(),
  open: z.int(),
  high: z.int(),
  low: z.int(),
  close: z.int(),
  lots: z.int(),
  volume: z.int(),
  trades: z.int(),
})
export const candles = z.object({ candles: z.array(candle) })

/** A trade in the established shape of a market's tape. Names and pictures are empty, as the exchange only knows addresses. */
export const tapeTrade = z.object({
  event_type: z.literal('trade'),
  market: z.object({ condition_id: anyId, asset_id: z.string(), question: z.string(), icon: z.string(), slug: z.string() }),
  user: z.object({
    address: checksumAddress,
    username: z.string(),
    profile_picture: z.string(),
    optimized_profile_picture: z.string(),
    pseudonym: z.string(),
  }),
  side,
  size: z.string(),
  fee_rate_bps: z.string(),
  price: z.string(),
  outcome: z.string(),
  outcome_index: outcomeIndex,
  transaction_hash: z.string(),
  /** Unix seconds as text. */
  timestamp: z.string(),
  timestamp_iso: iso,
})

export type PriceHistoryRange = Omit<z.output<typeof priceHistoryQuery>, 'market'>
export type Candle = z.output<typeof candle>
export type CandlesQuery = z.output<typeof candlesQuery>
export type PricePoint = z.output<typeof pricePoint>
export type TapeTrade = z.output<typeof tapeTrade>
