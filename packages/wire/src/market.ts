import { z } from 'zod'
import { anyDecimal, checksumAddress, iso, isoOrNull } from './scalars.ts'

/** A tag of an event; the first one is its main category. */
export const tag = z.object({ slug: z.string(), name: z.string() })

/** The event that a market belongs to, as its creator described it. */
export const marketEvent = z.object({
  slug: z.string(),
  title: z.string(),
  icon: z.string(),
  tags: z.array(tag),
  rules: z.string(),
  start_date: isoOrNull,
  end_date: isoOrNull,
  series_slug: z.string().nullable(),
  /** Set where its operator hid the event: no list or search has it. */
  hidden: z.boolean().optional(),
})

/** One of the two outcome tokens. `price` is the displayed price, null without bids, asks or trades; `winner` is set once resolved. */
export const marketToken = z.object({ token_id: z.string(), outcome: z.string(), price: z.number().nullable(), winner: z.boolean() })

const rewards = z.object({ rates: z.null(), min_size: z.number(), max_spread: z.number() })

/** A market in the established shape, with our additions. */
export const market = z.object({
  enable_order_book: z.boolean(),
  active: z.boolean(),
  closed: z.boolean(),
  archived: z.boolean(),
  accepting_orders: z
    .boolean()
    .describe('Whether the market is open and not over. What the exchange takes as a whole is in `GET /status`.'),
  accepting_order_timestamp: isoOrNull,
  minimum_order_size: z.number(),
  minimum_tick_size: z.number(),
  condition_id: z.string(),
  question_id: z.string(),
  question: z.string(),
  description: z.string(),
  market_slug: z.string(),
  end_date_iso: isoOrNull,
  game_start_time: isoOrNull,
  seconds_delay: z.int(),
  fpmm: z.string(),
  maker_base_fee: z.number(),
  taker_base_fee: z.number(),
  notifications_enabled: z.boolean(),
  neg_risk: z.boolean(),
  neg_risk_market_id: z.string(),
  neg_risk_request_id: z.string(),
  icon: z.string(),
  image: z.string(),
  rewards,
  is_50_50_outcome: z.boolean(),
  tokens: z.array(marketToken),
  tags: z.array(z.string()),
  // Beyond the established shape
  creator: checksumAddress,
  mode: z.enum(['open', 'paused', 'cancel_only', 'closed', 'resolved']),
  short_title: z.string(),
  /** How the market is resolved. */
  rules: z.string(),
  resolution_source: z.string(),
  resolution_source_url: z.string(),
  resolution_status: z.string().nullable(),
  /** What one Yes share pays in USDC, once resolved. */
  resolution_price: z.number().nullable(),
  resolution_flagged: z.boolean(),
  resolution_paused: z.boolean(),
  resolution_deadline_at: isoOrNull,
  fee_rate_bps: z.int(),
  created_at: iso,
  updated_at: iso,
  event: marketEvent,
})

/** A market without its texts. */
export const simplifiedMarket = market.pick({
  condition_id: true,
  tokens: true,
  rewards: true,
  active: true,
  closed: true,
  archived: true,
  accepting_orders: true,
})

/** What newer established clients read before a market order; the key names are theirs. */
export const clobMarket = z.object({
  c: z.string(),
  t: z.array(z.object({ t: z.string(), o: z.string() })),
  /** Tick and smallest size. */
  mts: z.number(),
  mos: z.number(),
  /** Signed base fees of maker and taker: always 0 here, the schedule is in `fd`. */
  mbf: z.number(),
  tbf: z.number(),
  nr: z.boolean(),
  /** Fee curve: rate, exponent, taker only. */
  fd: z.object({ r: z.number(), e: z.number(), to: z.boolean() }),
  r: z.null(),
  ao: z.boolean(),
  gst: isoOrNull,
  sd: z.int(),
  cbos: z.boolean(),
  aot: isoOrNull,
  itode: z.boolean(),
  ibce: z.boolean(),
  rfqe: z.boolean(),
  oas: z.number(),
})

/** The market of a token, and both of its tokens. */
export const tokenMarket = z.object({ condition_id: z.string(), primary_token_id: z.string(), secondary_token_id: z.string() })

/** One row of `POST /data/volumes`. */
export const conditionVolume = z.object({
  condition_id: z.string(),
  status: z.union([z.literal(200), z.literal(404)]),
  volume: anyDecimal.optional(),
  volume_24h: anyDecimal.optional(),
  open_interest: anyDecimal.optional(),
  /** Of an answer of an event: what was converted in it. That backs the shares of all its answers together, beside the interest of each. */
  event_open_interest: anyDecimal.optional(),
  active_positions_count: z.int().optional(),
})

export type Market = z.output<typeof market>
export type SimplifiedMarket = z.output<typeof simplifiedMarket>
export type ClobMarket = z.output<typeof clobMarket>
export type ConditionVolume = z.output<typeof conditionVolume>
