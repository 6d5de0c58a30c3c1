import { isDatabaseAway } from '@augury/domain/database-away'
import { drop } from '@augury/domain/pool'
import type pg from 'pg'
import { type Clock, sleep } from '../base/clock.ts'
import { connect, connection, endHistoryConnections } from '../base/postgres.ts'
import { readProjection } from './history/projection.ts'
import type { Head, JournalReader, Tenure } from './log/journal.ts'
import { journalReader, PostgresJournal, type PostgresJournalOptions } from './log/postgres-journal.ts'
import { postgresSnapshots } from './log/postgres-snapshots.ts'
import { catchUp, type Following, followUntilOurs, type StreamSource } from './log/recovery.ts'
import type { Replica } from './log/replica.ts'
import { restoreReplica } from './log/snapshots.ts'

/** Milliseconds before a takeover is retried after a lost connection. */
const RETRY_MS = 300

/** A stream as a starting process finds it. */
export interface Found {
  replica: Replica
  timeline: number
  /** How far history is written. */
  history: Head
  /** Engine milliseconds of the oldest row that history lacks; of the last row when it lacks none. */
  lacksSince: number
}

/** Restores the state of a stream up to the end of its journal. Throws Damaged. */
export async function findStream(databaseUrl: string, stream: string): Promise<Found> {
  const patient = { ...reading(databaseUrl, stream), query_timeout: 120_000 } // a timeout here would only make the start fail
  return withSource(patient, stream, async ({ reader, snapshots, history }, { timeline }) => {
    const replica = await restoreReplica(reader, snapshots)
    await catchUp(reader, replica)
    const written = await history()
    return { replica, timeline, history: written, lacksSince: await lacksSince(reader, written, replica.head) }
  })
}

/**
 * Takes a stream over, as `followUntilOurs` does, and its history from whatever process wrote that. Retries through every loss of the
 * database, which is reported to `onAway`. Throws Fenced when `ended` aborts first.
 */
export async function takeOver(
  options: PostgresJournalOptions & { clock: Clock },
  following: Following,
  ended: AbortSignal,
  onAway: (error: Error) => void,
): Promise<{ journal: PostgresJournal; tenure: Tenure }> {
  const { databaseUrl, stream, clock } = options
  for (;;) {
    const journal = new PostgresJournal(options)
    const end = () => void journal.close() // makes a waiting `acquire` throw Fenced
    ended.addEventListener('abort', end)
    if (ended.aborted) end()
    try {
      // With the short timeouts: the lease may be ours already, and there would be no writer while this waits on a dead connection.
      const tenure = await withSource(reading(databaseUrl, stream), stream, async (source, { client }) => {
        const { tenure } = await followUntilOurs(source, journal, clock, following)
        await endHistoryConnections(client, stream)
        return tenure
      })
      return { journal, tenure }
    } catch (error) {
      await journal.close()
      if (ended.aborted || !isDatabaseAway(error)) throw error
      onAway(error as Error)
      await sleep(clock, RETRY_MS)
    } finally {
      ended.removeEventListener('abort', end)
    }
  }
}

const reading = (databaseUrl: string, stream: string): pg.ClientConfig => connection(databaseUrl, `recovery ${stream}`)

async function withSource<Result>(
  config: pg.ClientConfig,
  stream: string,
  work: (source: StreamSource, place: { client: pg.Client; timeline: number }) => Promise<Result>,
): Promise<Result> {
  const client = await connect(config)
  try {
    const { rows } = await client.query('select timeline from lease where stream = $1', [stream])
    const source = {
      reader: journalReader(client, stream),
      snapshots: postgresSnapshots(client, stream),
      history: () => readProjection(client, stream),
    }
    return await work(source, { client, timeline: rows[0]?.timeline ?? 1 })
  } finally {
    drop(client)
  }
}

async function lacksSince(reader: JournalReader, written: Head, head: Head): Promise<number> {
  const [lacking] = await reader.read(written.seq)
  return lacking?.at ?? head.at
}
