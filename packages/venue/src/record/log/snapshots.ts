import { createHash } from 'node:crypto'
import type { Exchange } from '@augury/engine/exchange'
import { copySnapshot, restoreSnapshot } from '@augury/engine/snapshot'
import { DecodeError } from '@augury/engine/words'
import { type Clock, sleep } from '../../base/clock.ts'
import type { JournalReader } from './journal.ts'
import { Replica } from './replica.ts'

/** Commands between two snapshots. */
export const SNAPSHOT_EVERY = 200_000
/** Snapshots kept: the newest two may both be damaged. */
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
  /** Stores a snapshot whole or not at all, and keeps the newest SNAPSHOTS_KEPT. Its bytes must not change until it resolves. */
  save(snapshot: StoredSnapshot): Promise<void>
  /** The newest snapshot below a position; its `snapshot` is null when the bytes are not those that were saved. Null when there is none. */
  newest(below: number): Promise<{ seq: number; snapshot: StoredSnapshot | null } | null>
}

/** Hash by which damaged bytes of a snapshot are recognised. */
export const snapshotHash = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/**
 * A replica at the newest usable snapshot at or before `upTo`; an empty one when there is none. A snapshot is usable when its bytes are
 * intact, in the format of this release, and the journal has its checksum at its position, so that one of another history is passed over.
 * Passing one over costs only time: the journal leads to the same state.
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

/** Copies the state of a replica, which must not advance meanwhile, into the memory of an earlier copy when that is large enough. */
export async function snapshotOf({ exchange, head }: Replica, clock: Clock, earlier?: StoredSnapshot): Promise<StoredSnapshot> {
  const copying = copySnapshot(exchange, earlier && new Uint8Array(earlier.bytes.buffer))
  let step = copying.next()
  for (; !step.done; step = copying.next()) await sleep(clock, 0)
  return { ...head, rules: exchange.rules, bytes: step.value }
}
