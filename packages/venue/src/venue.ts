import type { Command } from '@augury/engine/command'
import type { Event } from '@augury/engine/event'
import type { Exchange } from '@augury/engine/exchange'
import type { ReadModel } from './read-model.ts'

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
  /** Engine time between the last applied row and the last projected one. */
  lagSeconds: number
  writer: WriterState
  /** Whether the lease was proven within the last 3 s. When not: refuse signed reads with 503 and close private sockets. */
  verified: boolean
}

/**
 * The database went away between sending a row and hearing of its commit, for longer than a caller can wait. The command may or may
 * not have happened: give no answer, close the connection. A look-up by id tells later.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
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
