import { z } from 'zod'
import { slug } from '../condition-request.ts'
import { operation } from '../operation.ts'
import { shownText } from '../text.ts'
import { counted, done, time } from './admin-envelope.ts'
import { seriesWindow } from './resolution.ts'

const text = (most: number) => shownText(most).trim()

/** The editable terms of a price series. */
const terms = {
  /** The source whose price counts. */
  source: z.enum(['oracle_a', 'oracle_b']),
  display_name: text(80).min(1),
  /** Name of the instrument at each source; empty where a source lacks it. */
  symbol_a: text(100),
  symbol_b: text(100),
  enabled: z.boolean(),
  /** Whether every window gets a market. */
  recurring: z.boolean(),
  /** Slug of the main category of its events. */
  category: slug.max(80),
  /** Number of windows after the current one whose markets are open already. */
  ahead: z.int().min(1).max(12),
  /** Seconds after its end for which a window waits for late and corrected prices, and for which its result may be disputed. */
  settlement_seconds: z.int().min(0).max(604_800),
  dispute_seconds: z.int().min(0).max(604_800),
}

const instrument = text(40).min(1)

/** A reference price that is observed in windows of one length. */
const priceSeries = z.object({ slug: z.string(), instrument, interval: z.enum(['5m', '15m', '1h', '4h', '1d']), ...terms })

/** A series in the list, with the latest settled price of the source that counts, or null. */
const listedSeries = priceSeries.extend({
  latest_at: time.nullable(),
  latest_price: z.number().nullable(),
  /** Whether its prices are too old or missing. */
  is_stale: z.boolean(),
})

/** State of one source for a series. A daily series needs five-minute marks as well, for its opening price. */
const priceFeed = z.object({
  source: z.enum(['oracle_a', 'oracle_b']),
  interval: z.enum(['5m', '15m', '1h', '4h', '1d']),
  /** Display name; empty before the first request. */
  name: z.string(),
  is_simulated: z.boolean(),
  is_stale: z.boolean(),
  /** Time of its last success; time and reason of a later failure. */
  checked_at: time.nullable(),
  failed_at: time.nullable(),
  failure: z.string(),
  /** End of the latest settled window, when it was received, and its price. */
  latest_at: time.nullable(),
  received_at: time.nullable(),
  latest_price: z.number().nullable(),
  /** Not settled yet. */
  live_at: time.nullable(),
  live_price: z.number().nullable(),
  /** Gaps without a mark among the last windows, newest first, from the end of the first missing window to that of the last. */
  gaps: z.array(z.object({ from: time, to: time, windows: z.int() })),
})

const settled = z.number().nullable()

/** State of a series, for admins. Prices in its quote currency. */
export const priceSeriesState = z.object({
  series: priceSeries,
  feeds: z.array(priceFeed),
  /** The latest windows with each source's price at their end, and the sources' difference as a fraction of the price that counts. */
  marks: z.array(z.object({ end: time, oracle_a: settled, oracle_b: settled, difference: settled })),
  /** The largest difference among the last windows, and the one from which a result needs review. */
  widest: z.object({ end: time, difference: z.number() }).nullable(),
  tolerance: z.number(),
  /** Corrections by sources, newest first. */
  corrections: z.array(
    z.object({ source: z.enum(['oracle_a', 'oracle_b']), end: time, old_price: z.number(), new_price: z.number(), noticed_at: time }),
  ),
  /** Windows around the current one, oldest first. */
  windows: z.array(seriesWindow),
})

/** The series: its slug names instrument, quote and interval. */
const which = z.object({
  slug: z
    .string()
    .max(60)
    .regex(/^[a-z0-9]+-[a-z0-9]+-(5m|15m|1h|4h|1d)$/, 'expected instrument, quote and interval, such as btc-usd-5m'),
})

/** Management of reference prices. */
export const adminPriceOperations = {
  adminPriceSeries: operation({
    method: 'GET',
    path: '/admin/api/price-series',
    auth: 'admin',
    summary: 'The price series of the deployment.',
    output: counted(listedSeries),
    refusals: [],
    repeatable: true,
  }),
  adminPriceSeriesState: operation({
    method: 'GET',
    path: '/admin/api/price-series/{slug}',
    auth: 'admin',
    summary: 'A price series with its sources, their newest marks, gaps, differences and corrections, and the windows around now.',
    params: which,
    output: done(priceSeriesState),
    refusals: ['series_not_found'],
    repeatable: true,
  }),
  adminPutPriceSeries: operation({
    method: 'PUT',
    path: '/admin/api/price-series/{slug}',
    auth: 'admin',
    summary: 'Configures a price series. Its slug names instrument, quote and interval; what it is about never changes.',
    params: which,
    body: z
      .strictObject({
        instrument,
        ...terms,
        /** The terms the caller saw: if they have changed since, nothing is changed. */
        seen: z.strictObject(terms).partial().optional(),
      })
      .refine(({ source, symbol_a, symbol_b }) => (source === 'oracle_a' ? symbol_a : symbol_b) !== '', {
        path: ['source'],
        error: 'this source has no symbol',
      }),
    output: done(priceSeries),
    refusals: ['step_up_required', 'price_series_fixed', 'changed_meanwhile'],
    repeatable: true,
  }),
} as const

export type PriceSeriesRow = z.output<typeof priceSeries>
export type PriceSeriesState = z.output<typeof priceSeriesState>
