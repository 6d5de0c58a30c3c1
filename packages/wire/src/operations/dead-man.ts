import { z } from 'zod'
import { DEAD_MAN } from '../limits.ts'
import { venueOperation } from '../operation.ts'
import { isoOrNull } from '../scalars.ts'

const timeout = z.int().min(DEAD_MAN.leastMs).max(DEAD_MAN.mostMs)
const never = z.literal(0, `expected 0, or a whole number from ${DEAD_MAN.leastMs} to ${DEAD_MAN.mostMs}`)
const heartbeatId = z.string().max(64)

export const deadManOperations = {
  postHeartbeat: venueOperation({
    method: 'POST',
    path: '/v1/heartbeats',
    trading: 'heartbeat',
    auth: 'trade',
    summary:
      'Send a heartbeat. After the first one, missing heartbeats cancel all your open orders. Send the ID of the last answer; omit it at first.',
    body: z.strictObject({
      heartbeat_id: heartbeatId
        .nullable()
        .default('')
        .transform((id) => id ?? ''),
      timeout_ms: timeout
        .default(DEAD_MAN.usualMs)
        .describe(`Orders are cancelled after so long a silence, and ${DEAD_MAN.graceMs / 1000} s for a late heartbeat.`),
    }),
    output: z.object({ heartbeat_id: heartbeatId }),
    refusals: ['stale_heartbeat', 'rate_limited', 'overloaded', 'standby', 'service_unavailable'],
    refusalExtras: z.object({ heartbeat_id: heartbeatId.describe('Of `stale_heartbeat`: the one to name.') }).partial(),
    repeatable: false,
    cost: 'write',
    shed: 'reduces risk',
    rateLimit: { budget: 'deadMan', of: 'account' },
  }),
  postPlainHeartbeat: venueOperation({
    method: 'POST',
    path: '/heartbeats',
    auth: 'trade',
    summary: 'The same without IDs, for older clients. Starts a new chain of IDs.',
    output: z.object({ status: z.literal('ok') }),
    refusals: ['rate_limited', 'overloaded', 'standby', 'service_unavailable'],
    repeatable: true,
    cost: 'write',
    shed: 'reduces risk',
    rateLimit: { budget: 'deadMan', of: 'account' },
  }),
  cancelAfter: venueOperation({
    method: 'POST',
    path: '/cancel-after',
    trading: 'cancel-after',
    auth: 'trade',
    summary: 'Cancel all your open orders after a time, unless asked again before; 0 disarms.',
    body: z.strictObject({ timeout_ms: z.union([never, timeout]) }),
    output: z.object({ timeout_ms: z.int(), cancels_at: isoOrNull }),
    refusals: ['rate_limited', 'overloaded', 'standby', 'service_unavailable'],
    repeatable: true,
    cost: 'write',
    shed: 'reduces risk',
    rateLimit: { budget: 'deadMan', of: 'account' },
  }),
}
