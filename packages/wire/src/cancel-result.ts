import { z } from 'zod'
import { anyDecimal, orderState } from './scalars.ts'

const canceled = z.array(z.string())
/** Order id → why it was not cancelled. */
const notCanceled = z.record(z.string(), z.string())

/** Response of the routes that cancel several orders. */
export const cancelManyResult = z.object({ canceled, not_canceled: notCanceled })

/** What refusals of the routes that cancel one order also tell; `state` is that of an order that has ended. */
export const cancelRefused = z.object({ canceled, not_canceled: notCanceled, state: orderState }).partial()

/** Response of the routes that cancel one order. */
export const cancelResult = z.object({
  success: z.literal(true),
  canceled,
  not_canceled: notCanceled,
  order: z.object({ orderId: z.string(), state: orderState, size_matched: anyDecimal, remaining_size: anyDecimal }),
})

export type CancelResult = z.output<typeof cancelResult>
export type CancelManyResult = z.output<typeof cancelManyResult>
