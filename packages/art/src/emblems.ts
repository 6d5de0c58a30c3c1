import { type Emblem, SPORTS } from './emblems-sports.ts'
import { THINGS } from './emblems-things.ts'
import { WORLD } from './emblems-world.ts'
import { FAMILIES, type Family } from './palette.ts'

const EMBLEMS: Readonly<Record<string, Emblem>> = { ...SPORTS, ...WORLD, ...THINGS }

/** Names of all motifs. */
export const EMBLEM_NAMES = Object.keys(EMBLEMS)

/** Returns a motif on a square of 64 without its ground, and its ground; null for an unknown name. */
export function emblem(name: string): { ground: Family; shapes: string } | null {
  const found = Object.hasOwn(EMBLEMS, name) ? EMBLEMS[name]! : null
  if (!found) return null
  const ground = FAMILIES[found[0]]
  const colours: Readonly<Record<string, string>> = { W: '#fff', T: ground.tint, S: ground.shade, L: ground.lit }
  return { ground, shapes: found[1].replace(/'([WTSL])'/g, (_, letter: string) => `'${colours[letter]}'`) }
}
