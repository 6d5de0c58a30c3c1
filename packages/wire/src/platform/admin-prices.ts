import { z } from 'zod'
import { operation } from '../operation.ts'
import { counted, done } from './admin-envelope.ts'

const text = (most: number) => z.string().trim().max(most)

/** What may be changed about a price series. */
const terms = {
  /** Whose price counts. */
  source: z.enum(['oracle_a', 'oracle_b']),
  display_name: text(80).min(1),
  /** What each source calls the instrument; empty when it does not have it. */
  symbol_a: text(100),
  symbol_b: text(100),
  enabled: z.boolean(),
  /** Whether a market is opened for every window. */
  recurring: z.boolean(),
  /** Slug of the main category of its events. */
  category: z
    .string()
    .max(80)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  /** Windows after the running one whose markets are open already. */
  ahead: z.int().min(1).max(12),
  /** Seconds after its end that a window waits for late and corrected prices, and that its result may be disputed. */
  settlement_seconds: z.int().min(0).max(604_800),
  dispute_seconds: z.int().min(0).max(604_800),
}

const instrument = text(40).min(1)

/** A reference price that is observed in windows of one length. */
export const priceSeries = z.object({ slug: z.string(), instrument, interval: z.enum(['5m', '15m', '1h', '4h', '1d']), ...terms })

/** What an admin sets about reference prices. */
export const adminPriceOperations = {
  adminPriceSeries: operation({
    method: 'GET',
    path: '/admin/api/price-series',
    auth: 'admin',
    summary: 'The price series of the deployment.',
    output: counted(priceSeries),
    refusals: [],
    repeatable: true,
  }),
  adminPutPriceSeries: operation({
    method: 'PUT',
    path: '/admin/api/price-series/{slug}',
    auth: 'admin',
    summary: 'Configures a price series. Its slug names instrument, quote and interval; what it is about never changes.',
    params: z.object({
      slug: z
        .string()
        .max(60)
        .regex(/^[a-z0-9]+-[a-z0-9]+-(5m|15m|1h|4h|1d)$/, 'expected instrument, quote and interval, such as btc-usd-5m'),
    }),
    body: z
      .strictObject({ instrument, ...terms })
      .refine(({ source, symbol_a, symbol_b }) => (source === 'oracle_a' ? symbol_a : symbol_b) !== '', {
        path: ['source'],
        error: 'this source has no symbol',
      }),
    output: done(priceSeries),
    refusals: ['step_up_required', 'price_series_fixed'],
    repeatable: true,
  }),
} as const

export type PriceSeriesRow = z.output<typeof priceSeries>
