import { z } from 'zod'
import { operation } from '../operation.ts'
import { publicQuery } from '../query.ts'

/** Any value: the use case validates these keys, as the specification has its own error texts for them. */
const anything = (description: string) => z.unknown().optional().describe(description)

/** Unix milliseconds. */
const ms = z.int()

/** The specification's price reference snapshot. Prices in the quote currency. */
const priceReferenceSnapshot = z.object({
  series_slug: z.string(),
  instrument: z.string(),
  interval: z.enum(['5m', '15m', '1h', '4h', '1d']),
  source: z.enum(['oracle_a', 'oracle_b']),
  interval_ms: ms,
  active_window_minutes: z.int(),
  event_window_start_ms: ms,
  event_window_end_ms: ms,
  opening_price: z.number().nullable(),
  closing_price: z.number().nullable(),
  latest_price: z.number().nullable(),
  latest_window_end_ms: ms,
  latest_source_timestamp_ms: ms,
  is_event_closed: z.boolean(),
})

/** Reference prices. */
export const priceReferenceOperations = {
  liveSeries: operation({
    method: 'GET',
    path: '/api/price-reference/live-series',
    auth: 'public',
    summary: 'The opening, closing and latest price of a market on a price. Without a start the market lasts one window of the series.',
    query: publicQuery({
      seriesSlug: anything('Required: the slug of the series.'),
      eventEndMs: anything('Required: Unix milliseconds at which the market ends.'),
      eventStartMs: anything('Unix milliseconds at which it begins; one window before its end where this is no positive integer.'),
      activeWindowMinutes: anything('Minutes of its window; those of the series where this is no positive integer.'),
    }),
    output: priceReferenceSnapshot,
    refusals: ['series_slug_required', 'event_end_required', 'series_not_found'],
    repeatable: true,
  }),
} as const
