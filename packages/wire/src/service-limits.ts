import { z } from 'zod'

/** One budget: how many calls in any `window_seconds`, and where the caller stands; null where the tier has no limit. */
const budget = z.object({
  name: z.string(),
  /** Whose calls are counted together. */
  of: z.enum(['account', 'address']),
  /** `METHOD /path` of every operation that takes one from it. */
  operations: z.array(z.string()),
  limit: z.int().nullable(),
  window_seconds: z.int(),
  remaining: z.int().nullable(),
  reset_seconds: z.int(),
})

/** What a caller may do how often, and how much at once. */
export const serviceLimits = z.object({
  tier: z.enum(['standard', 'maker', 'internal']),
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
