import { crc32 } from 'node:zlib'
import { EMPTY, type Head, type JournalRow, seal } from '@augury/venue/record/log/journal'
import type { StoredSnapshot } from '@augury/venue/record/log/snapshots'
import { Disk, SECTOR } from './disk.ts'

/** Marks the beginning of a record; the lengths of its two parts and their checksum follow. */
const FRAME = 16
const MAGIC = 0x41554752

/** The simulated database of one stream: a journal on a disk, a lease, snapshots. It outlives the processes that use it. */
export class Store {
  readonly stream: string
  /** Whether it detects torn records, as a database does. Otherwise it returns what it finds. */
  readonly careful: boolean
  disk = new Disk()
  rows: JournalRow[] = []
  lease: { epoch: number; timeline: number; holder: string; session: Session | null; verifiedAt: number } | null = null
  snapshots: (StoredSnapshot & { hash: Buffer })[] = []
  /** What the follower has written: facts as JSON, one element per batch. */
  projection: { head: Head; batches: string[] } = { head: EMPTY, batches: [] }
  /** Whether acknowledged data cannot even be read. Then it answers nothing. */
  unreadable = false
  readonly sessions = new Set<Session>()
  /** Rows that were sent and never became durable. */
  readonly lost: JournalRow[] = []
  /** Incremented by every change: equal numbers mean equal content. */
  version = 0
  /** When all sessions were last lost at once. */
  servingSince = Number.NEGATIVE_INFINITY
  #end = 0

  constructor(stream: string, careful: boolean) {
    this.stream = stream
    this.careful = careful
  }

  get head(): Head {
    const last = this.rows.at(-1)
    return last ? { seq: last.lastSeq, at: last.at, checksum: last.checksum } : EMPTY
  }

  /** The next rows after a position. */
  rowsAfter(seq: number, count: number): JournalRow[] {
    const first = this.#indexAfter(seq)
    return this.rows.slice(first, first + count)
  }

  checksumAt(seq: number): string | null {
    const row = this.rows[this.#indexAfter(seq) - 1]
    return row?.lastSeq === seq ? row.checksum : null
  }

  /** Index of the first row that begins after a position. */
  #indexAfter(seq: number): number {
    let low = 0
    let high = this.rows.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.rows[middle]!.firstSeq > seq) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Whether a row may be written now: by the current writer, after the row that it names. */
  admits(row: JournalRow, session: Session): boolean {
    const { lease } = this
    const ours = lease?.session === session && lease.epoch === row.epoch && lease.timeline === row.timeline
    return ours && this.head.checksum === row.previousChecksum
  }

  /** Writes a row to the disk, unsynced. */
  write(row: JournalRow): void {
    this.version++
    this.disk.write(this.#end, encodeRecord(row))
  }

  /** Syncs what was written last. */
  commit(row: JournalRow): void {
    this.version++
    this.disk.sync()
    this.rows.push(row)
    this.#end += roomFor(encodeRecord(row))
  }

  /** Rolls back what a writer left unfinished: from here on it can no longer become durable. */
  rollBack(): void {
    this.version++
    this.disk.discard()
  }

  /** Recovers from the disk, as after a power cut at a simulated time. */
  restart(now: number): void {
    this.version++
    this.servingSince = now
    for (const session of this.sessions) session.open = false
    this.sessions.clear()
    if (this.lease) this.lease.session = null
    this.rows = []
    const promised = this.#end
    this.#end = 0
    for (;;) {
      const found = decodeRecord(this.disk.bytes, this.#end, this.careful)
      if (!found) break
      this.rows.push(found.row)
      this.#end += roomFor(found.bytes)
    }
    if (this.#end < promised) this.unreadable = true
  }

  /** Writes facts and the position they reach, or nothing: another follower may have been here before. */
  project(from: Head, to: Head, facts: unknown): void {
    if (this.projection.head.checksum !== from.checksum) throw new Error('connection lost') // the follower starts over
    this.version++
    this.projection = { head: to, batches: [...this.projection.batches, JSON.stringify(facts)] }
  }

  /** Loses the last rows, although they were acknowledged. */
  forget(count: number): void {
    this.rows.splice(Math.max(0, this.rows.length - count))
    this.#end = this.rows.reduce((sum, row) => sum + roomFor(encodeRecord(row)), 0)
  }

  /** Whether its rows are unchanged and each follows the one before. */
  get isSound(): boolean {
    return this.rows.every((row, i) => {
      const before = i === 0 ? EMPTY : { seq: this.rows[i - 1]!.lastSeq, checksum: this.rows[i - 1]!.checksum }
      const { checksum, ...rest } = row
      return row.previousChecksum === before.checksum && row.firstSeq === before.seq + 1 && seal(this.stream, rest).checksum === checksum
    })
  }

  /** A copy of the store. */
  copy(): Store {
    const store = new Store(this.stream, this.careful)
    store.disk = this.disk.copy()
    store.rows = [...this.rows]
    store.snapshots = [...this.snapshots]
    store.projection = { head: this.projection.head, batches: [...this.projection.batches] }
    store.lease = this.lease && { ...this.lease, session: null }
    store.#end = this.#end
    store.unreadable = this.unreadable
    return store
  }
}

/** A connection to the store. */
export interface Session {
  open: boolean
}

/** Records begin at a sector boundary: writing one never touches an acknowledged one. */
const roomFor = (record: Uint8Array): number => Math.ceil(record.length / SECTOR) * SECTOR

function encodeRecord(row: JournalRow): Uint8Array {
  const { commands, ...rest } = row
  const header = Buffer.from(JSON.stringify(rest))
  const record = Buffer.alloc(FRAME + header.length + commands.length)
  record.writeUInt32LE(MAGIC, 0)
  record.writeUInt32LE(header.length, 4)
  record.writeUInt32LE(commands.length, 8)
  header.copy(record, FRAME)
  record.set(commands, FRAME + header.length)
  record.writeUInt32LE(crc32(record.subarray(FRAME)), 12)
  return record
}

/** The record at an offset, or null when there is none (or, for a careful store, no intact one). */
function decodeRecord(bytes: Uint8Array, start: number, careful: boolean): { row: JournalRow; bytes: Uint8Array } | null {
  if (start + FRAME > bytes.length) return null
  const record = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.length - start)
  if (record.readUInt32LE(0) !== MAGIC) return null
  const headerLength = record.readUInt32LE(4)
  const end = FRAME + headerLength + record.readUInt32LE(8)
  if (end > record.length || (careful && crc32(record.subarray(FRAME, end)) !== record.readUInt32LE(12))) return null
  try {
    const header = JSON.parse(record.subarray(FRAME, FRAME + headerLength).toString()) as Omit<JournalRow, 'commands'>
    return { row: { ...header, commands: Uint8Array.from(record.subarray(FRAME + headerLength, end)) }, bytes: record.subarray(0, end) }
  } catch {
    return null // not even a header: the store takes it for the end
  }
}
