import { z } from 'zod'
import { operation } from '../operation.ts'
import { publicQuery } from '../query.ts'
import { searchText } from '../scalars.ts'

const iso = z.iso.datetime()
const slug = searchText(200).min(1)
const pageQuery = { method: 'GET', auth: 'public', repeatable: true } as const

/** A step in the history of a resolution. `actor` is the address of an operator, the slug of a series, or empty for the clock. */
const resolutionStep = z.object({
  step: z.enum([
    'closed',
    'proposed',
    'disputed',
    'cancelled',
    'confirmed',
    'settled',
    'paid',
    'flagged',
    'unflagged',
    'paused',
    'resumed',
    'rescheduled',
  ]),
  at: iso,
  actor_kind: z.enum(['operator', 'series', 'clock']),
  actor: z.string(),
  /** Payout of a Yes share in USDC, according to this step. */
  yes_pays: z.number().min(0).max(1).nullable(),
  /** End of the time in which a proposal may be disputed; of a rescheduled market its new end. */
  deadline_at: iso.nullable(),
  /** Evidence and reasons. */
  note: z.string(),
})

/** State of a market's resolution, with its history, oldest step first. */
export const marketResolution = z.object({
  condition_id: z.string(),
  status: z.enum(['pending', 'proposed', 'disputed', 'confirmed']),
  flagged: z.boolean(),
  paused: z.boolean(),
  deadline_at: iso.nullable(),
  end_time: iso,
  steps: z.array(resolutionStep),
})

/** A window of a recurring series; prices in its quote currency. `result` is null until final; `flat` means that both sides are paid half. */
export const seriesWindow = z.object({
  event_slug: z.string(),
  condition_id: z.string(),
  start: iso,
  end: iso,
  state: z.enum(['upcoming', 'open', 'settling', 'resolved']),
  result: z.enum(['up', 'down', 'flat']).nullable(),
  opening_price: z.number().nullable(),
  closing_price: z.number().nullable(),
})

/** The price series of an event, with the quality of its data. */
export const seriesOfEvent = z.object({
  slug: z.string(),
  display_name: z.string(),
  instrument: z.string(),
  interval: z.enum(['5m', '15m', '1h', '4h', '1d']),
  source: z.enum(['oracle_a', 'oracle_b']),
  feed: z.object({
    /** Display name. */
    name: z.string(),
    /** Whether its prices are simulated. */
    is_simulated: z.boolean(),
    /** Whether its prices are too old, which pages must show beside them. */
    is_stale: z.boolean(),
    /** Time of the source's last success, and of its last failure since. */
    checked_at: iso.nullable(),
    failed_at: iso.nullable(),
    /** Time of the latest settled price at the source. */
    latest_at: iso.nullable(),
    latest_price: z.number().nullable(),
    /** Not settled yet; for display only. */
    live_at: iso.nullable(),
    live_price: z.number().nullable(),
    /** Difference of the other source at the latest window that both have, as a fraction of this one's price. */
    difference: z.number().nullable(),
  }),
  /** Latest settled prices until the end of the event's window, oldest first; `t` is the end of a window in Unix milliseconds. */
  marks: z.array(z.object({ t: z.int(), p: z.number() })),
  /** Windows around the event's, oldest first. */
  windows: z.array(seriesWindow),
})

/** Queries of pages about prices and resolutions that are not routes of the contract. */
export const resolutionPageQueries = {
  resolutionHistory: operation({
    ...pageQuery,
    path: '/trpc/resolutionHistory',
    summary: 'The resolution steps of each market of an event.',
    query: publicQuery({ slug }),
    output: z.array(marketResolution),
    refusals: ['event_not_found'],
  }),
  seriesOfEvent: operation({
    ...pageQuery,
    path: '/trpc/seriesOfEvent',
    summary: 'The price that an event is about, how fresh it is, and the windows around it; null for an event about no price.',
    query: publicQuery({ slug }),
    output: seriesOfEvent.nullable(),
    refusals: ['event_not_found'],
  }),
} as const

export type MarketResolution = z.output<typeof marketResolution>
export type SeriesOfEvent = z.output<typeof seriesOfEvent>
