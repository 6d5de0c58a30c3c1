import { type Clock, sleep } from '../../base/clock.ts'
import type { AppliedRow } from './applied-row.ts'
import type { Head, Journal, JournalReader, JournalRow, Tenure } from './journal.ts'
import { Damaged, type Replica } from './replica.ts'
import { restoreReplica, type SnapshotStore } from './snapshots.ts'

/** Wall and database clock may differ by so much at the start. */
const MAX_CLOCK_DIFFERENCE_MS = 5000

/** Callbacks around every row that is applied. */
export interface RowWatch {
  /** Runs before a verified row is applied; the row waits for it. */
  before?(row: JournalRow): Promise<void>
  after?(applied: AppliedRow, row: JournalRow): void
}

/**
 * Applies the rows after the head of a replica, each verified first, up to a position or the end of the journal. Returns how many. This
 * loop is recovery, and how standby and follower start.
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

/** How often a standby reads the journal. */
const STANDBY_MS = 50

/** How often the lease is renewed before the first row is written. */
const RENEW_MS = 1000

/** What a writer begins with. */
export interface TakenOver {
  replica: Replica
  tenure: Tenure
}

/** What a stream is restored and followed from. */
export interface StreamSource {
  reader: JournalReader
  snapshots: SnapshotStore
  /** How far history is written. */
  history(): Promise<Head>
}

/** How a stream is followed until this process has the lease. */
export interface Following extends RowWatch {
  /** The replica to continue; without one it is restored from snapshots. */
  replica?: Replica
  /** Called with how far history is, as long as it is behind. */
  onHistory?(head: Head): void
  /** Runs once the lease is ours and every row is applied, before the first command is taken. Throws when writing would not be safe. */
  prepare?(taken: TakenOver, reader: JournalReader): Promise<void>
}

/**
 * Follows the stream until the lease is ours, then to its end, so that every row is applied before the first command is taken. Throws
 * Damaged, or an explanation about the clocks, when writing would not be safe.
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
  taking.catch(() => {}) // thrown by the race below, unless reading fails first
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

/** Checks that writing would be safe. Throws Damaged, or an explanation about the clocks. */
async function checkTaken(reader: JournalReader, { replica, tenure }: TakenOver, clock: Clock, written: Head): Promise<void> {
  checkClocks(clock.wall(), tenure.storeTime)
  await checkHistory(reader, replica, written)
  if (replica.head.checksum !== tenure.head.checksum)
    throw new Damaged(`stream ${reader.stream} ends at ${tenure.head.seq}, its rows at ${replica.head.seq}`)
}

/**
 * Does the work that comes before the first row and renews the lease meanwhile: a process that waits for the lease would take us for dead
 * and end our session. A lost lease is only thrown after the work has ended, so that a retry never runs beside it.
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
  renewing.catch(() => {}) // awaited below
  try {
    await work()
  } finally {
    isDone = true
    wake()
    await Promise.allSettled([renewing])
  }
  await renewing
}

/** Checks that history was made from the rows that the replica has applied. Throws Damaged. */
async function checkHistory(reader: JournalReader, replica: Replica, written: Head): Promise<void> {
  if (written.seq === 0 || (written.seq <= replica.head.seq && (await reader.checksumAt(written.seq)) === written.checksum)) return
  throw new Damaged(
    `the history of stream ${reader.stream} reaches ${written.seq}, its journal ${replica.head.seq} or another one: rows were lost`,
  )
}
