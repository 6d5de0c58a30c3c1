import { crashEverywhere, damageEverywhere } from './crash-points.ts'
import { takeoversOnly } from './disasters.ts'
import type { Ground } from './hunt.ts'
import { runSeed } from './run-seed.ts'
import { tellHistory } from './told-history.ts'
import { meet } from './two-writers.ts'
import { runVenue } from './venue-run.ts'

/** How long runs are. */
export interface Sizes {
  /** Commands of a run of the rules alone, and of one compared with the reference exchange, which is slow. */
  commands: number
  compared: number
  /** Simulated milliseconds of a run with disasters. */
  disastersMs: number
  /** Rows of a run with crashes or damage, most recoveries of the first and rounds of the second. */
  crashRows: number
  recoveries: number
  damageRounds: number
}
export const SIZES: Sizes = {
  commands: 20_000,
  compared: 1500,
  disastersMs: 10_000,
  crashRows: 40,
  recoveries: Number.POSITIVE_INFINITY,
  damageRounds: 20,
}

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

/** Runs one world, of the usual sizes unless told. Exceptions are failures, too. */
export async function tryWorld(world: World, sizes: Partial<Sizes> = {}): Promise<Tried> {
  try {
    return await run(world, { ...SIZES, ...sizes })
  } catch (error) {
    return { failure: `crash: ${error instanceof Error ? (error.stack ?? error.message) : error}`, counts: {} }
  }
}

async function run({ ground, seed, compare }: World, sizes: Sizes): Promise<Tried> {
  if (ground === 'rules') {
    const commands = compare ? sizes.compared : sizes.commands
    const done = runSeed(seed, { commands, compare, thoroughEvery: compare ? 4 : 500 })
    const counts = { commands: done.commands, fills: done.fills, compared: compare ? done.commands : 0 }
    return { failure: done.failure?.what ?? null, counts }
  }
  if (ground === 'disasters' || ground === 'takeovers') {
    const { failure, starts, answers } = await runVenue(seed, sizes.disastersMs, ground === 'takeovers' ? takeoversOnly : undefined)
    return { failure, counts: { worlds: 1, starts, answers } }
  }
  if (ground === 'postgres') return meet(seed)
  if (ground === 'history') return tellHistory(seed)
  const isCrash = ground === 'crashes'
  const { failure, recoveries } = isCrash
    ? await crashEverywhere(seed, sizes.crashRows, sizes.recoveries)
    : await damageEverywhere(seed, sizes.crashRows, sizes.damageRounds)
  return { failure, counts: isCrash ? { crashes: recoveries } : { damages: recoveries } }
}
