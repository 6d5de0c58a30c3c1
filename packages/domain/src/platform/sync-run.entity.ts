import { defineEntity, p } from '@mikro-orm/core'
import { SyncJob } from './sync-job.entity.ts'

/** `abandoned`: the process died and another took the lease. */
const RUN_STATES = ['running', 'finished', 'failed', 'abandoned'] as const

export const syncRunSchema = defineEntity({
  name: 'SyncRun',
  tableName: 'sync_run',
  checks: [
    { name: 'sync_run_finished_has_time', expression: `(state = 'running') = (finished_at is null)` },
    { name: 'sync_run_errors', expression: 'errors >= 0' },
  ],
  indexes: [
    { name: 'sync_run_by_job', expression: 'create index sync_run_by_job on sync_run (job_name, started_at desc)' },
    { name: 'sync_run_one_running', expression: `create unique index sync_run_one_running on sync_run (job_name) where state = 'running'` },
  ],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    job: () => p.manyToOne(SyncJob),
    /** Who started it: a worker or a caller of the sync route. */
    scheduler: p.text(),
    state: p.enum(RUN_STATES).default('running'),
    startedAt: p.datetime(3).defaultRaw('now()'),
    finishedAt: p.datetime(3).nullable(),
    counters: p.json<Record<string, number>>().default('{}'),
    errors: p.integer().default(0),
    /** The first hundred failures. */
    errorDetails: p.json<{ context: string; error: string }[]>().default('[]'),
    timeLimitReached: p.boolean().default(false),
    /** Why the run as a whole failed, or null. */
    message: p.text().nullable(),
  },
})

/** One run of a job: the history that admins see. */
export class SyncRun extends syncRunSchema.class {}
syncRunSchema.setClass(SyncRun)
