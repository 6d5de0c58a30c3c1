import { crashEverywhere, damageEverywhere } from './crash-points.ts'
import { takeoversOnly } from './disasters.ts'
import { runSeed } from './run-seed.ts'
import { tellHistory } from './told-history.ts'
import { meet } from './two-writers.ts'
import { runVenue } from './venue-run.ts'

/** The grounds of `npm run sim`; on these, everything is simulated. */
export const grounds = ['rules', 'disasters', 'takeovers', 'crashes', 'damage'] as const

/**
 * Where to look for a mutant: in the rules, under disasters, in takeovers alone, in recovery from every possible crash, with a damaged
 * journal, with two writers on a real PostgreSQL, or in the history that is written there.
 */
export type Ground = (typeof grounds)[number] | 'postgres' | 'history'

/** Runs the ground until something fails or the time is up. Returns the failure, or null. */
export async function hunt(ground: Ground, budgetMs: number): Promise<string | null> {
  const until = performance.now() + budgetMs
  for (let seed = 1; performance.now() < until; seed++) {
    const failure = await look(ground, seed)
    if (failure !== null) return `seed ${seed}: ${failure.split('\n')[0]}`
  }
  return null
}

async function look(ground: Ground, seed: number): Promise<string | null> {
  try {
    if (ground === 'rules') return runSeed(seed, { commands: 800, compare: true, thoroughEvery: 4 }).failure?.what ?? null
    if (ground === 'disasters') return (await runVenue(seed, 20_000)).failure
    if (ground === 'takeovers') return (await runVenue(seed, 20_000, takeoversOnly)).failure
    if (ground === 'postgres') return (await meet(seed)).failure
    if (ground === 'history') return (await tellHistory(seed)).failure
    if (ground === 'damage') return (await damageEverywhere(seed, 20, 20)).failure
    return (await crashEverywhere(seed, 20, 200)).failure
  } catch (error) {
    return `crash: ${error instanceof Error ? error.message : error}`
  }
}
