import { z } from 'zod'
import { anyDecimal, bytes32, checksumAddress, iso, outcomeIndex, side } from './scalars.ts'

/** One maker's part of a trade, in terms of the maker's own token and side. */
export const makerOrder = z.object({
  order_id: z.string(),
  owner: z.string(),
  maker_address: checksumAddress,
  matched_amount: anyDecimal,
  price: anyDecimal,
  fee_rate_bps: z.string(),
  asset_id: z.string(),
  outcome: z.string(),
  side,
})

/** A trade from the perspective of one of its two sides: `GET /data/trades`. */
export const ownTrade = z.object({
  id: z.string(),
  taker_order_id: z.string(),
  market: z.string(),
  asset_id: z.string(),
  side,
  size: anyDecimal,
  fee_rate_bps: z.string(),
  price: anyDecimal,
  status: z.enum(['MATCHED', 'MINED', 'CONFIRMED']),
  /** Unix seconds as text. */
  match_time: z.string(),
  match_time_iso: iso,
  /** Unix seconds as text. */
  last_update: z.string(),
  outcome: z.string(),
  bucket_index: z.int(),
  owner: z.string(),
  maker_address: checksumAddress,
  maker_orders: z.array(makerOrder),
  transaction_hash: z.string(),
  trader_side: z.enum(['TAKER', 'MAKER']),
  fee: anyDecimal,
  seq: z.int(),
})

/** A public trade: in terms of the taker's token and side, or of those of the account that is asked for. */
export const publicTrade = z.object({
  id: z.string(),
  market: z.string(),
  asset_id: z.string(),
  outcome: z.string(),
  outcome_index: outcomeIndex,
  side,
  price: anyDecimal,
  size: anyDecimal,
  usdc_size: anyDecimal,
  match_type: z.enum(['direct', 'mint', 'merge']),
  fee: anyDecimal,
  /** Unix seconds. */
  timestamp: z.int(),
  timestamp_iso: iso,
  transaction_hash: z.string(),
  taker_address: checksumAddress,
  event_slug: z.string(),
  title: z.string(),
  slug: z.string(),
  seq: z.int(),
  settlement: z
    .object({ root: z.int(), transaction_hash: bytes32 })
    .nullable()
    .optional()
    .describe('The first root in the vault that includes the trade, and the transaction that posted it; null until there is one.'),
  trader_side: z.enum(['TAKER', 'MAKER']).optional().describe('With `user`: what that account was, in whose terms the row is.'),
  trader_address: checksumAddress.optional().describe('With `user`: the wallet that traded.'),
})

export type OwnTrade = z.output<typeof ownTrade>
export type PublicTrade = z.output<typeof publicTrade>
