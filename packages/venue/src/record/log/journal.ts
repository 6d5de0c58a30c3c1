import { createHash } from 'node:crypto'

/** What one commit holds: commands, and enough to prove that no row was changed, lost or added. */
export interface JournalRow {
  timeline: number
  epoch: number
  firstSeq: number
  lastSeq: number
  /** Engine milliseconds. */
  at: number
  /** Rules in force at `appliedThrough`. */
  rules: number
  /** Position of the state that `digest` is of: the last applied row when this one was cut. */
  appliedThrough: number
  /** Of the engine, 16 hex characters. */
  digest: string
  /** Encoded commands, one after another. */
  commands: Uint8Array
  /** SHA-256 over the stream and everything above and below, hex. */
  checksum: string
  /** Of the row before; GENESIS for the first. */
  previousChecksum: string
}

/** The last row of a journal, as far as the next one needs it. */
export interface Head {
  seq: number
  at: number
  checksum: string
}

/** What the first row calls its predecessor. */
export const GENESIS = '0'.repeat(64)
/** Head of an empty journal. */
export const EMPTY: Head = { seq: 0, at: 0, checksum: GENESIS }

/** The right to write, and where writing continues. */
export interface Tenure {
  timeline: number
  epoch: number
  head: Head
  /** Clock of the store, Unix milliseconds. */
  storeTime: number
}

/** Another process writes the stream, or has written to it: a process that catches this must stop and answer no request. */
export class Fenced extends Error {
  override readonly name = 'Fenced'
}

/** Rows in one read at most: of 256 KB each, 8 MB. */
export const ROWS_A_READ = 32

/** The reading side, used by recovery, follower and standby. */
export interface JournalReader {
  readonly stream: string
  /** The next rows after a position, in order, at most ROWS_A_READ; none at the end. */
  read(afterSeq: number): Promise<JournalRow[]>
  /** Checksum of the row that ends at a position, or null. */
  checksumAt(seq: number): Promise<string | null>
}

/**
 * The log of one stream. Two implementations: PostgreSQL, and the simulator's. Any error other than Fenced means that the outcome is
 * unknown: the writer acquires again and compares the head.
 */
export interface Journal extends JournalReader {
  /**
   * Becomes the only writer, under a new epoch; waits while another one lives. When this journal had the lease before, throws Fenced if
   * anybody had it in between.
   */
  acquire(): Promise<Tenure>
  /** Resolves when the row is durable. Fenced when the epoch is over or the row's predecessor is not the head. */
  append(row: JournalRow): Promise<void>
  /** Proves and renews the lease. Fenced when it is lost. */
  verify(): Promise<void>
  /** Gives the lease up. */
  close(): Promise<void>
}

/** Computes the checksum of a row, which chains it to all rows before it. */
export function seal(stream: string, row: Omit<JournalRow, 'checksum'>): JournalRow {
  const { timeline, epoch, firstSeq, lastSeq, at, rules, appliedThrough, digest, previousChecksum, commands } = row
  const header = [stream, timeline, epoch, firstSeq, lastSeq, at, rules, appliedThrough, digest, previousChecksum]
  const checksum = createHash('sha256').update(JSON.stringify(header)).update(commands).digest('hex')
  return { ...row, checksum }
}
