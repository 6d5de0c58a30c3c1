import { crashEverywhere, damageEverywhere } from './crash-points.ts'
import { takeoversOnly } from './disasters.ts'
import type { Ground } from './hunt.ts'
import { runSeed } from './run-seed.ts'
import { tellHistory } from './told-history.ts'
import { meet } from './two-writers.ts'
import { runVenue } from './venue-run.ts'

/** Commands of a run of the rules alone, and of one compared with the reference exchange, which is slow. */
const COMMANDS = 20_000
export const COMPARED = 1500
/** Simulated milliseconds of a run with disasters, rows of one with crashes, rounds of one with damage. */
const DISASTERS_MS = 10_000
const CRASH_ROWS = 40
const DAMAGE_ROUNDS = 20

/** A world to run; the same one gives the same run for ever. */
export interface World {
  ground: Ground
  seed: number
  /** For the rules: whether to compare with the reference exchange, or to run alone and longer. */
  compare: boolean
}

/** The counts of a run by name, and its failure or null. */
export interface Tried {
  failure: string | null
  counts: Record<string, number>
}

/** Runs one world. Exceptions are failures, too. */
export async function tryWorld(world: World, commands = COMMANDS): Promise<Tried> {
  try {
    return await run(world, commands)
  } catch (error) {
    return { failure: `crash: ${error instanceof Error ? (error.stack ?? error.message) : error}`, counts: {} }
  }
}

async function run({ ground, seed, compare }: World, commands: number): Promise<Tried> {
  if (ground === 'rules') {
    const done = runSeed(seed, { commands: compare ? COMPARED : commands, compare, thoroughEvery: compare ? 4 : 500 })
    const counts = { commands: done.commands, fills: done.fills, compared: compare ? done.commands : 0 }
    return { failure: done.failure?.what ?? null, counts }
  }
  if (ground === 'disasters' || ground === 'takeovers') {
    const { failure, starts, answers } = await runVenue(seed, DISASTERS_MS, ground === 'takeovers' ? takeoversOnly : undefined)
    return { failure, counts: { worlds: 1, starts, answers } }
  }
  if (ground === 'postgres') return meet(seed)
  if (ground === 'history') return tellHistory(seed)
  const isCrash = ground === 'crashes'
  const { failure, recoveries } = isCrash
    ? await crashEverywhere(seed, CRASH_ROWS)
    : await damageEverywhere(seed, CRASH_ROWS, DAMAGE_ROUNDS)
  return { failure, counts: isCrash ? { crashes: recoveries } : { damages: recoveries } }
}
