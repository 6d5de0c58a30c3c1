import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { World } from './one-seed.ts'

/** A world that failed once, and how. It is kept for good: `npm run sim` and the tests replay it. */
export interface FailingWorld extends World {
  /** The first line of the failure. */
  what: string
  commit: string
}

/** The file that holds them, one JSON line each. */
const failingWorldsFile = fileURLToPath(new URL('../test/failing-worlds.jsonl', import.meta.url))

/** All worlds of a file; none when there is no file. */
export function failingWorlds(file = failingWorldsFile): FailingWorld[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as FailingWorld)
}

/** Adds a world unless it is there already. Returns whether it was new. */
export function keepFailingWorld(world: FailingWorld, file = failingWorldsFile): boolean {
  const isKnown = failingWorlds(file).some(
    ({ ground, seed, compare }) => ground === world.ground && seed === world.seed && compare === world.compare,
  )
  if (!isKnown) appendFileSync(file, `${JSON.stringify(world)}\n`)
  return !isKnown
}
