import { type Clock, sleep } from './clock.ts'
import type { Journal, Tenure } from './journal.ts'
import { connect, connection, drop } from './postgres.ts'
import { journalReader } from './postgres-journal.ts'
import { postgresSnapshots } from './postgres-snapshots.ts'
import { readProjection } from './projection.ts'
import { catchUp, checkClocks } from './recovery.ts'
import { Damaged, type Replica } from './replica.ts'
import { restoreReplica } from './snapshots.ts'

/** While another writer lives, what it writes is looked at this often. */
const STANDBY_MS = 50
/** What a writer begins with. */
export interface TakenOver {
  replica: Replica
  tenure: Tenure
  /** Engine milliseconds of the oldest row that history lacks. */
  lacksSince: number
}

/**
 * Follows the stream until the lease is ours, then to its end: the state is whole before the first command is taken. Throws Damaged, or
 * a sentence about the clocks, when writing would not be safe.
 */
export async function takeOver(databaseUrl: string, stream: string, journal: Journal, clock: Clock): Promise<TakenOver> {
  const client = await connect({ ...connection(databaseUrl, `recovery ${stream}`), query_timeout: 120_000 })
  try {
    const reader = journalReader(client, stream)
    const replica = await restoreReplica(reader, postgresSnapshots(client, stream))
    await catchUp(reader, replica)
    const taking = journal.acquire()
    let tenure: Tenure | null = null
    while (!tenure) {
      tenure = await Promise.race([taking, sleep(clock, STANDBY_MS).then(() => null)])
      await catchUp(reader, replica)
    }
    checkClocks(clock.wall(), tenure.storeTime)
    const history = await readProjection(client, stream)
    if (history.seq > replica.head.seq || (history.seq > 0 && (await reader.checksumAt(history.seq)) !== history.checksum)) {
      throw new Damaged(
        `the history of stream ${stream} reaches ${history.seq}, its journal ${replica.head.seq} or another one: rows were lost`,
      )
    }
    if (replica.head.checksum !== tenure.head.checksum)
      throw new Damaged(`stream ${stream} ends at ${tenure.head.seq}, its rows at ${replica.head.seq}`)
    const [lacking] = await reader.read(history.seq)
    return { replica, tenure, lacksSince: lacking?.at ?? replica.head.at }
  } catch (error) {
    await journal.close()
    throw error
  } finally {
    drop(client)
  }
}
