import { z } from 'zod'
import { anyDecimal, checksumAddress, iso, isoOrNull, orderState, orderType, side } from './scalars.ts'

/** The established counterpart of the specified state. */
const orderStatus = z.enum(['LIVE', 'MATCHED', 'DELAYED', 'CANCELED', 'CANCELED_MARKET_RESOLVED', 'INVALID'])

/** An order as its owner sees it. */
export const order = z.object({
  id: z.string(),
  orderId: z.string(),
  state: orderState,
  status: orderStatus,
  /** The API key that placed it. */
  owner: z.string(),
  maker_address: checksumAddress,
  market: z.string(),
  asset_id: z.string(),
  side,
  outcome: z.string(),
  original_size: anyDecimal,
  size_matched: anyDecimal,
  remaining_size: anyDecimal,
  price: anyDecimal,
  avg_price: anyDecimal.nullable(),
  /** What a market BUY by `amount` may spend, without fees; null for an order by `size`. `original_size` of such an order is what that buys at its worst price, or what it got, and `remaining_size` what is left of that. */
  amount: anyDecimal.nullable(),
  /** USDC paid or received for `size_matched`, without fees. */
  amount_matched: anyDecimal,
  /** USDC of fees paid; only takers pay. */
  fee: anyDecimal,
  order_type: orderType,
  post_only: z.boolean(),
  client_order_id: z.string().nullable(),
  associate_trades: z.array(z.string()),
  /** Unix seconds. */
  created_at: z.int(),
  created_at_iso: iso,
  updated_at: iso,
  /** Unix seconds as text, `"0"` for none. */
  expiration: z.string(),
  expiration_iso: isoOrNull,
  cancel_reason: z.string().nullable(),
  seq: z.int(),
})

/** One row of `POST /data/orders`. */
export const orderLookup = z.object({
  order_id: z.string(),
  status: z.union([z.literal(200), z.literal(403), z.literal(404)]),
  order: order.optional(),
  error: z.string().optional(),
})

export type Order = z.output<typeof order>
export type OrderLookup = z.output<typeof orderLookup>
