import type pg from 'pg'
import { type Clock, sleep } from '../clock.ts'
import { isDatabaseAway } from '../database-away.ts'
import { readProjection } from '../history/projection.ts'
import { connect, connection, drop, endHistorians } from '../postgres.ts'
import type { Head, JournalReader, Tenure } from './journal.ts'
import { journalReader, PostgresJournal, type PostgresJournalOptions } from './postgres-journal.ts'
import { postgresSnapshots } from './postgres-snapshots.ts'
import { catchUp, type Following, followUntilOurs, type StreamSource } from './recovery.ts'
import type { Replica } from './replica.ts'
import { restoreReplica } from './snapshots.ts'

/** After a lost connection the database is asked again this often. */
const RETRY_MS = 300

/** A stream as a process finds it when it starts. */
export interface Found {
  replica: Replica
  timeline: number
  /** How far history is written. */
  history: Head
  /** Engine milliseconds of the oldest row that history lacks, or of the last row. */
  lacksSince: number
}

/** Restores the state of a stream as far as its journal goes. Throws Damaged. */
export async function findStream(databaseUrl: string, stream: string): Promise<Found> {
  const patient = { ...reading(databaseUrl, stream), query_timeout: 120_000 } // who gives up here has not begun
  return withSource(patient, stream, async ({ reader, snapshots, history }, { timeline }) => {
    const replica = await restoreReplica(reader, snapshots)
    await catchUp(reader, replica)
    const written = await history()
    return { replica, timeline, history: written, lacksSince: await lacksSince(reader, written, replica.head) }
  })
}

/**
 * Takes a stream over from its database, as `followUntilOurs`, and its history from whoever wrote that; whoever waits outlives every loss
 * of the database. Throws Fenced when `ended` says so first. `onAway` hears of what was lost.
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
    const end = () => void journal.close() // whoever waits for its lease hears Fenced
    ended.addEventListener('abort', end)
    if (ended.aborted) end()
    try {
      // On a line that has fallen silent nobody would write as long as this waited: the lease may be ours already.
      const tenure = await withSource(reading(databaseUrl, stream), stream, async (source, { client }) => {
        const { tenure } = await followUntilOurs(source, journal, clock, following)
        await endHistorians(client, stream)
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
