import { mix } from './colour.ts'
import type { Family } from './palette.ts'
import { dealer } from './seed.ts'
import { disc, path, rect } from './shapes.ts'

/** Shapes of one tile of 32, each turned by quarters: arcs, discs and triangles that meet at the edges. */
const TILES: readonly ((fill: string, second: string) => string)[] = [
  (fill) => path('M0 0h32A32 32 0 0 1 0 32z', fill),
  (fill, second) => path('M0 0h32A32 32 0 0 1 0 32z', fill) + path('M0 0h16A16 16 0 0 1 0 16z', second),
  (fill) => disc(16, 16, 11, fill),
  (fill) => path('M0 0h32v16a16 16 0 0 1-32 0z', fill),
  (fill) => path('M0 0 32 0 0 32z', fill),
  (fill, second) => disc(16, 16, 14, fill) + disc(16, 16, 6, second),
  (fill) => path('M0 16A16 16 0 0 1 32 16zM0 32A16 16 0 0 1 32 32z', fill),
]

/** Draws four seeded tiles that fill a square of 64, in the colours of a ground. */
export function tiles(ground: Family, seed: number): string {
  const deal = dealer(seed * 7919 + 17)
  const paints = [ground.tint, '#ffffff', mix(ground.lit, '#ffffff', 0.35), ground.lit]
  const grounds = [ground.deep, ground.shade, mix(ground.lit, ground.deep, 0.5), ground.lit]
  const startAt = deal(4)
  return [0, 1, 2, 3]
    .map((n) => {
      const base = grounds[(startAt + n) % 4]!
      const fill = paints[(deal(3) + (base === ground.lit ? 0 : n)) % 3]!
      const drawn = TILES[deal(TILES.length)]!(fill, base)
      return `<g transform='translate(${(n % 2) * 32} ${n > 1 ? 32 : 0})'>${rect(0, 0, 32.2, 32.2, base)}<g transform='rotate(${deal(4) * 90} 16 16)'>${drawn}</g></g>`
    })
    .join('')
}

/** Draws faint seeded lines behind the motif of a wide picture of 320 × 180. */
export function backdrop(seed: number): string {
  const deal = dealer(seed)
  const kind = deal(4)
  const [x, y] = [40 + deal(240), 20 + deal(140)]
  if (kind === 0) return rings(x, y)
  if (kind === 1) return lines(-45 + deal(3) * 15)
  if (kind === 2) return dots()
  return `${disc(x, y, 110, '#fff')}${disc(320 - x, 180 - y, 70, '#fff')}`
}

const rings = (x: number, y: number) =>
  [30, 60, 90, 120, 150, 180, 210].map((r) => `<circle cx='${x}' cy='${y}' r='${r}' fill='none' stroke='#fff' stroke-width='9'/>`).join('')
const lines = (turn: number) =>
  `<g transform='rotate(${turn} 160 90)'>${Array.from({ length: 15 }, (_, n) => rect(-60, -130 + n * 32, 440, 13, '#fff')).join('')}</g>`
const dots = () => Array.from({ length: 84 }, (_, n) => disc(14 + (n % 14) * 22.5, 15 + Math.floor(n / 14) * 30, 3.4, '#fff')).join('')
