import { crc32 } from 'node:zlib'
import { EMPTY, type Head, type JournalRow } from '@augury/venue/journal'
import type { StoredSnapshot } from '@augury/venue/snapshots'
import { Disk } from './disk.ts'

/** Marks where a record begins; behind it the lengths of its two parts and their check. */
const FRAME = 16
const MAGIC = 0x41554752

/** The simulated database of one stream: a journal on a disk, a lease, snapshots. It outlives the processes that use it. */
export class Store {
  readonly stream: string
  /** Whether it notices by itself that a record was not written whole, as a database does. Without, it hands out what it finds. */
  readonly careful: boolean
  disk = new Disk()
  rows: JournalRow[] = []
  lease: { epoch: number; timeline: number; holder: string; session: Session | null; verifiedAt: number } | null = null
  snapshots: (StoredSnapshot & { hash: Buffer })[] = []
  /** What the follower made of the journal, as far as it came: facts as JSON, a batch each. */
  projection: { head: Head; batches: string[] } = { head: EMPTY, batches: [] }
  readonly sessions = new Set<Session>()
  /** Rows that were sent and never came to be. */
  readonly lost: JournalRow[] = []
  #end = 0

  constructor(stream: string, careful: boolean) {
    this.stream = stream
    this.careful = careful
  }

  get head(): Head {
    const last = this.rows.at(-1)
    return last ? { seq: last.lastSeq, at: last.at, checksum: last.checksum } : EMPTY
  }

  /** Whether a row may be written now: by the writer in office, behind the row it names. */
  admits(row: JournalRow, session: Session): boolean {
    const { lease } = this
    const ours = lease?.session === session && lease.epoch === row.epoch && lease.timeline === row.timeline
    return ours && this.head.checksum === row.previousChecksum
  }

  /** Puts a row on the disk, not yet for good. */
  write(row: JournalRow): void {
    this.disk.write(this.#end, encodeRecord(row))
  }

  /** Makes what was written last for good. */
  commit(row: JournalRow): void {
    this.disk.sync()
    this.rows.push(row)
    this.#end += encodeRecord(row).length
  }

  /** Reads the disk anew, as after a power cut. */
  restart(): void {
    for (const session of this.sessions) session.open = false
    this.sessions.clear()
    if (this.lease) this.lease.session = null
    this.rows = []
    this.#end = 0
    for (;;) {
      const found = decodeRecord(this.disk.bytes, this.#end, this.careful)
      if (!found) return
      this.rows.push(found.row)
      this.#end = found.end
    }
  }

  /** Writes facts and the position they reach, or nothing: another follower may have been here before. */
  project(from: Head, to: Head, facts: unknown): void {
    if (this.projection.head.checksum !== from.checksum) throw new Error('connection lost') // the follower begins anew
    this.projection = { head: to, batches: [...this.projection.batches, JSON.stringify(facts)] }
  }

  /** Loses the last rows, though they were promised to be safe. */
  forget(count: number): void {
    this.rows.splice(Math.max(0, this.rows.length - count))
    this.#end = this.rows.reduce((sum, row) => sum + encodeRecord(row).length, 0)
  }

  /** A store of its own with the same content. */
  copy(): Store {
    const store = new Store(this.stream, this.careful)
    store.disk = this.disk.copy()
    store.rows = [...this.rows]
    store.snapshots = [...this.snapshots]
    store.projection = { head: this.projection.head, batches: [...this.projection.batches] }
    store.lease = this.lease && { ...this.lease, session: null }
    store.#end = this.#end
    return store
  }
}

/** A connection to the store. */
export interface Session {
  open: boolean
}

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

/** The record at a place, or null when there is none (or, for a careful store, no whole one). */
function decodeRecord(bytes: Uint8Array, start: number, careful: boolean): { row: JournalRow; end: number } | null {
  if (start + FRAME > bytes.length) return null
  const record = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.length - start)
  if (record.readUInt32LE(0) !== MAGIC) return null
  const headerLength = record.readUInt32LE(4)
  const end = FRAME + headerLength + record.readUInt32LE(8)
  if (end > record.length || (careful && crc32(record.subarray(FRAME, end)) !== record.readUInt32LE(12))) return null
  try {
    const header = JSON.parse(record.subarray(FRAME, FRAME + headerLength).toString()) as Omit<JournalRow, 'commands'>
    return { row: { ...header, commands: Uint8Array.from(record.subarray(FRAME + headerLength, end)) }, end: start + end }
  } catch {
    return null // not even a header: the store itself takes it for the end
  }
}
