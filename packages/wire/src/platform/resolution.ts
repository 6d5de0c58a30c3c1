import { z } from 'zod'
import { operation } from '../operation.ts'
import { publicQuery } from '../query.ts'
import { searchText } from '../scalars.ts'

const iso = z.iso.datetime()
const slug = searchText(200).min(1)
const pageQuery = { method: 'GET', auth: 'public', repeatable: true } as const

/** A line of a resolution's history. `actor`: an address for an operator, the slug of a series, or nothing for the clock. */
const resolutionStep = z.object({
  step: z.enum([
    ...(['closed', 'proposed', 'disputed', 'cancelled', 'confirmed', 'settled', 'paid'] as const),
    ...(['flagged', 'unflagged', 'paused', 'resumed'] as const),
  ]),
  at: iso,
  actor_kind: z.enum(['operator', 'series', 'clock']),
  actor: z.string(),
  /** What a Yes share pays in USDC, by this step. */
  yes_pays: z.number().min(0).max(1).nullable(),
  /** Until when a proposal may be disputed. */
  deadline_at: iso.nullable(),
  /** Evidence and reasons. */
  note: z.string(),
})

/** How the resolution of a market stands, and how it came there, oldest step first. */
export const marketResolution = z.object({
  condition_id: z.string(),
  status: z.enum(['pending', 'proposed', 'disputed', 'confirmed']),
  flagged: z.boolean(),
  paused: z.boolean(),
  deadline_at: iso.nullable(),
  end_time: iso,
  steps: z.array(resolutionStep),
})

/** A window of a recurring series; prices in its quote currency. `result` is null before the result is final, `flat` where both sides are paid half. */
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

/** The price that an event is about, and how well it is known. */
export const seriesOfEvent = z.object({
  slug: z.string(),
  display_name: z.string(),
  instrument: z.string(),
  interval: z.enum(['5m', '15m', '1h', '4h', '1d']),
  source: z.enum(['oracle_a', 'oracle_b']),
  feed: z.object({
    /** As people read it. */
    name: z.string(),
    /** Its prices are made up. */
    is_simulated: z.boolean(),
    /** Nothing new came for too long: say so beside every price. */
    is_stale: z.boolean(),
    /** When the source last answered well, and when it was last seen to fail since. */
    checked_at: iso.nullable(),
    failed_at: iso.nullable(),
    /** When the source saw the newest settled price. */
    latest_at: iso.nullable(),
    latest_price: z.number().nullable(),
    /** Not settled yet: only for looking at. */
    live_at: iso.nullable(),
    live_price: z.number().nullable(),
    /** By how much the other source differs from this one at the newest window that both have, as a share of it. */
    difference: z.number().nullable(),
  }),
  /** Newest settled prices, oldest first: `t` is the end of a window in Unix milliseconds. */
  marks: z.array(z.object({ t: z.int(), p: z.number() })),
  /** Windows around the event's, in the order of time. */
  windows: z.array(seriesWindow),
})

/** What pages ask about prices and results beyond the routes of the contract. */
export const resolutionPageQueries = {
  resolutionHistory: operation({
    ...pageQuery,
    path: '/trpc/resolutionHistory',
    summary: 'How the resolution of each market of an event went.',
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
