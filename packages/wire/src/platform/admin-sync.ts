import { z } from 'zod'
import { operation } from '../operation.ts'
import { filter, limit, offset, publicQuery } from '../query.ts'
import { counted, done, success, time } from './admin-envelope.ts'

/** A run of a job. */
const syncRun = z.object({
  id: z.uuid(),
  job: z.string(),
  /** Who started it: a worker, a caller of the sync route, or an admin. */
  scheduler: z.string(),
  state: z.enum(['running', 'finished', 'failed', 'abandoned']),
  started_at: time,
  finished_at: time.nullable(),
  counters: z.record(z.string(), z.number()),
  errors: z.int(),
  error_details: z.array(z.object({ context: z.string(), error: z.string() })),
  time_limit_reached: z.boolean(),
  /** Why the run as a whole failed. */
  message: z.string().nullable(),
})

/** State of a job. */
const syncJobState = z.object({
  job: z.string(),
  /** Start of the current run; null when it is not running. */
  running_since: time.nullable(),
  /** Whether its last run stopped within a round, which the next one continues. */
  mid_round: z.boolean(),
  last_run: syncRun.nullable(),
  /** Seconds since its last successful run, or since its first run if all failed; null before the first. */
  lag_seconds: z.number().nullable(),
  /** Failed items that wait for their next attempt. */
  waiting: z.int(),
  /** Those of them that failed so often that they need attention. */
  dead: z.int(),
})

/** An item that a job failed to process. */
const deadLetter = z.object({
  job: z.string(),
  item: z.string(),
  attempts: z.int(),
  first_at: time,
  last_at: time,
  next_at: time,
  dead: z.boolean(),
  error: z.string(),
})

const which = z.strictObject({ job: z.string().max(60), item: z.string().max(300) })
const read = { method: 'GET', auth: 'admin', refusals: [], repeatable: true } as const

/** The scheduled jobs, their runs and their failures. */
export const adminSyncOperations = {
  adminSyncState: operation({
    ...read,
    path: '/admin/api/sync',
    summary: 'All jobs with their last run, lag and backlog.',
    output: z.object({ data: z.array(syncJobState) }),
  }),
  adminSyncRuns: operation({
    ...read,
    path: '/admin/api/sync/runs',
    summary: 'Runs, the newest first.',
    query: publicQuery({ limit: limit(100, 50), offset: offset(), job: filter(z.string().min(1).max(60)).describe('Name of a job.') }),
    output: counted(syncRun),
  }),
  adminDeadLetters: operation({
    ...read,
    path: '/admin/api/sync/dead-letters',
    summary: 'Failed items, dead letters first.',
    query: publicQuery({ limit: limit(100, 50), offset: offset(), job: filter(z.string().min(1).max(60)).describe('Name of a job.') }),
    output: counted(deadLetter),
  }),
  adminRetryDeadLetter: operation({
    method: 'POST',
    path: '/admin/api/sync/dead-letters/retry',
    auth: 'admin',
    summary: 'Retries an item in the next run, as after its first failure.',
    body: which,
    output: success,
    refusals: ['dead_letter_not_found'],
    repeatable: true,
  }),
  adminRunSync: operation({
    method: 'POST',
    path: '/admin/api/sync/{job}/run',
    auth: 'admin',
    summary: 'Starts a job now. Answers within some seconds with the run as it is then, or with the one that is under way.',
    params: z.object({ job: z.string().max(60) }),
    output: done(syncRun),
    refusals: ['job_not_found'],
    repeatable: true,
  }),
} as const

export type SyncRunView = z.output<typeof syncRun>
export type SyncJobState = z.output<typeof syncJobState>
export type DeadLetter = z.output<typeof deadLetter>
