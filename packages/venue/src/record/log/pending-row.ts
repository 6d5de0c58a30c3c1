import type { AppliedRow } from './applied-row.ts'
import type { Waiting } from './intake.ts'
import type { JournalRow } from './journal.ts'
import type { Replica } from './replica.ts'

/** A row that was cut but is not applied yet, with the callers of its commands; a sweep at its head has none. */
export interface PendingRow {
  row: JournalRow
  swept: boolean
  callers: Waiting[]
  /** Monotonic milliseconds at which it was first sent. */
  sentAt: number
}

/** Applies a committed row. A throw is a bug: of the engine, or of a sweep that did not end what is due. */
export function applyPending(replica: Replica, { row, swept, callers }: PendingRow): AppliedRow {
  const before = swept ? replica.exchange.nextDue() : null
  const applied = replica.apply(row)
  const { outcomes, at } = applied
  const isDue = before !== null && before <= at // the row before may have ended what this one was cut for
  if (isDue && callers.length === 0 && before === replica.exchange.nextDue() && !outcomes[0]!.events.some(({ type }) => type === 'ended')) {
    throw new Error(`a sweep at ${at} did nothing about what was due at ${before}`) // the next row would sweep again, for ever
  }
  return applied
}

/** Resolves the callers with what became of their commands. */
export function answerCallers({ swept, callers }: PendingRow, { outcomes, at }: AppliedRow): void {
  const first = swept ? 1 : 0
  callers.forEach(({ resolve }, index) => {
    const { seq, events } = outcomes[first + index]!
    resolve({ seq, at, events })
  })
}
