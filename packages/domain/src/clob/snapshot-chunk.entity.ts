import { defineEntity, p } from '@mikro-orm/core'
import { Snapshot } from './snapshot.entity.ts'

const schema = defineEntity({
  name: 'SnapshotChunk',
  tableName: 'snapshot_chunk',
  checks: [{ name: 'snapshot_chunk_not_empty', expression: 'n >= 0 and octet_length(bytes) > 0' }],
  properties: {
    snapshot: () => p.manyToOne(Snapshot).primary().deleteRule('cascade').joinColumns('stream', 'seq'),
    n: p.integer().primary(),
    bytes: p.blob(),
  },
})

/** A piece of a snapshot, small enough for one message. */
export class SnapshotChunk extends schema.class {}
schema.setClass(SnapshotChunk)
