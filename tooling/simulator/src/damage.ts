import type { Prng } from '@augury/testing/prng'
import { type JournalRow, seal } from '@augury/venue/record/log/journal'
import type { Store } from './store.ts'

/** A kind of damage to a journal: its name, and the rows that are read instead. */
type Damage = (rows: JournalRow[], random: Prng, stale: JournalRow[]) => JournalRow[]

const flipBit = (bytes: Uint8Array, random: Prng): Uint8Array => {
  const copy = bytes.slice()
  copy[random.integer(0, copy.length - 1)]! ^= 1 << random.integer(0, 7)
  return copy
}

const changed = (rows: JournalRow[], index: number, change: (row: JournalRow) => JournalRow): JournalRow[] =>
  rows.map((row, i) => (i === index ? change(row) : row))

/** Damages that the chain of checksums must reveal. `stale` are rows of another history of the same stream. */
export const damages: Record<string, Damage> = {
  'a bit of the commands': (rows, random) =>
    changed(rows, random.integer(0, rows.length - 1), (row) => ({ ...row, commands: flipBit(row.commands, random) })),
  'a bit of the time': (rows, random) =>
    changed(rows, random.integer(0, rows.length - 1), (row) => ({ ...row, at: row.at + 2 ** random.integer(0, 20) })),
  'a row left out': (rows, random) => {
    const index = random.integer(0, rows.length - 2)
    return rows.filter((_, i) => i !== index)
  },
  'a row of another history in its place': (rows, random, stale) => {
    const index = random.integer(1, Math.min(rows.length, stale.length) - 1)
    return changed(rows, index, (row) => ({ ...stale[index]!, firstSeq: row.firstSeq, lastSeq: row.lastSeq }))
  },
  'the tail of another history': (rows, _random, stale) => {
    const last = rows.at(-1)!
    const tail = stale.filter(({ firstSeq }) => firstSeq === last.lastSeq + 1)
    return [...rows, ...tail]
  },
  'a last row of another history that agrees about the state': (rows, random, stale) => {
    const { firstSeq, at, appliedThrough, digest } = rows.at(-1)!
    const other = random.pick(stale.slice(1)) // the first one has no predecessor to be wrong about
    const lastSeq = firstSeq + other.lastSeq - other.firstSeq
    return [...rows.slice(0, -1), seal('main', { ...other, firstSeq, lastSeq, at, appliedThrough, digest })]
  },
}

/** A store that returns damaged rows without noticing. */
export function damaged(store: Store, damage: Damage, random: Prng, stale: JournalRow[]): Store {
  const copy = store.copy()
  copy.rows = damage(copy.rows, random, stale)
  return copy
}
