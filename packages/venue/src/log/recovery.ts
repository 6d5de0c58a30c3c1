import { type Clock, sleep } from '../clock.ts'
import type { AppliedRow } from '../venue.ts'
import type { Head, Journal, JournalReader, JournalRow, Tenure } from './journal.ts'
import { Damaged, type Replica } from './replica.ts'
import { restoreReplica, type SnapshotStore } from './snapshots.ts'

/** Wall and database clock may differ by so much at the start. */
const MAX_CLOCK_DIFFERENCE_MS = 5000

/** Who sees rows go by. */
export interface RowWatch {
  /** Runs before a proven row is applied; the row waits. */
  before?(row: JournalRow): Promise<void>
  after?(applied: AppliedRow, row: JournalRow): void
}

/**
 * Applies the rows after the head of a replica, each proven first, up to a position or the end of the journal. Returns how many.
 * This loop is recovery, and standby and follower when they begin.
 */
export async function catchUp(
  journal: JournalReader,
  replica: Replica,
  watch: RowWatch = {},
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  for (let count = 0; ; ) {
    const rows = (await journal.read(replica.head.seq)).filter(({ lastSeq }) => lastSeq <= upTo)
    if (rows.length === 0) return count
    for (const row of rows) {
      replica.verify(row)
      await watch.before?.(row)
      if (watch.after) watch.after(replica.apply(row), row)
      else replica.replay(row)
      count++
    }
  }
}

/** Refuses to trade on a host with a wrong clock: expirations could not be kept. */
export function checkClocks(wall: number, storeTime: number): void {
  const difference = Math.abs(wall - storeTime)
  if (difference <= MAX_CLOCK_DIFFERENCE_MS) return
  throw new Error(
    `The clocks of this host and of the database differ by ${Math.round(difference / 1000)} s. Set them right and start again.`,
  )
}

/** While another writer lives, what it writes is looked at this often. */
const STANDBY_MS = 50

/** While there are no rows yet, the lease is renewed this often. */
const RENEW_MS = 1000

/** What a writer begins with. */
export interface TakenOver {
  replica: Replica
  tenure: Tenure
}

/** What a stream is taken over from. */
export interface StreamSource {
  reader: JournalReader
  snapshots: SnapshotStore
  /** How far history is written. */
  history(): Promise<Head>
}

/** How a stream is followed until it is ours. */
export interface Following extends RowWatch {
  /** Where it begins; restored from snapshots when there is none. */
  replica?: Replica
  /** Hears how far history is, as long as that is behind. */
  onHistory?(head: Head): void
  /** Runs with the lease in hand and the state whole, before the first command is taken. Throws when writing would not be safe. */
  prepare?(taken: TakenOver, reader: JournalReader): Promise<void>
}

/**
 * Follows the stream until the lease is ours, then to its end: the state is whole before the first command is taken. Throws Damaged, or
 * a sentence about the clocks, when writing would not be safe.
 */
export async function followUntilOurs(
  { reader, snapshots, history }: StreamSource,
  journal: Journal,
  clock: Clock,
  following: Following = {},
): Promise<TakenOver> {
  const replica = following.replica ?? (await restoreReplica(reader, snapshots))
  await catchUp(reader, replica, following)
  const taking = journal.acquire()
  taking.catch(() => {}) // heard below, unless reading fails first
  let written = 0
  const follow = async () => {
    await catchUp(reader, replica, following)
    if (!following.onHistory || written >= replica.head.seq) return
    const head = await history()
    written = head.seq
    following.onHistory(head)
  }
  let tenure: Tenure | null = null
  while (!tenure) {
    tenure = await Promise.race([taking, sleep(clock, STANDBY_MS).then(() => null)])
    if (!tenure) await follow()
  }
  const taken = { replica, tenure }
  await whileRenewed(journal, clock, async () => {
    await follow()
    await checkTaken(reader, taken, clock, await history())
    await following.prepare?.(taken, reader)
  })
  return taken
}

/** Writing on from here would be safe. Throws Damaged, or a sentence about the clocks. */
async function checkTaken(reader: JournalReader, { replica, tenure }: TakenOver, clock: Clock, written: Head): Promise<void> {
  checkClocks(clock.wall(), tenure.storeTime)
  await checkHistory(reader, replica, written)
  if (replica.head.checksum !== tenure.head.checksum)
    throw new Damaged(`stream ${reader.stream} ends at ${tenure.head.seq}, its rows at ${replica.head.seq}`)
}

/**
 * Does what comes before the first row, and shows that we live meanwhile: another one that waits for the lease would take us for dead and end
 * us. Throws what became of the lease only afterwards, so that nobody begins again beside it.
 */
async function whileRenewed(journal: Journal, clock: Clock, work: () => Promise<void>): Promise<void> {
  let isDone = false
  let wake = () => {}
  const renew = async () => {
    while (!isDone) {
      await new Promise<void>((resolve) => {
        const forget = clock.after(RENEW_MS, resolve)
        wake = () => {
          forget()
          resolve()
        }
      })
      if (!isDone) await journal.verify()
    }
  }
  const renewing = renew()
  renewing.catch(() => {}) // heard below
  try {
    await work()
  } finally {
    isDone = true
    wake()
    await Promise.allSettled([renewing])
  }
  await renewing
}

/** History is of the rows that the replica has applied. Throws Damaged. */
async function checkHistory(reader: JournalReader, replica: Replica, written: Head): Promise<void> {
  if (written.seq === 0 || (written.seq <= replica.head.seq && (await reader.checksumAt(written.seq)) === written.checksum)) return
  throw new Damaged(
    `the history of stream ${reader.stream} reaches ${written.seq}, its journal ${replica.head.seq} or another one: rows were lost`,
  )
}
