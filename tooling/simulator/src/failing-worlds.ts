import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { World } from './one-seed.ts'

/** A world that failed once, and how. It stays for ever: `npm run sim` and the tests run it again. */
export interface FailingWorld extends World {
  /** The first line of what went wrong. */
  what: string
  commit: string
}

/** Where they are kept, a line each. */
const failingWorldsFile = fileURLToPath(new URL('../test/failing-worlds.jsonl', import.meta.url))

/** All that a file holds; none when it is not there. */
export function failingWorlds(file = failingWorldsFile): FailingWorld[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as FailingWorld)
}

/** Keeps a world unless it is there already. Says whether it is new. */
export function keepFailingWorld(world: FailingWorld, file = failingWorldsFile): boolean {
  const isKnown = failingWorlds(file).some(
    ({ ground, seed, compare }) => ground === world.ground && seed === world.seed && compare === world.compare,
  )
  if (!isKnown) appendFileSync(file, `${JSON.stringify(world)}\n`)
  return !isKnown
}
