import { decodeCommands } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import type { Event } from '@augury/engine/event'
import type { Exchange } from '@augury/engine/exchange'
import { type Clock, hostClock, sleep } from './clock.ts'
import { dumpFault } from './fault.ts'
import { FollowerThread } from './follower-thread.ts'
import { Fenced } from './journal.ts'
import { Lag } from './lag.ts'
import { connect, connection, drop } from './postgres.ts'
import { journalReader, PostgresJournal } from './postgres-journal.ts'
import { postgresReadModel } from './postgres-read-model.ts'
import type { ReadModel } from './read-model.ts'
import { Sequencer } from './sequencer.ts'
import { takeOver } from './take-over.ts'

/** What became of one command, after its row was committed and applied. */
export interface Result {
  /** Log position of the command. */
  seq: number
  /** Engine milliseconds of its row. */
  at: number
  events: Event[]
}

/** A committed row after it was applied: one log step for every reader. */
export interface AppliedRow {
  firstSeq: number
  lastSeq: number
  /** Engine milliseconds. */
  at: number
  outcomes: { seq: number; events: Event[] }[]
}

/** What the process is doing with the stream at the moment. */
export type WriterState = 'primary' | 'standby' | 'starting' | 'draining'

export interface VenueStatus {
  mode: Exchange['mode']
  /** Engine milliseconds at which this process became the writer. */
  since: number
  seq: number
  epoch: number
  projectedSeq: number
  /** Age of the oldest row that history does not have yet. */
  lagSeconds: number
  writer: WriterState
  /** Whether the lease was proven within the last 3 s. When not: refuse signed reads with 503 and close private sockets. */
  verified: boolean
}

/** The exchange as its edge sees it: one writer of one stream. */
export interface Venue {
  /** State after the last applied row. Read, never write. */
  readonly exchange: Exchange
  readonly stream: string
  /** Of the lease; grows with every takeover. */
  readonly epoch: number
  /** Changes only when history is rewritten: what the streams call `epoch`. */
  readonly timeline: number
  /** Engine milliseconds. */
  now(): number
  /**
   * Puts a command in the queue; resolves after its row was committed and applied. Rejects with a ServiceError (`overloaded`,
   * `service_unavailable`, `standby`) when it certainly did not and will not happen, and with OutcomeUnknown when nobody knows yet.
   */
  submit(command: Command): Promise<Result>
  /** Hears of every applied row, in order, before its callers are answered. Returns what takes the listener away. */
  onRow(listener: (row: AppliedRow) => void): () => void
  /** History: everything older than the engine keeps. */
  readonly readModel: ReadModel
  /** Commands of the rows since an engine time, oldest first: what budgets are refilled from at the start. */
  commandsSince(at: number): AsyncIterable<{ seq: number; at: number; command: Command }>
  status(): VenueStatus
  /** Takes nothing more in, finishes what is queued, lets the follower catch up and take a snapshot, gives the lease back. */
  close(): Promise<void>
}

/** What is told to whoever keeps the logs. */
export interface VenueLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

export interface VenueOptions {
  /** Of the database `clob`, migrated. Connections go to the server itself: a pooler in between would share the lock. */
  databaseUrl: string
  stream?: string
  /** Where the last commands go when a bug is found. */
  dataDir: string
  log: VenueLog
  /** The writer has stopped and will not start again in this process: another took its place, or a bug was found. */
  onFatal(error: Error): void
  clock?: Clock
  snapshotEvery?: number
  /** Whether to refuse a server that may lose commits. Only tests say no. */
  requireDurability?: boolean
}

/** How long the start waits to know how far history is. */
const FOLLOWER_START_MS = 5000

/**
 * Becomes the writer of a stream: restores the state, takes the lease (waiting as a standby would while another has it), and starts
 * the sequencer and the follower. Rejects with a sentence when that is not safe.
 */
export async function openVenue(options: VenueOptions): Promise<Venue> {
  const { databaseUrl, stream = 'main', clock = hostClock, log } = options
  const journal = new PostgresJournal({ databaseUrl, stream, clock, requireDurability: options.requireDurability ?? true })
  const { replica, tenure, lacksSince } = await takeOver(databaseUrl, stream, journal, clock)

  const follower = new FollowerThread({ databaseUrl, stream, snapshotEvery: options.snapshotEvery }, clock, (message, isOver) =>
    isOver ? log.error(`history stopped: ${message}`) : log.warn(`history begins again: ${message}`),
  )
  const readModel = postgresReadModel(databaseUrl, stream, follower)
  const listeners = new Set<(row: AppliedRow) => void>()
  const lag = new Lag()
  lag.add(replica.head.seq, lacksSince)
  let writer: WriterState = 'primary'
  const sequencer = new Sequencer({
    ...{ journal, replica, tenure, clock },
    onRow(row) {
      lag.add(row.lastSeq, row.at)
      for (const listener of listeners) listener(row)
      follower.poke()
    },
    onFatal(error, rows) {
      writer = 'draining'
      const dump = error instanceof Fenced ? '' : ` Its last rows: ${dumpFault(options.dataDir, error, rows)}`
      log.error(`the writer stopped: ${error.stack}${dump}`)
      options.onFatal(error)
    },
  })
  const since = sequencer.now()
  await Promise.race([follower.started, sleep(clock, FOLLOWER_START_MS)])

  return {
    stream,
    exchange: replica.exchange,
    get epoch() {
      return sequencer.epoch
    },
    get timeline() {
      return sequencer.timeline
    },
    now: () => sequencer.now(),
    submit: (command) => sequencer.submit(command),
    onRow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    readModel,
    commandsSince: (at) => commandsSince(databaseUrl, stream, at),
    status() {
      const projected = follower.projected()
      return {
        ...{ mode: replica.exchange.mode, since, seq: replica.head.seq, epoch: sequencer.epoch, writer, verified: sequencer.verified },
        ...{ projectedSeq: projected.seq, lagSeconds: lag.seconds(projected.seq, sequencer.now()) },
      }
    },
    async close() {
      writer = 'draining'
      await sequencer.drain()
      await journal.close()
      await follower.close()
      await readModel.close()
    },
  }
}

async function* commandsSince(databaseUrl: string, stream: string, at: number): ReturnType<Venue['commandsSince']> {
  const client = await connect(connection(databaseUrl, `rows ${stream}`))
  try {
    const first = await client.query('select first_seq from journal where stream = $1 and at >= $2 order by at, first_seq limit 1', [
      stream,
      at,
    ])
    if (!first.rows[0]) return
    const reader = journalReader(client, stream)
    for (let seq: number = first.rows[0].first_seq - 1; ; ) {
      const rows = await reader.read(seq)
      if (rows.length === 0) return
      for (const row of rows) for (const command of decodeCommands(row.commands)) yield { seq: ++seq, at: row.at, command }
    }
  } finally {
    drop(client)
  }
}
