import { z } from 'zod'
import {
  bestBidAskMessage,
  bookMessage,
  errorMessage,
  lastTradeMessage,
  marketResolvedMessage,
  newMarketMessage,
  priceChangeMessage,
  tickSizeMessage,
} from './market-stream.ts'
import { tokenText } from './scalars.ts'
import { accountEvent } from './user-stream.ts'

/** Messages of clients of the established streams. They contain secrets, so they are never logged. */
const tokens = z.array(tokenText).max(1000)
const operation = z.enum(['subscribe', 'unsubscribe'])
/** A list that some clients send as null when it is empty. */
const listed = <Item extends z.ZodType>(list: z.ZodArray<Item>) => list.nullish().transform((items) => items ?? [])
const followed = { initial_dump: z.boolean().optional(), custom_feature_enabled: z.boolean().optional() }

/** Requests of market clients. Some of them send the operation in addition to the type, in every frame. */
export const compatMarketRequest = z.union([
  z
    .object({
      type: z.string().toLowerCase().pipe(z.literal('market')),
      operation: operation.optional(),
      assets_ids: listed(tokens),
      ...followed,
    })
    .meta({ title: 'market' }),
  z.object({ operation, assets_ids: tokens, ...followed }),
])

const heldSecret = z
  .object({
    apiKey: z.string().optional(),
    apikey: z.string().optional(),
    key: z.string().optional(),
    secret: z.string().max(128),
    passphrase: z.string().max(128),
  })
  .transform(({ apiKey, apikey, key, secret, passphrase }) => ({ apiKey: apiKey ?? apikey ?? key ?? '', secret, passphrase }))
const conditions = z.array(z.string().max(128).toLowerCase()).max(1000)

export const compatUserRequest = z.union([
  z
    .object({
      type: z.string().toLowerCase().pipe(z.literal('user')),
      operation: operation.optional(),
      auth: heldSecret,
      markets: listed(conditions),
    })
    .meta({ title: 'user' }),
  z.object({ operation, markets: conditions }),
])

/** One subscription of a live-data client; `filters` is JSON, as a string or not. */
const liveSubscription = z.object({
  topic: z.string().max(64),
  type: z.string().max(64),
  filters: z
    .union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
    .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .pipe(z.string().max(65_536))
    .optional(),
  clob_auth: heldSecret.optional(),
})
export const liveRequest = z
  .object({ action: z.enum(['subscribe', 'unsubscribe']), subscriptions: z.array(liveSubscription).max(100) })
  .meta({ title: 'subscribe_unsubscribe' })

const ours = { seq: true, prev_seq: true, epoch: true } as const
const unordered = { seq: true, epoch: true } as const

/** Messages of the established market stream: ours without log positions. The first frame after a subscription is an array of books. */
export const compatMarketMessage = z.union([
  bookMessage.omit(ours),
  priceChangeMessage.omit({ ...ours, checksum: true }),
  lastTradeMessage.omit(ours),
  tickSizeMessage.omit(ours),
  bestBidAskMessage.omit(ours),
  newMarketMessage.omit(ours),
  marketResolvedMessage.omit(ours),
  z.object({ event_type: z.literal('subscribed'), markets: z.array(z.string()), assets_ids: z.array(z.string()) }),
  errorMessage,
])

const [orderEvent, tradeEvent] = accountEvent.options
/** Messages of the established user stream: ours with all times of an order as text. */
export const compatUserMessage = z.union([
  orderEvent.omit(unordered).extend({ created_at: z.string() }),
  tradeEvent.omit(unordered),
  /** Without markets, all are followed. */
  z.object({ event_type: z.literal('subscribed'), markets: z.array(z.string()) }),
  errorMessage,
])

/** Messages of the live-data stream. Clients ignore messages without a payload. */
const live = <const Topic extends string, const Types extends readonly [string, ...string[]]>(topic: Topic, types: Types) =>
  z
    .object({
      topic: z.literal(topic),
      type: z.enum(types),
      timestamp: z.int(),
      payload: z.record(z.string(), z.unknown()),
      connection_id: z.string(),
    })
    .meta({ title: topic })
export const liveMessage = z.union([
  live('activity', ['trades', 'orders_matched']),
  live('clob_market', ['price_change', 'agg_orderbook', 'last_trade_price', 'tick_size_change', 'market_created', 'market_resolved']),
  live('clob_user', ['order', 'trade']),
  live('crypto_prices', ['update']),
  live('crypto_prices_chainlink', ['update']),
  live('equity_prices', ['update']),
  live('comments', ['comment_created']),
  z
    .object({
      event_type: z.literal('subscribed'),
      // In a payload: what has none is an error to established clients.
      payload: z.object({ subscriptions: z.array(z.object({ topic: z.string(), type: z.string(), filters: z.string() })) }),
    })
    .meta({ title: 'subscribed' }),
  errorMessage,
])

export type HeldSecret = z.output<typeof heldSecret>
export type LiveSubscription = z.output<typeof liveSubscription>

/** The types of messages that each topic of the live-data stream has, apart from `*` for all. */
export const LIVE_TOPICS: Readonly<Record<string, readonly string[]>> = {
  activity: ['trades', 'orders_matched'],
  clob_market: ['price_change', 'agg_orderbook', 'last_trade_price', 'tick_size_change', 'market_created', 'market_resolved'],
  clob_user: ['order', 'trade'],
}

/** The same of topics that come from the site. They are sent where the exchange knows one. */
export const SITE_TOPICS: Readonly<Record<string, readonly string[]>> = {
  crypto_prices: ['update'],
  crypto_prices_chainlink: ['update'],
  equity_prices: ['update'],
  comments: ['comment_created'],
}
