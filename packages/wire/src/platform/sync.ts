import { z } from 'zod'
import { operation } from '../operation.ts'

/** Result of a run that completed or used up its time; jobs add counters of their own. */
export const syncDone = z.looseObject({
  success: z.literal(true),
  /** Number of failed items; `errorDetails` has the first hundred. */
  errors: z.int(),
  errorDetails: z.array(z.object({ context: z.string(), error: z.string() })),
  timeLimitReached: z.boolean(),
})
/** Result when the job is running elsewhere. */
export const syncSkipped = z.object({ success: z.literal(false), message: z.string(), skipped: z.literal(true) })
/** Result of a failed run; the next one continues where it stopped. */
export const syncFailed = z.object({ success: z.literal(false), error: z.string() })

const job = (name: string, summary: string) =>
  operation({
    method: 'GET',
    path: `/api/sync/${name}`,
    auth: 'scheduler',
    summary,
    output: z.union([syncDone, syncSkipped, syncFailed]),
    answers: { 409: syncSkipped, 500: syncFailed },
    refusals: [],
    repeatable: true,
  })

/** The recurring jobs, for an external scheduler; the worker runs the same jobs on its own schedule. */
export const syncOperations = {
  syncEvents: job('events', 'Takes in the markets of the creators that the deployment shows, and what became of those it has.'),
  syncVolume: job('volume', 'Refreshes volume, open interest and holders of markets.'),
  syncResolution: job('resolution', 'Takes over how far the resolution of markets is, and its result.'),
  syncPrices: job('prices', 'Refreshes prices and liquidity of markets, and writes their history.'),
  syncUsers: job('users', 'Refreshes volume and trades of members.'),
  syncBooks: job('books', 'Compares markets with the books of the exchange, and mends what differs.'),
} as const

export type SyncDone = z.output<typeof syncDone>
export type SyncSkipped = z.output<typeof syncSkipped>
export type SyncFailed = z.output<typeof syncFailed>
