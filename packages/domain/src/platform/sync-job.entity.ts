import { defineEntity, p } from '@mikro-orm/core'

export const syncJobSchema = defineEntity({
  name: 'SyncJob',
  tableName: 'sync_job',
  checks: [{ name: 'sync_job_lease', expression: '(holder is null) = (heartbeat_at is null)' }],
  properties: {
    name: p.text().primary(),
    /** Run that holds the lease, or null. */
    holder: p.uuid().nullable(),
    heartbeatAt: p.datetime(3).nullable(),
    /** Key of the last item processed, successfully or not; null at the beginning of a round. */
    cursor: p.text().nullable(),
  },
})

/** The lease and the cursor of a recurring job. */
export class SyncJob extends syncJobSchema.class {}
syncJobSchema.setClass(SyncJob)
