import { z } from 'zod'
import { secondsText, strictQuery } from './query.ts'
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
export type PricePoint = z.output<typeof pricePoint>
export type TapeTrade = z.output<typeof tapeTrade>
