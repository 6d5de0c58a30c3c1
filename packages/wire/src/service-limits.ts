import { z } from 'zod'

/** A budget: how many calls in any `window_seconds`, and the caller's use of it; null where the tier has no limit. */
const budget = z.object({
  name: z.string(),
  /** What calls are counted by. */
  of: z.enum(['account', 'address']),
  /** `METHOD /path` of every operation that counts against it. */
  operations: z.array(z.string()),
  limit: z.int().nullable(),
  window_seconds: z.int(),
  remaining: z.int().nullable(),
  reset_seconds: z.int(),
})

/** Which rate limits an account has, and how many open orders: by the number of the exchange. */
export const tier = z.enum(['standard', 'maker', 'internal', 'large_maker'])

/** Rate limits and size limits of a caller. */
export const serviceLimits = z.object({
  tier,
  budgets: z.array(budget),
  open_orders: z.int(),
  order_batch: z.int(),
  cancel_batch: z.int(),
  token_batch: z.int(),
  lookup_batch: z.int(),
  socket_conditions: z.int(),
  body_bytes: z.int(),
  batch_body_bytes: z.int(),
})

export type ServiceLimits = z.output<typeof serviceLimits>
