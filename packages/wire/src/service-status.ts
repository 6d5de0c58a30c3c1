import { z } from 'zod'
import { iso } from './scalars.ts'

/** How the exchange is doing. */
export const serviceStatus = z.object({
  mode: z.enum(['normal', 'post_only', 'cancel_only', 'paused', 'starting']),
  /** Since when it is in this mode. */
  since: iso,
  /** Position of the last applied command. */
  seq: z.int(),
  /** Changes only when history is rewritten. */
  epoch: z.int(),
  /** How far history queries have come. */
  projected_seq: z.int(),
  lag_seconds: z.number(),
  /** `stopped`: it cannot go on until somebody mends it; books, orders and holds are exact all the same. */
  history: z.enum(['following', 'stopped']),
  writer: z.enum(['primary', 'standby', 'starting', 'draining']),
  sandbox: z.boolean(),
  chain_id: z.int(),
})

/** Alive, or ready to serve. */
export const health = z.object({
  status: z.enum(['ok', 'starting', 'draining', 'standby', 'unavailable']),
  history: z.enum(['following', 'stopped']).optional(),
})

export type ServiceStatus = z.output<typeof serviceStatus>
