import { runSeed } from '@augury/simulator/run-seed'
import { cpuSeconds } from '../cpu-time.ts'
import { median } from '../interleave.ts'
import type { Row } from '../row.ts'

/** Worlds of a round, every one of another kind, and commands of each: as many as `npm run sim` gives one. */
const WORLDS = 12
const COMMANDS = 20_000
/** Rows between two looks at everything, as in a hunt. */
const THOROUGH_EVERY = 500
const COMPARED = 1_500

/** The simulator on the ground of the rules, as it hunts. */
export const simulatedCommands: Row = {
  id: '17',
  work: 'simulator, invariants after every row',
  target: '≥ 0.3 M commands/s',
  async measure({ rounds }) {
    const alone = (from: number) => rateOf(from, { commands: COMMANDS, compare: false, thoroughEvery: THOROUGH_EVERY })
    const beside = (from: number) => rateOf(from, { commands: COMPARED, compare: true, thoroughEvery: 4 })
    alone(0) // what V8 has not seen yet it runs several times slower
    const rates = Array.from({ length: rounds }, (_, round) => alone((round + 1) * WORLDS))
    const compared = beside(0)
    return {
      figures: [
        { name: 'ours', value: median(rates), unit: 'M/s' },
        { name: 'beside the reference exchange', value: compared, unit: 'M/s' },
      ],
      met: median(rates) >= 0.3,
      note: `every command decoded from its bytes, its events checked, the books of every row; all sums, holds and mirrors every ${THOROUGH_EVERY} rows, a restored snapshot every ${6 * THOROUGH_EVERY}; the reference exchange goes beside one world in four, looked at whole every 4 rows; ${WORLDS} worlds a round, one round before; processor time`,
    }
  },
}

/** Million commands a second of so many worlds from a seed on. Throws what was wrong in one. */
function rateOf(from: number, watch: Parameters<typeof runSeed>[1]): number {
  let commands = 0
  const begun = cpuSeconds()
  for (let seed = from + 1; seed <= from + WORLDS; seed++) {
    const run = runSeed(seed, watch)
    if (run.failure) throw new Error(`seed ${seed}: ${run.failure.what}`)
    commands += run.commands
  }
  return commands / (cpuSeconds() - begun) / 1e6
}
