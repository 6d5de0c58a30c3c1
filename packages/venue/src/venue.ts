import type { Command } from '@augury/engine/command'
import type { Event } from '@augury/engine/event'
import type { Exchange } from '@augury/engine/exchange'
import type { Clock } from './clock.ts'
import type { ReadModel } from './history/read-model.ts'
import type { ProofSettings } from './history/state-roots.ts'
import type { JournalRow } from './log/journal.ts'

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
  /** Engine milliseconds since which the exchange is in this mode and this process what `writer` says. */
  since: number
  seq: number
  epoch: number
  projectedSeq: number
  /** Age of the oldest row that history does not have yet. */
  lagSeconds: number
  /** Whether history stands still until somebody does something about it: everything else goes on. */
  isHistoryStopped: boolean
  writer: WriterState
  /** Commands that wait for a row. */
  queued: number
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
   * Queues a command; resolves after its row was committed and applied. Rejects with a ServiceError (`overloaded`,
   * `service_unavailable`, `standby`) when it certainly did not and will not happen, and with OutcomeUnknown when nobody knows yet.
   */
  submit(command: Command): Promise<Result>
  /** Called with every applied row, in order, before its callers are answered. Returns what removes the listener. */
  onRow(listener: (row: AppliedRow) => void): () => void
  /** Hears how long each commit took, in milliseconds. */
  onCommit(listener: (milliseconds: number) => void): void
  /**
   * While another process writes: called with every row before it is applied here, which waits for it. Returns what removes the listener.
   */
  onFollow(listener: (row: JournalRow) => Promise<void>): () => void
  /** At a takeover: runs before the first command is let in, which waits. Must be done well within a second. */
  onTakeOver(prepare: () => Promise<void>): void
  /** History: everything older than the engine keeps. */
  readonly readModel: ReadModel
  /** The rows since an engine time, oldest first: what budgets are refilled from at the start. */
  rowsSince(at: number): AsyncIterable<JournalRow>
  /** What is true whenever it is read: one object for all. */
  status(): Readonly<VenueStatus>
  /** Milliseconds for which the oldest command that no row has yet has waited. */
  waiting(): number
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
  /** What the state is signed with; it is not without. */
  proof?: ProofSettings
  /** Milliseconds between two tries of a history that stands still. Only tests say. */
  retryHistoryMs?: number
  /** Whether to refuse a server that may lose commits. Only tests say no. */
  requireDurability?: boolean
}
