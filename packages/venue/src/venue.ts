import type { Command } from '@augury/engine/command'
import type { Event } from '@augury/engine/event'
import type { Exchange } from '@augury/engine/exchange'
import { ServiceError } from '@augury/wire/service-error'
import { type Clock, EngineTime, hostClock, sleep } from './clock.ts'
import { dumpFault } from './fault.ts'
import { FollowerThread } from './follower-thread.ts'
import { HighWater } from './high-water.ts'
import { Fenced, type JournalRow } from './journal.ts'
import { Lag } from './lag.ts'
import { commandsSince, type PostgresJournal } from './postgres-journal.ts'
import { postgresReadModel } from './postgres-read-model.ts'
import { Progress } from './progress.ts'
import type { ReadModel } from './read-model.ts'
import { Sequencer } from './sequencer.ts'
import { findStream, takeOver } from './take-over.ts'

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
  /** Engine milliseconds at which this process became what `writer` says. */
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
  /** Of the lease; grows with every takeover. 0 before this process was ever the writer. */
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
  /**
   * While another process writes: hears of every row before it is applied here, which waits. Returns what takes the listener away.
   */
  onFollow(listener: (row: JournalRow) => Promise<void>): () => void
  /** At a takeover: runs before the first command is let in, which waits. Must be done well within a second. */
  onTakeOver(prepare: () => Promise<void>): void
  /** History: everything older than the engine keeps. */
  readonly readModel: ReadModel
  /** Commands of the rows since an engine time, oldest first: what budgets are refilled from at the start. */
  commandsSince(at: number): AsyncIterable<{ seq: number; at: number; command: Command }>
  status(): VenueStatus
  /** Takes nothing more in, resolves when all that is queued is applied and answered, and gives the lease back. */
  drain(): Promise<void>
  /** Drains, and lets the follower catch up and take a snapshot. */
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
  /** Whether to begin as a standby when another process writes, and not to wait. */
  standby?: boolean
  clock?: Clock
  snapshotEvery?: number
  /** Whether to refuse a server that may lose commits. Only tests say no. */
  requireDurability?: boolean
}

/** How long the start waits to know how far history is. */
const FOLLOWER_START_MS = 5000

/**
 * Opens a stream: restores its state, follows it while another process writes, takes the lease when it is free, and then writes.
 * Resolves once it writes; as a standby, once it follows. Rejects with a sentence when that is not safe.
 */
export async function openVenue(options: VenueOptions): Promise<Venue> {
  const { databaseUrl, stream = 'main', clock = hostClock, log, requireDurability = true } = options
  const found = await findStream(databaseUrl, stream)
  const { replica } = found
  const { exchange } = replica
  const seen = new HighWater(options.dataDir, stream, clock)
  const time = new EngineTime(clock, replica.head.at)
  const listeners = new Set<(row: AppliedRow) => void>()
  const followers = new Set<(row: JournalRow) => Promise<void>>()
  const preparations = new Set<() => Promise<void>>()
  const progress = new Progress(clock)
  const readModel = postgresReadModel(databaseUrl, stream, progress)
  const lag = new Lag()
  lag.add(replica.head.seq, found.lacksSince)
  progress.advance(found.history)

  let writer: WriterState = 'standby'
  let since = time.now()
  let journal: PostgresJournal | null = null
  let sequencer: Sequencer | null = null
  let follower: FollowerThread | null = null
  const closing = new AbortController()

  const become = (state: WriterState) => {
    writer = state
    since = now()
  }
  const now = () => (sequencer ? sequencer.now() : Math.max(time.now(), replica.head.at))
  const publish = (row: AppliedRow) => {
    lag.add(row.lastSeq, row.at)
    for (const listener of listeners) listener(row)
  }
  const stop = (error: Error, rows: JournalRow[] = []) => {
    become('draining')
    const dump = error instanceof Fenced ? '' : ` Its last rows: ${dumpFault(options.dataDir, error, rows)}`
    log.error(`the writer stopped: ${error.stack}${dump}`)
    options.onFatal(error)
  }
  const lead = async () => {
    const taken = await takeOver(
      { databaseUrl, stream, clock, requireDurability },
      {
        replica,
        async before(row) {
          for (const follow of followers) await follow(row)
        },
        after: publish,
        onHistory: (head) => progress.advance(head),
        async prepare({ tenure }, reader) {
          await seen.check(reader, tenure.timeline, tenure.head)
          await Promise.all([...preparations].map((prepare) => prepare()))
        },
      },
      closing.signal,
      (error) => log.warn(`the database is away: ${error.message}`),
    )
    journal = taken.journal
    seen.note(taken.tenure.timeline, replica.head)
    sequencer = new Sequencer({
      ...{ journal, replica, tenure: taken.tenure, clock },
      onRow(row) {
        publish(row)
        follower?.poke()
        seen.note(sequencer!.timeline, replica.head)
      },
      onFatal: stop,
    })
    follower = new FollowerThread({ databaseUrl, stream, snapshotEvery: options.snapshotEvery }, clock, progress, (message, isOver) =>
      isOver ? log.error(`history stopped: ${message}`) : log.warn(`history begins again: ${message}`),
    )
    become('primary')
    log.info(`writing stream ${stream} from ${replica.head.seq} on, in epoch ${taken.tenure.epoch}`)
  }

  const leading = lead()
  if (options.standby) {
    leading.catch((error) => {
      if (!closing.signal.aborted) stop(error)
    })
  } else {
    try {
      await leading
    } catch (error) {
      await readModel.close()
      throw error
    }
    await Promise.race([follower!.started, sleep(clock, FOLLOWER_START_MS)])
  }

  let drained: Promise<void> | null = null
  const drain = () => {
    drained ??= (async () => {
      become('draining')
      closing.abort()
      await sequencer?.drain()
      await leading.catch(() => {}) // was told already
      await sequencer?.drain() // it may have become the writer just now
      isDrained = true
      seen.write()
      await journal?.close()
    })()
    return drained
  }
  let isDrained = false

  return {
    ...{ stream, exchange, readModel, now },
    get epoch() {
      return sequencer?.epoch ?? 0
    },
    get timeline() {
      return sequencer?.timeline ?? found.timeline
    },
    submit: (command) => sequencer?.submit(command) ?? Promise.reject(new ServiceError('standby')),
    onRow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onFollow(listener) {
      followers.add(listener)
      return () => followers.delete(listener)
    },
    onTakeOver: (prepare) => void preparations.add(prepare),
    commandsSince: (at) => commandsSince(databaseUrl, stream, at),
    status() {
      const projected = progress.projected()
      return {
        ...{ mode: exchange.mode, since, seq: replica.head.seq, epoch: sequencer?.epoch ?? 0, writer },
        verified: !isDrained && (sequencer?.verified ?? false),
        ...{ projectedSeq: projected.seq, lagSeconds: lag.seconds(projected.seq, now()) },
      }
    },
    drain,
    async close() {
      await drain()
      await follower?.close()
      await readModel.close()
    },
  }
}
