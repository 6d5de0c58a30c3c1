import { runSeed } from '@augury/simulator/run-seed'
import { cpuSeconds } from '../cpu-time.ts'
import { median } from '../interleave.ts'
import type { Row } from '../row.ts'

/** The simulator on the ground of the rules, as it hunts: invariants after every row, all of them now and then. */
export const simulatedCommands: Row = {
  id: '17',
  work: 'simulator, invariants after every row',
  target: '≥ 0.3 M commands/s',
  async measure({ rounds }) {
    const rates: number[] = []
    for (let seed = 1; seed <= rounds; seed++) {
      const begun = cpuSeconds()
      const { commands, failure } = runSeed(seed, { commands: 20_000, compare: false, thoroughEvery: 500 })
      if (failure) throw new Error(`seed ${seed}: ${failure.what}`)
      rates.push(commands / (cpuSeconds() - begun) / 1e6)
    }
    return {
      figures: [{ name: 'ours', value: median(rates), unit: 'M/s' }],
      met: median(rates) >= 0.3,
      note: 'processor time, every seed another world',
    }
  },
}
