import type { Command } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import type { Clock } from '../base/clock.ts'
import type { ReadModel } from './history/read-model.ts'
import type { ProofSettings } from './history/state-roots.ts'
import type { AppliedRow, Result } from './log/applied-row.ts'
import type { JournalRow } from './log/journal.ts'

/** The role of this process. */
export type WriterState = 'primary' | 'standby' | 'starting' | 'draining'

/** The role of a process as it counts: a writer that cannot prove its lease, as while the database is away, takes no orders. */
export const roleOf = ({ writer, verified }: Pick<VenueStatus, 'writer' | 'verified'>): WriterState | 'unavailable' =>
  writer === 'primary' && !verified ? 'unavailable' : writer

/** How the exchange stands in this process. */
export interface VenueStatus {
  mode: Exchange['mode']
  /** Engine milliseconds of the last change of `mode` or `writer`. */
  since: number
  seq: number
  epoch: number
  projectedSeq: number
  /** Age in seconds of the oldest row that history does not have yet. */
  lagSeconds: number
  /** Whether history has stopped until an operator steps in. Trading goes on. */
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
   * `service_unavailable`, `standby`) when it certainly did not and will not happen, and with OutcomeUnknown while that is unknown.
   */
  submit(command: Command): Promise<Result>
  /** Called with every applied row, in order, before its callers are answered. Returns the function that removes the listener. */
  onRow(listener: (row: AppliedRow) => void): () => void
  /** Called with the duration of each commit in milliseconds. */
  onCommit(listener: (milliseconds: number) => void): void
  /**
   * While another process writes: called with every row before it is applied here, which waits for the promise. Returns the function that
   * removes the listener.
   */
  onFollow(listener: (row: JournalRow) => Promise<void>): () => void
  /** At a takeover: runs before the first command is let in, which waits for it. Must finish well within a second. */
  onTakeOver(prepare: () => Promise<void>): void
  /** History: everything older than the engine keeps. */
  readonly readModel: ReadModel
  /**
   * Signs the state as it is now, unless nothing happened since it was signed last. Resolves to whether that was done: not in a standby, not
   * while history restarts, and not within ten seconds when it lags far behind.
   */
  cutRoot(): Promise<boolean>
  /** The rows since an engine time, oldest first: budgets are refilled from them at the start. */
  rowsSince(at: number): AsyncIterable<JournalRow>
  /** The current status: always the same object, whose fields are read live. */
  status(): Readonly<VenueStatus>
  /** Milliseconds for which the oldest command in the queue has waited. */
  waiting(): number
  /** Refuses new commands, resolves when everything queued is applied and answered, and gives the lease up. */
  drain(): Promise<void>
  /** Drains, and lets the follower catch up and take a snapshot. */
  close(): Promise<void>
}

/** Where messages for operators go. */
export interface VenueLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** What the exchange is opened with. */
export interface VenueOptions {
  /** Of the database `clob`, migrated. It must reach the server itself: a pooler in between would share the lock. */
  databaseUrl: string
  stream?: string
  /** Folder for the high-water mark, and for the last rows when a bug is found. */
  dataDir: string
  log: VenueLog
  /** Called when the writer has stopped for good: another process took the lease, or a bug was found. */
  onFatal(error: Error): void
  /** Whether to resolve as a standby at once, and not only once this process writes. */
  standby?: boolean
  clock?: Clock
  snapshotEvery?: number
  /** What state roots are signed with; without it none are made. */
  proof?: ProofSettings
  /** Milliseconds between two retries of a stopped history. For tests. */
  retryHistoryMs?: number
  /** Whether to refuse a server that may lose commits; true unless a test says otherwise. */
  requireDurability?: boolean
}
