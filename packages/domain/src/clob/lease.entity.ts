import { defineEntity, p } from '@mikro-orm/core'
import { seqColumn } from '../columns.ts'

const schema = defineEntity({
  name: 'Lease',
  tableName: 'lease',
  checks: [{ name: 'lease_counters', expression: 'epoch >= 1 and timeline >= 1' }],
  properties: {
    stream: p.text().primary(),
    /** Changes only when history is rewritten, by the operator who does it. */
    timeline: p.integer().default(1),
    /** Grows with every writer. A row of an older epoch can no longer be written. */
    epoch: seqColumn(),
    backendPid: p.integer(),
    /** Host and process of the writer, for people. */
    holder: p.text(),
    /** Database clock of the writer's last sign of life, at most a second old while it lives. */
    verifiedAt: p.datetime(3),
  },
})

/** Who may write a stream. The advisory lock says who does, the epoch says who may no longer. */
export class Lease extends schema.class {}
schema.setClass(Lease)
