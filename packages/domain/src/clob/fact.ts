import { p } from '@mikro-orm/core'
import { millisColumn, seqColumn } from '../columns.ts'

/**
 * Columns of every fact: its position in the log, that is the position of its command and its number within it. Facts are written once and
 * never changed. `stream` comes first because shards and partitions will be cut along it.
 */
export const factKey = () => ({
  stream: p.text().primary(),
  seq: seqColumn().primary(),
  n: p.integer().primary(),
  /** Engine milliseconds of the row. */
  at: millisColumn(),
})

/** A CHECK that all named bytea columns are addresses (20 bytes) or ids (32 bytes). */
export const bytesCheck = (length: 20 | 32, ...columns: string[]) =>
  columns.map((column) => `octet_length(${column}) = ${length}`).join(' and ')
