import { setImmediate } from 'node:timers/promises'

/** What `make` gives of rows, without its nulls: `atOnce` rows in a turn of the event loop, so that an order comes between two of them. */
export async function inTurns<Row, Made>(rows: readonly Row[], atOnce: number, make: (row: Row) => Made | null): Promise<Made[]> {
  const made: Made[] = []
  for (const [nth, row] of rows.entries()) {
    if (nth % atOnce === atOnce - 1) await setImmediate()
    const one = make(row)
    if (one !== null) made.push(one)
  }
  return made
}
