import type { JournalReader, JournalRow } from './journal.ts'
import type { Replica } from './replica.ts'
import type { AppliedRow } from './venue.ts'

/** Wall and database clock may differ by so much at the start. */
export const MAX_CLOCK_DIFFERENCE_MS = 5000

/**
 * Applies the rows after the head of a replica, each proven first, up to a position or the end of the journal. Returns how many.
 * This loop is recovery, and standby and follower when they begin.
 */
export async function catchUp(
  journal: JournalReader,
  replica: Replica,
  each: (row: JournalRow, applied: AppliedRow) => void = () => {},
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  for (let count = 0; ; ) {
    const rows = (await journal.read(replica.head.seq)).filter(({ lastSeq }) => lastSeq <= upTo)
    if (rows.length === 0) return count
    for (const row of rows) {
      replica.verify(row)
      each(row, replica.apply(row))
      count++
    }
  }
}

/** Refuses to trade on a host whose clock cannot be believed: expirations are promises. */
export function checkClocks(wall: number, storeTime: number): void {
  const difference = Math.abs(wall - storeTime)
  if (difference <= MAX_CLOCK_DIFFERENCE_MS) return
  throw new Error(
    `The clocks of this host and of the database differ by ${Math.round(difference / 1000)} s. Set them right and start again.`,
  )
}
