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
    /** Key of the last item dealt with, good or bad; null at the beginning of a round. */
    cursor: p.text().nullable(),
  },
})

/** The lease and the place of a recurring job. */
export class SyncJob extends schema.class {}
schema.setClass(SyncJob)
