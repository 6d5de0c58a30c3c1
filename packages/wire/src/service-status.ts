import { z } from 'zod'
import { iso } from './scalars.ts'

/** Status of the exchange. */
export const serviceStatus = z.object({
  mode: z.enum(['normal', 'post_only', 'cancel_only', 'paused', 'starting']),
  /** Start of the current mode. */
  since: iso,
  /** Position of the last applied command. */
  seq: z.int(),
  /** The timeline: changes only when history is rewritten. */
  epoch: z.int(),
  /** Position up to which history queries are complete. */
  projected_seq: z.int(),
  /** Seconds by which history is behind. */
  lag: z.number(),
  /** `stopped`: needs an operator; books, orders and holds stay exact. */
  history: z.enum(['following', 'stopped']),
  writer: z.enum(['primary', 'standby', 'starting', 'draining']),
  sandbox: z.boolean(),
  chain_id: z.int(),
})

/** Response of the liveness and readiness probes. */
export const health = z.object({
  status: z.enum(['ok', 'starting', 'draining', 'standby', 'unavailable']),
  history: z.enum(['following', 'stopped']).optional(),
})

export type ServiceStatus = z.output<typeof serviceStatus>
