import { z } from 'zod'
import { operation } from '../operation.ts'
import { shownText } from '../text.ts'
import { counted, done, time } from './admin-envelope.ts'
import { seriesWindow } from './resolution.ts'

const text = (most: number) => shownText(most).trim()

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
const priceSeries = z.object({ slug: z.string(), instrument, interval: z.enum(['5m', '15m', '1h', '4h', '1d']), ...terms })

/** A series in the list: with the newest settled price of the source that counts, null before there is one. */
const listedSeries = priceSeries.extend({
  latest_at: time.nullable(),
  latest_price: z.number().nullable(),
  /** Nothing new came for too long, or nothing ever did. */
  is_stale: z.boolean(),
})

/** How one source does with what a series needs. A day needs five-minute marks as well, for its opening. */
const priceFeed = z.object({
  source: z.enum(['oracle_a', 'oracle_b']),
  interval: z.enum(['5m', '15m', '1h', '4h', '1d']),
  /** As people read it; empty before it was ever asked. */
  name: z.string(),
  is_simulated: z.boolean(),
  is_stale: z.boolean(),
  /** When it last answered well; when it failed since then, and why. */
  checked_at: time.nullable(),
  failed_at: time.nullable(),
  failure: z.string(),
  /** End of the newest settled window, when it was heard of, and its price. */
  latest_at: time.nullable(),
  received_at: time.nullable(),
  latest_price: z.number().nullable(),
  /** Not settled yet. */
  live_at: time.nullable(),
  live_price: z.number().nullable(),
  /** Stretches without a mark among the last windows, newest first: between the ends of their first and last window. */
  gaps: z.array(z.object({ from: time, to: time, windows: z.int() })),
})

const settled = z.number().nullable()

/** What an admin has to know about a series. Prices in its quote currency. */
export const priceSeriesState = z.object({
  series: priceSeries,
  feeds: z.array(priceFeed),
  /** The newest windows with what each source says of their end, and by which share of the one that counts they differ. */
  marks: z.array(z.object({ end: time, oracle_a: settled, oracle_b: settled, difference: settled })),
  /** The widest difference among the last windows, and the one from which on people have to look at a result. */
  widest: z.object({ end: time, difference: z.number() }).nullable(),
  tolerance: z.number(),
  /** What sources took back, newest first. */
  corrections: z.array(
    z.object({ source: z.enum(['oracle_a', 'oracle_b']), end: time, old_price: z.number(), new_price: z.number(), noticed_at: time }),
  ),
  /** Windows around now, oldest first. */
  windows: z.array(seriesWindow),
})

/** A slug that names instrument, quote and interval. */
const which = z.object({
  slug: z
    .string()
    .max(60)
    .regex(/^[a-z0-9]+-[a-z0-9]+-(5m|15m|1h|4h|1d)$/, 'expected instrument, quote and interval, such as btc-usd-5m'),
})

/** What an admin sets about reference prices. */
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
        /** The terms that the caller had before it: where they are others now, nothing is changed. */
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
