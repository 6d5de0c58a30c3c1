import { defineEntity, p } from '@mikro-orm/core'

const schema = defineEntity({
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
export class SyncJob extends schema.class {}
schema.setClass(SyncJob)
