import { defineEntity, p } from '@mikro-orm/core'
import { SyncJob } from './sync-job.entity.ts'

export const syncFailureSchema = defineEntity({
  name: 'SyncFailure',
  tableName: 'sync_failure',
  checks: [
    { name: 'sync_failure_attempts', expression: 'attempts >= 1' },
    { name: 'sync_failure_times', expression: 'first_at <= last_at and last_at <= next_at' },
    { name: 'sync_failure_texts', expression: 'length(item) >= 1 and length(item) <= 300 and length(error) <= 500' },
  ],
  indexes: [{ name: 'sync_failure_dead', expression: 'create index sync_failure_dead on sync_failure (last_at desc) where dead' }],
  properties: {
    job: () => p.manyToOne(SyncJob).primary(),
    /** Key of the item, in terms of its job. */
    item: p.text().primary(),
    attempts: p.integer(),
    firstAt: p.datetime(3),
    lastAt: p.datetime(3),
    /** Skipped until then. */
    nextAt: p.datetime(3),
    /** Failed so often that an operator should look at it. Retried once a day. */
    dead: p.boolean().default(false),
    error: p.text(),
  },
})

/** An item that a job failed on. */
export class SyncFailure extends syncFailureSchema.class {}
syncFailureSchema.setClass(SyncFailure)
