import { z } from 'zod'
import { anyDecimal, orderState } from './scalars.ts'

/** What an accepted order did at once. A success never has a key `error`. */
export const orderResult = z.object({
  success: z.literal(true),
  errorMsg: z.literal(''),
  orderID: z.string(),
  orderId: z.string(),
  state: orderState,
  /** `live` when it rests, `matched` when something was executed, `unmatched` when it ended at an order of its owner. */
  status: z.enum(['live', 'matched', 'delayed', 'unmatched']),
  /** What the order gave and got at once: USDC and shares, or the other way round. */
  makingAmount: anyDecimal,
  takingAmount: anyDecimal,
  transactionsHashes: z.array(z.string()),
  tradeIDs: z.array(z.string()),
  clientOrderId: z.string().optional(),
  seq: z.int(),
  size_matched: anyDecimal,
  /** What was asked for and not matched at once, whatever became of it: `state` says. */
  remaining_size: anyDecimal,
  avg_price: anyDecimal.nullable(),
  fee: anyDecimal,
})

/** A refused leg of a batch. */
export const refusedLeg = z.object({
  success: z.literal(false),
  errorMsg: z.string(),
  code: z.string(),
  orderID: z.string().optional(),
  details: z.unknown().optional(),
})

/** One leg of `POST /orders`. */
export const orderLegResult = z.discriminatedUnion('success', [orderResult, refusedLeg])

/** What a replace did: the order that went, or why it did not go, and the one that came. */
export const replaceResult = z.object({
  success: z.literal(true),
  canceled: z.array(z.string()),
  /** Order id → why it was not cancelled. */
  not_canceled: z.record(z.string(), z.string()),
  order: orderResult,
})

export type OrderResult = z.output<typeof orderResult>
export type OrderLegResult = z.output<typeof orderLegResult>
export type ReplaceResult = z.output<typeof replaceResult>
