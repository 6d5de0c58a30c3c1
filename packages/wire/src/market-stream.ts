import { z } from 'zod'
import { book } from './book.ts'
import { SOCKET_CONDITIONS } from './limits.ts'
import { anyDecimal, anyId, side, tokenText } from './scalars.ts'

/**
 * The public stream `/ws/market`. A channel is a condition. `seq` is the position in the log, `prev_seq` that of the channel's previous frame:
 * a client whose last frame has another position has missed something. `epoch` is the timeline.
 * A frame is one message or an array of messages of the same row; it covers both tokens of the condition.
 */

const place = { seq: z.int(), prev_seq: z.int(), epoch: z.int() }
const about = { market: z.string(), timestamp: z.string(), ...place }

/** Reply to a subscription: what is followed now and what is unknown. Snapshots follow. To a resume: the same of its market alone. */
const subscribedMessage = z.object({
  event_type: z.literal('subscribed'),
  markets: z.array(z.string()),
  assets_ids: z.array(z.string()),
  unknown: z.array(z.string()),
  seq: z.int(),
  epoch: z.int(),
})

/** The whole book of one token at exactly `seq`, best last as in `GET /book`. */
export const bookMessage = book.extend({ event_type: z.literal('book'), ...place })

/** New sizes of levels; `"0"` removes one. Every change is given for both tokens. */
export const priceChangeMessage = z.object({
  event_type: z.literal('price_change'),
  ...about,
  price_changes: z.array(
    z.object({
      asset_id: z.string(),
      price: anyDecimal,
      size: anyDecimal,
      side,
      hash: z.string().optional(),
      best_bid: anyDecimal,
      best_ask: anyDecimal,
    }),
  ),
  /** `bookChecksum` of the first token after this change. */
  checksum: z.int().optional(),
})

/** A fill, in the taker's token. Fills of one trade share its `trade_id`, which is its id everywhere. */
export const lastTradeMessage = z.object({
  event_type: z.literal('last_trade_price'),
  ...about,
  asset_id: z.string(),
  price: anyDecimal,
  side,
  size: anyDecimal,
  fee_rate_bps: z.string(),
  trade_id: z.string(),
  fill_id: z.string(),
  match_type: z.enum(['direct', 'mint', 'merge']),
})

/** The tick size was refined. Books follow. */
export const tickSizeMessage = z.object({
  event_type: z.literal('tick_size_change'),
  ...about,
  asset_id: z.string(),
  old_tick_size: anyDecimal,
  new_tick_size: anyDecimal,
})

/** The top of a token's book changed. Only for sockets that asked for custom features. */
export const bestBidAskMessage = z.object({
  event_type: z.literal('best_bid_ask'),
  ...about,
  asset_id: z.string(),
  best_bid: anyDecimal,
  best_ask: anyDecimal,
  spread: anyDecimal,
})

/** The market was resolved. Only for sockets that asked for custom features. */
export const marketResolvedMessage = z.object({
  event_type: z.literal('market_resolved'),
  id: z.string(),
  ...about,
  assets_ids: z.array(z.string()),
  winning_asset_id: z.string().nullable(),
  winning_outcome: z.string().nullable(),
  /** What a share of each outcome pays. */
  payouts: z.array(anyDecimal),
  tags: z.array(z.string()),
})

/** A market was registered. Only for sockets that asked for custom features. Not part of any channel's chain. */
export const newMarketMessage = z.object({
  event_type: z.literal('new_market'),
  id: z.string(),
  market: z.string(),
  condition_id: z.string(),
  question: z.string(),
  slug: z.string(),
  description: z.string(),
  assets_ids: z.array(z.string()),
  clob_token_ids: z.array(z.string()),
  outcomes: z.array(z.string()),
  /** The event of the market. */
  event_message: z.object({ id: z.string(), ticker: z.string(), slug: z.string(), title: z.string(), description: z.string() }),
  timestamp: z.string(),
  tags: z.array(z.string()),
  active: z.boolean(),
  order_price_min_tick_size: anyDecimal,
  ...place,
})

/** A market was paused, opened or closed. */
const marketModeMessage = z.object({
  event_type: z.literal('market_mode'),
  ...about,
  mode: z.enum(['open', 'paused', 'cancel_only', 'closed', 'resolved']),
})

/** Every 5 s: the last position of the log and of each followed channel. A client at another position of a channel has missed something. */
const heartbeatMessage = z.object({
  event_type: z.literal('heartbeat'),
  timestamp: z.string(),
  seq: z.int(),
  epoch: z.int(),
  channels: z.record(z.string(), z.int()).optional(),
})

/**
 * Missed messages are no longer available: discard the book, a new one follows. Sockets with custom features receive the market's
 * mode and its result again.
 */
const resyncMessage = z.object({ event_type: z.literal('resync'), market: z.string(), seq: z.int(), epoch: z.int() })

/** A request on the socket was refused; the socket stays open. */
export const errorMessage = z.object({
  event_type: z.literal('error'),
  error: z.string(),
  code: z.string(),
  /** The fields that are wrong, as in a body of HTTP. */
  details: z.unknown().optional(),
})

/** Everything the server may send on `/ws/market`. */
export const marketMessage = z.discriminatedUnion('event_type', [
  subscribedMessage,
  bookMessage,
  priceChangeMessage,
  lastTradeMessage,
  tickSizeMessage,
  bestBidAskMessage,
  marketResolvedMessage,
  newMarketMessage,
  marketModeMessage,
  heartbeatMessage,
  resyncMessage,
  errorMessage,
])

/** Accepts more than a socket may follow, so that those within the limit are followed and the others named. */
const tokens = z.array(tokenText).max(SOCKET_CONDITIONS * 5)
const conditions = z.array(anyId).max(SOCKET_CONDITIONS * 5)

/** Everything a client may send on `/ws/market`, besides the text `PING`, which is answered by `PONG`. */
export const marketRequest = z.union([
  /** The first frame. */
  z.object({
    type: z.literal('market'),
    assets_ids: tokens.optional(),
    markets: conditions.optional(),
    custom_feature_enabled: z.boolean().optional(),
    initial_dump: z.boolean().optional(),
  }),
  z.object({
    operation: z.enum(['subscribe', 'unsubscribe']),
    assets_ids: tokens.optional(),
    markets: conditions.optional(),
    custom_feature_enabled: z.boolean().optional(),
  }),
  /** Resumes a market or one of its tokens after `seq`: missed frames are replayed, or else `resync` and the books are sent. */
  z
    .object({
      operation: z.literal('resume'),
      market: anyId.optional(),
      asset_id: tokenText.optional(),
      seq: z.int().min(0),
      epoch: z.int().min(0),
    })
    .refine(({ market, asset_id }) => (market === undefined) !== (asset_id === undefined), 'give either market or asset_id'),
])

export type MarketMessage = z.output<typeof marketMessage>
export type BookMessage = z.output<typeof bookMessage>
export type PriceChangeMessage = z.output<typeof priceChangeMessage>
export type MarketRequest = z.input<typeof marketRequest>
