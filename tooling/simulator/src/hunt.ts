import { type Sizes, tryWorld } from './one-seed.ts'

/** The grounds of `npm run sim`; on these, everything is simulated. */
export const grounds = ['rules', 'disasters', 'takeovers', 'crashes', 'damage'] as const

/**
 * Where to look for a mutant: in the rules, under disasters, in takeovers alone, in recovery from every possible crash, with a damaged
 * journal, with two writers on a real PostgreSQL, or in the history that is written there.
 */
export type Ground = (typeof grounds)[number] | 'postgres' | 'history'

/** Share of the time for each ground. The last two are run by themselves. */
export const SHARES: Readonly<Record<Ground, number>> = {
  rules: 0.4,
  disasters: 0.2,
  takeovers: 0.05,
  crashes: 0.3,
  damage: 0.05,
  postgres: 1,
  history: 1,
}
/** One in so many runs of the rules is compared with the reference exchange. */
export const COMPARED_EVERY = 4

/** Short runs: a mutant dies in few commands of some seed rather than in many of one. */
const SHORT: Partial<Sizes> = { compared: 800, disastersMs: 20_000, crashRows: 20, recoveries: 200 }

/** Runs the ground until something fails or the time is up. Returns the failure, or null. */
export async function hunt(ground: Ground, budgetMs: number): Promise<string | null> {
  const until = performance.now() + budgetMs
  for (let seed = 1; performance.now() < until; seed++) {
    const { failure } = await tryWorld({ ground, seed, compare: true }, SHORT)
    if (failure !== null) return `seed ${seed}: ${failure.split('\n')[0]}`
  }
  return null
}
