import { cpuSeconds } from '../cpu-time.ts'
import { engineRows, openExchange } from '../engine-tape.ts'
import { type Contender, interleave } from '../interleave.ts'
import type { Row } from '../row.ts'
import { makeTape, mixes, STRIDE } from '../tape.ts'

const BASE = { books: 128, accounts: 1_000, resting: 20_000 }
/** The next power of two above ten times as many. */
const MORE_BOOKS = 2048

/** An exchange of some size, and then of one ten times as large in one respect or in all: what a command costs. */
export const growth: Row = {
  id: '20',
  work: 'growth: a command in an exchange ten times as large',
  target: 'within 1.3 ×',
  async measure({ rounds, quick }) {
    const sizes: Record<string, typeof BASE> = {
      ours: { books: MORE_BOOKS, accounts: BASE.accounts * 10, resting: BASE.resting * 10 },
      base: BASE,
      markets: { ...BASE, books: MORE_BOOKS },
      accounts: { ...BASE, accounts: BASE.accounts * 10 },
      'open orders': { ...BASE, resting: BASE.resting * 10 },
    }
    const operations = quick ? 50_000 : 200_000
    const contenders = Object.entries(sizes).map(([name, size]) => contender(name, size, operations))
    const medians = await interleave(contenders, Math.min(rounds, 5))
    const base = medians.get('base')!
    const times = (name: string) => medians.get(name)! / base
    return {
      figures: [
        { name: 'ten times all', value: times('ours'), unit: '×' },
        ...['markets', 'accounts', 'open orders'].map((name) => ({ name: `${name} alone`, value: times(name), unit: '×' })),
      ],
      met: times('ours') <= 1.3,
      note: `${base.toFixed(2)} µs a command with ${BASE.books} markets, ${BASE.accounts} accounts and ${BASE.resting} open orders; markets × 16; processor time`,
    }
  },
}

/** Microseconds of processor time that one command of the mixed part of a tape costs. */
function contender(name: string, { books, accounts, resting }: typeof BASE, operations: number): Contender {
  const { tape, result } = makeTape({ ...mixes.multi, books, resting, width: 100 }, resting + operations)
  const rows = engineRows(tape, undefined, { books, accounts })
  const before = engineRows(tape.subarray(0, resting * STRIDE)).length
  return {
    name,
    round() {
      const exchange = openExchange({ books, accounts })
      let fills = 0
      const count = (row: (typeof rows)[number]) => {
        for (const { events } of exchange.applyRow(row)) for (const { type } of events) if (type === 'fill') fills++
      }
      for (const row of rows.slice(0, before)) count(row)
      const begun = cpuSeconds()
      for (const row of rows.slice(before)) count(row)
      const seconds = cpuSeconds() - begun
      if (fills !== result.fills) throw new Error(`${name}: the engine made ${fills} fills, not ${result.fills}`)
      return (seconds * 1e6) / operations
    },
  }
}
