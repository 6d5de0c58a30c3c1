import { type Clock, sleep } from './clock.ts'
import type { Head, Journal, JournalReader, JournalRow, Tenure } from './journal.ts'
import { Damaged, type Replica } from './replica.ts'
import { restoreReplica, type SnapshotStore } from './snapshots.ts'
import type { AppliedRow } from './venue.ts'

/** Wall and database clock may differ by so much at the start. */
export const MAX_CLOCK_DIFFERENCE_MS = 5000

/**
 * Applies the rows after the head of a replica, each proven first, up to a position or the end of the journal. Returns how many.
 * This loop is recovery, and standby and follower when they begin.
 */
export async function catchUp(
  journal: JournalReader,
  replica: Replica,
  each: (row: JournalRow, applied: AppliedRow) => void = () => {},
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  for (let count = 0; ; ) {
    const rows = (await journal.read(replica.head.seq)).filter(({ lastSeq }) => lastSeq <= upTo)
    if (rows.length === 0) return count
    for (const row of rows) {
      replica.verify(row)
      each(row, replica.apply(row))
      count++
    }
  }
}

/** Refuses to trade on a host whose clock cannot be believed: expirations are promises. */
export function checkClocks(wall: number, storeTime: number): void {
  const difference = Math.abs(wall - storeTime)
  if (difference <= MAX_CLOCK_DIFFERENCE_MS) return
  throw new Error(
    `The clocks of this host and of the database differ by ${Math.round(difference / 1000)} s. Set them right and start again.`,
  )
}

/** While another writer lives, what it writes is looked at this often. */
const STANDBY_MS = 50

/** What a writer begins with. */
export interface TakenOver {
  replica: Replica
  tenure: Tenure
  /** Engine milliseconds of the oldest row that history lacks. */
  lacksSince: number
}

/** What a stream is taken over from. */
export interface StreamSource {
  reader: JournalReader
  snapshots: SnapshotStore
  /** How far history is written. */
  history(): Promise<Head>
}

/**
 * Follows the stream until the lease is ours, then to its end: the state is whole before the first command is taken. Throws Damaged, or
 * a sentence about the clocks, when writing would not be safe.
 */
export async function followUntilOurs({ reader, snapshots, history }: StreamSource, journal: Journal, clock: Clock): Promise<TakenOver> {
  const replica = await restoreReplica(reader, snapshots)
  await catchUp(reader, replica)
  const taking = journal.acquire()
  taking.catch(() => {}) // heard below, unless reading fails first
  let tenure: Tenure | null = null
  while (!tenure) {
    tenure = await Promise.race([taking, sleep(clock, STANDBY_MS).then(() => null)])
    await catchUp(reader, replica)
  }
  checkClocks(clock.wall(), tenure.storeTime)
  const written = await history()
  if (written.seq > replica.head.seq || (written.seq > 0 && (await reader.checksumAt(written.seq)) !== written.checksum)) {
    throw new Damaged(
      `the history of stream ${reader.stream} reaches ${written.seq}, its journal ${replica.head.seq} or another one: rows were lost`,
    )
  }
  if (replica.head.checksum !== tenure.head.checksum)
    throw new Damaged(`stream ${reader.stream} ends at ${tenure.head.seq}, its rows at ${replica.head.seq}`)
  const [lacking] = await reader.read(written.seq)
  return { replica, tenure, lacksSince: lacking?.at ?? replica.head.at }
}
