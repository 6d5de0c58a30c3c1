import { defineEntity, p } from '@mikro-orm/core'
import { millisColumn, seqColumn } from '../columns.ts'

const schema = defineEntity({
  name: 'Snapshot',
  tableName: 'snapshot',
  checks: [
    { name: 'snapshot_positions', expression: 'seq >= 1 and at > 0 and rules >= 1' },
    { name: 'snapshot_hash_length', expression: 'octet_length(checksum) = 32 and octet_length(hash) = 32' },
    { name: 'snapshot_not_empty', expression: 'size > 0 and chunks > 0' },
  ],
  properties: {
    stream: p.text().primary(),
    seq: seqColumn().primary(),
    /** Engine milliseconds of the row after which it was taken. */
    at: millisColumn(),
    rules: p.integer(),
    /** Checksum of the journal row that ends at `seq`: the snapshot belongs to that history and no other. */
    checksum: p.blob(),
    /** SHA-256 of the whole snapshot. */
    hash: p.blob(),
    size: seqColumn(),
    chunks: p.integer(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** The engine's state at a row boundary; saves replaying what came before. */
export class Snapshot extends schema.class {}
schema.setClass(Snapshot)
