import { defineEntity, p } from '@mikro-orm/core'
import { seqColumn } from '../columns.ts'

const schema = defineEntity({
  name: 'Lease',
  tableName: 'lease',
  checks: [{ name: 'lease_counters', expression: 'epoch >= 1 and timeline >= 1' }],
  properties: {
    stream: p.text().primary(),
    /** Changes only when an operator rewrites history, for example by restoring a backup. */
    timeline: p.integer().default(1),
    /** Grows with every writer. Rows of an older epoch can no longer be written. */
    epoch: seqColumn(),
    backendPid: p.integer(),
    /** Host and process of the writer, for operators. */
    holder: p.text(),
    /** Time by the database's clock of the writer's last renewal, at most a second old while it is alive. */
    verifiedAt: p.datetime(3),
  },
})

/** The right to write a stream. The advisory lock shows who has it now; the epoch shuts out former writers. */
export class Lease extends schema.class {}
schema.setClass(Lease)
