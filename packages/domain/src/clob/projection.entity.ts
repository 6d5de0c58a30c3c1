import { defineEntity, p } from '@mikro-orm/core'
import { millisColumn, seqColumn } from '../columns.ts'

const schema = defineEntity({
  name: 'Projection',
  tableName: 'projection',
  checks: [
    { name: 'projection_position', expression: 'projected_seq >= 0 and folded_seq >= 0 and folded_seq <= projected_seq and at >= 0' },
    { name: 'projection_checksum_length', expression: 'octet_length(checksum) = 32' },
  ],
  properties: {
    stream: p.text().primary(),
    /** Facts are written up to here. Changed only in the transaction that writes them. */
    projectedSeq: seqColumn(),
    /** Folds include the facts up to here; less than `projectedSeq` only while they are rebuilt. */
    foldedSeq: seqColumn(),
    /** Which statements made the folds, and up to where: what other ones added is made anew. */
    folds: p.integer().default(0),
    foldsSeq: seqColumn().default(0),
    /** Engine milliseconds of the row at `projectedSeq`. */
    at: millisColumn(),
    /** Checksum of the journal row at `projectedSeq`. */
    checksum: p.blob(),
  },
})

/** The position that history has reached. */
export class Projection extends schema.class {}
schema.setClass(Projection)
