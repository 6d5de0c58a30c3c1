import { COMPARED_EVERY, grounds, SHARES } from './hunt.ts'
import { type Tried, tryWorld, type World } from './one-seed.ts'

/** The result of a night. */
export interface Night {
  seeds: number
  failures: number
  counts: Record<string, number>
}

/**
 * Runs worlds from a seed on until the time is over, despite failures: each seed once, on the ground furthest behind its share. `failed` is
 * called with every failing world.
 */
export async function runNight(
  options: { first: number; ms: number; failed: (world: World, what: string) => void; told?: (night: Night) => void },
  attempt: (world: World) => Promise<Tried> = tryWorld,
): Promise<Night> {
  const night: Night = { seeds: 0, failures: 0, counts: {} }
  const spent = Object.fromEntries(grounds.map((ground) => [ground, 0])) as Record<(typeof grounds)[number], number>
  const until = performance.now() + options.ms
  for (let seed = options.first; performance.now() < until; seed++) {
    const ground = grounds.toSorted((a, b) => spent[a] / SHARES[a] - spent[b] / SHARES[b])[0]!
    const world: World = { ground, seed, compare: seed % COMPARED_EVERY === 0 }
    const begun = performance.now()
    const { failure, counts } = await attempt(world)
    spent[ground] += performance.now() - begun
    night.seeds++
    for (const [name, count] of Object.entries(counts)) night.counts[name] = (night.counts[name] ?? 0) + count
    if (failure !== null) {
      night.failures++
      options.failed(world, failure)
    }
    options.told?.(night)
  }
  return night
}
