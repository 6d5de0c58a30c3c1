import { createHash } from 'node:crypto'
import type { Exchange } from '@augury/engine/exchange'
import { copySnapshot, restoreSnapshot } from '@augury/engine/snapshot'
import { DecodeError } from '@augury/engine/words'
import { type Clock, sleep } from '../clock.ts'
import type { JournalReader } from './journal.ts'
import { Replica } from './replica.ts'

/** Commands between two snapshots. */
export const SNAPSHOT_EVERY = 200_000
/** Snapshots kept: the newest may be damaged, and the one before it too. */
export const SNAPSHOTS_KEPT = 3

/** The engine's state after the row that ends at `seq`. */
export interface StoredSnapshot {
  seq: number
  at: number
  rules: number
  /** Of that row. */
  checksum: string
  bytes: Uint8Array
}

/** Where snapshots lie. Two implementations: PostgreSQL, and the simulator's. */
export interface SnapshotStore {
  /** Keeps a snapshot whole or not at all, and no more than the newest SNAPSHOTS_KEPT. Its bytes are lent until it resolves. */
  save(snapshot: StoredSnapshot): Promise<void>
  /** The newest one below a position, `snapshot` null when its bytes are not what was saved; null when there is none. */
  newest(below: number): Promise<{ seq: number; snapshot: StoredSnapshot | null } | null>
}

/** Hash that tells whether the bytes of a snapshot came back as they went. */
export const snapshotHash = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/**
 * A replica as far ahead as a snapshot at or before `upTo` carries it; an empty one without. A snapshot counts only when its bytes are
 * whole and the journal has its checksum at its place, so one from another history is passed over, as is one in the format of another
 * release: the journal makes the same state, only later.
 */
export async function restoreReplica(journal: JournalReader, snapshots: SnapshotStore, upTo = Number.MAX_SAFE_INTEGER): Promise<Replica> {
  let below = upTo + 1
  for (;;) {
    const found = await snapshots.newest(below)
    if (!found) return new Replica(journal.stream)
    below = found.seq
    const { snapshot } = found
    if (snapshot && (await journal.checksumAt(snapshot.seq)) === snapshot.checksum) {
      const { seq, at, checksum } = snapshot
      const exchange = readable(snapshot.bytes)
      if (exchange) return new Replica(journal.stream, exchange, { seq, at, checksum })
    }
  }
}

function readable(bytes: Uint8Array): Exchange | null {
  try {
    return restoreSnapshot(bytes)
  } catch (error) {
    if (error instanceof DecodeError) return null
    throw error
  }
}

/** Copies the state of a replica at its head, which stays there meanwhile, into the memory of an earlier copy when that is large enough. */
export async function snapshotOf({ exchange, head }: Replica, clock: Clock, earlier?: StoredSnapshot): Promise<StoredSnapshot> {
  const copying = copySnapshot(exchange, earlier && new Uint8Array(earlier.bytes.buffer))
  let step = copying.next()
  for (; !step.done; step = copying.next()) await sleep(clock, 0)
  return { ...head, rules: exchange.rules, bytes: step.value }
}
