import { z } from 'zod'
import { anyDecimal, orderState } from './scalars.ts'

/** Immediate result of an accepted order. It never has a key `error`. */
export const orderResult = z.object({
  success: z.literal(true),
  errorMsg: z.literal(''),
  orderID: z.string(),
  orderId: z.string(),
  state: orderState,
  /** `live`: it rests; `matched`: something was filled; `unmatched`: it was ended by self-trade prevention. */
  status: z.enum(['live', 'matched', 'delayed', 'unmatched']),
  /** Given and received at once: USDC and shares for a BUY, shares and USDC for a SELL. */
  makingAmount: anyDecimal,
  takingAmount: anyDecimal,
  transactionsHashes: z.array(z.string()),
  tradeIDs: z.array(z.string()),
  clientOrderId: z.string().optional(),
  replayed: z
    .literal(true)
    .optional()
    .describe('The order had been placed before: nothing was placed now, and everything here is as of now, also an end.'),
  seq: z.int(),
  size_matched: anyDecimal,
  /** The size that was not filled at once; `state` says whether it rests or was cancelled. */
  remaining_size: anyDecimal,
  /** USDC of a market BUY by `amount` that were not spent. */
  remaining_amount: anyDecimal.optional(),
  avg_price: anyDecimal.nullable(),
  fee: anyDecimal,
})

/** What refusals of one order also tell. */
const refusedOrder = z
  .object({
    orderID: z.string(),
    state: orderState.describe('Of the order with that id: `rejected` where this request became an order, which ended at once.'),
    replayed: z.literal(true).describe('The order had been rejected before; it was not placed again.'),
  })
  .partial()
export const placeRefused = refusedOrder.extend({ orderId: z.string().optional() })

/** A refused leg of a batch. */
export const refusedLeg = z.object({
  success: z.literal(false),
  errorMsg: z.string(),
  code: z.string(),
  ...refusedOrder.shape,
  details: z.unknown().optional(),
})

/** One leg of `POST /orders`. */
export const orderLegResult = z.discriminatedUnion('success', [orderResult, refusedLeg])

/** Result of a replace: the cancelled order or why it was not cancelled, and the new one. */
export const replaceResult = z.object({
  success: z.literal(true),
  canceled: z.array(z.string()),
  /** Order id → why it was not cancelled. */
  not_canceled: z.record(z.string(), z.string()),
  order: orderResult,
})

export type PlaceRefused = z.output<typeof placeRefused>
export type OrderResult = z.output<typeof orderResult>
export type OrderLegResult = z.output<typeof orderLegResult>
export type ReplaceResult = z.output<typeof replaceResult>
