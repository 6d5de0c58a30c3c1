import { z } from 'zod'
import {
  bestBidAskMessage,
  bookMessage,
  lastTradeMessage,
  marketResolvedMessage,
  newMarketMessage,
  priceChangeMessage,
  tickSizeMessage,
} from './market-stream.ts'
import { tokenText } from './scalars.ts'
import { accountEvent } from './user-stream.ts'

/** What clients of the established streams say. Their secrets travel in frames: nothing of them is ever logged. */
const tokens = z.array(tokenText).max(1000)
const custom = { custom_feature_enabled: z.boolean().optional() }

export const compatMarketRequest = z.union([
  z
    .object({
      type: z.string().toLowerCase().pipe(z.literal('market')),
      assets_ids: tokens.optional(),
      initial_dump: z.boolean().optional(),
      ...custom,
    })
    .meta({ title: 'market' }),
  z.object({ operation: z.enum(['subscribe', 'unsubscribe']), assets_ids: tokens, ...custom }),
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
    .object({ type: z.string().toLowerCase().pipe(z.literal('user')), auth: heldSecret, markets: conditions.optional() })
    .meta({ title: 'user' }),
  z.object({ operation: z.enum(['subscribe', 'unsubscribe']), markets: conditions }),
])

/** One subscription of the live-data client; `filters` is JSON in a text. */
const liveSubscription = z.object({
  topic: z.string().max(64),
  type: z.string().max(64),
  filters: z.string().max(65_536).optional(),
  clob_auth: heldSecret.optional(),
})
export const liveRequest = z
  .object({ action: z.enum(['subscribe', 'unsubscribe']), subscriptions: z.array(liveSubscription).max(100) })
  .meta({ title: 'subscribe_unsubscribe' })

const ours = { seq: true, prev_seq: true, epoch: true } as const
const unordered = { seq: true, epoch: true } as const

/** What the established market stream says: ours without positions. The first frame after a subscription is an array of books. */
export const compatMarketMessage = z.union([
  bookMessage.omit(ours),
  priceChangeMessage.omit({ ...ours, checksum: true }),
  lastTradeMessage.omit(ours),
  tickSizeMessage.omit(ours),
  bestBidAskMessage.omit(ours),
  newMarketMessage.omit({ seq: true }),
  marketResolvedMessage.omit(ours),
])

const [orderEvent, tradeEvent] = accountEvent.options
/** What the established user stream says. */
export const compatUserMessage = z.union([orderEvent.omit(unordered), tradeEvent.omit(unordered)])

/** What the live-data stream says: each with its payload, without which its clients read nothing. */
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
])

export type HeldSecret = z.output<typeof heldSecret>
export type LiveSubscription = z.output<typeof liveSubscription>
