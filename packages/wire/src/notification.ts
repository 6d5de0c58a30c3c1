import { z } from 'zod'
import { order } from './order.ts'

/** The end of an order, by any cause. `type` 1: cancelled or ended otherwise, 2: filled. */
export const notification = z.object({
  /** Position of the order in the log, unique within an account. */
  id: z.int(),
  type: z.union([z.literal(1), z.literal(2)]),
  /** The API key that placed the order. */
  owner: z.string(),
  /** Unix seconds. */
  timestamp: z.int(),
  payload: order,
})

export type Notification = z.output<typeof notification>
