import { LAST_CURSOR } from '@augury/wire/limits'
import type { Context } from './context.ts'
import type { Cursors } from './cursors.ts'

interface Asked {
  after: number
  limit: number
  next_cursor?: string | undefined
}

/** Where a page of the log ends, and how to continue. */
interface PageEnd {
  /** Position up to which the page is complete. */
  seq: number
  /** Timeline on which that position was written; 0 where the log does not hold it. */
  epoch: number
  /**
   * The timeline of the requested position. When it differs from what the reader remembers, the reader has read events that were since
   * given up.
   */
  after_epoch: number
  next_cursor: string
}

/** The next rows that `read` finds after a log position, oldest first, each with its timeline as `epoch`. */
export async function logPage<Found extends { seq: number }>(
  { venue, exchange }: Context,
  cursors: Cursors,
  query: Asked,
  read: (after: number, limit: number) => Promise<Found[]>,
): Promise<{ found: (Found & { epoch: number })[]; end: PageEnd }> {
  const now = exchange.seq
  const after = cursors.position(query.next_cursor, now) || query.after
  await venue.readModel.waitFor(now)
  const rows = after >= now ? [] : await read(after, query.limit)
  const isWhole = rows.length < query.limit
  const seq = isWhole ? Math.max(after, now) : rows.at(-1)!.seq
  const inTime = rows.filter((row) => row.seq <= seq) // later rows are for the next call
  const [after_epoch, epoch, ...epochs] = await venue.readModel.timelines([after, seq, ...inTime.map((row) => row.seq)])
  return {
    found: inTime.map((row, i) => ({ ...row, epoch: epochs[i]! })),
    end: { seq, epoch: epoch!, after_epoch: after_epoch!, next_cursor: isWhole ? LAST_CURSOR : cursors.at(String(seq)) },
  }
}
