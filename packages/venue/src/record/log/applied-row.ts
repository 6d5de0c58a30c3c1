import type { Event } from '@augury/engine/event'

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
