import { z } from 'zod'
import { operation } from '../operation.ts'
import { figureText, publicQuery } from '../query.ts'
import { done, success, time } from './admin-envelope.ts'
import { managing } from './asks-exchange.ts'

/** A component that the site depends on, and what to do if it is unhealthy. */
const part = z.object({
  name: z.enum(['database', 'exchange', 'history', 'worker', 'model', 'uploads', 'chain']),
  state: z.enum(['ok', 'warning', 'down', 'off']),
  text: z.string(),
  /** What an operator should do; empty if nothing. */
  remedy: z.string(),
})

const day = z.object({
  /** `YYYY-MM-DD`, UTC. */
  day: z.string(),
  /** In USDC, of the markets of this deployment. */
  volume: z.number(),
  fees: z.number(),
  affiliate_shares: z.number(),
  trades: z.int(),
  /** Last value of the day; null if there is none. */
  open_interest: z.number().nullable(),
  members: z.int().nullable(),
  new_members: z.int(),
})

/** State of the system. */
export const adminSystemOperations = {
  adminSystem: operation({
    method: 'GET',
    path: '/admin/api/system',
    auth: 'admin',
    summary: 'Health of all parts, open tasks, and running versions.',
    output: done(
      z.object({
        parts: z.array(part),
        exchange: z
          .object({
            mode: z.enum(['normal', 'post_only', 'cancel_only', 'paused', 'starting']),
            since: z.string(),
            seq: z.int(),
            projected_seq: z.int(),
            lag_seconds: z.number(),
            writer: z.string(),
            epoch: z.int(),
          })
          .nullable(),
        /** Values encrypted with another key than the first of the ring. */
        keys: z.object({ current: z.string(), to_rotate: z.int() }),
        versions: z.object({ site: z.string(), node: z.string(), postgres: z.string(), migration: z.string() }),
        settings: z.object({ mode: z.string(), origin: z.string(), chain_id: z.int(), operator: z.string() }),
        now: time,
      }),
    ),
    refusals: [],
    repeatable: true,
  }),
  adminSetVenueMode: operation({
    method: 'POST',
    path: '/admin/api/system/exchange-mode',
    auth: 'admin',
    summary: 'Sets the mode of the whole exchange: normal, cancel only, or paused.',
    body: z.strictObject({ mode: z.enum(['normal', 'cancel_only', 'paused']) }),
    output: success,
    refusals: ['step_up_required', ...managing],
    repeatable: true,
  }),
  adminDashboard: operation({
    method: 'GET',
    path: '/admin/api/dashboard',
    auth: 'admin',
    summary: 'Volume, fees, members and open interest, now and day by day, oldest first.',
    query: publicQuery({
      days: figureText(z.coerce.number().int().min(1).max(366).default(30)).describe('Days to look back, at most 366.'),
    }),
    output: done(
      z.object({
        totals: z.object({
          volume: z.number(),
          volume_24h: z.number(),
          open_interest: z.number(),
          fees: z.number(),
          affiliate_shares: z.number(),
          members: z.int(),
          new_members_24h: z.int(),
          traders: z.int(),
          active_events: z.int(),
          active_markets: z.int(),
          attention: z.int(),
          /** Reported comments that were not reviewed yet. */
          reported_comments: z.int(),
          /** Withdrawals of members whose money is set aside and not yet paid. */
          withdrawals_to_pay: z.int(),
        }),
        days: z.array(day),
        /** Time up to which trades are counted; null before the first count. */
        counted_until: time.nullable(),
      }),
    ),
    refusals: [],
    repeatable: true,
  }),
} as const
