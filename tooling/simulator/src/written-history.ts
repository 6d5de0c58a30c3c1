import { FACT_TABLES, FactWriter } from '@augury/venue/record/history/facts'
import { Replica } from '@augury/venue/record/log/replica'
import type { Store } from './store.ts'

/**
 * Compares the history that followers wrote, through all faults, with one replay of the journal: nothing twice, nothing missing. Returns
 * the difference, or null.
 */
export function checkHistory({ stream, rows, projection }: Store): string | null {
  const replica = new Replica(stream)
  const writer = new FactWriter(stream)
  const batches = projection.batches.map((batch) => JSON.parse(batch) as Record<string, unknown[]>)
  for (const row of rows) {
    if (row.lastSeq > projection.head.seq) break
    writer.add(row, replica.apply(row))
  }
  const expected = JSON.parse(JSON.stringify(writer.take())) as Record<string, unknown[]>
  for (const table of FACT_TABLES) {
    const written = batches.flatMap((batch) => batch[table] ?? [])
    if (JSON.stringify(written) === JSON.stringify(expected[table])) continue
    return `history has ${written.length} facts of ${table} up to ${projection.head.seq}, a replay gives ${expected[table]!.length} (or others)`
  }
  return null
}
