import { FLAGS, PAINT } from './flags.ts'
import { around, disc, line, path, polygon, rect, star } from './shapes.ts'

const paint = (letter: string) => PAINT[letter] ?? PAINT.k!

/** Returns the shapes of a country's flag that fill a square of 64; null for an unknown code. */
export function drawFlag(code: string): string | null {
  const flag = Object.hasOwn(FLAGS, code) ? FLAGS[code]! : null
  return flag === null ? null : flag.trim().split(' ').map(shapeOf).join('')
}

type Draw = (colour: string, numbers: number[]) => string
const DRAWN: Readonly<Record<string, Draw>> = {
  '+': (fill, [w = 0]) => rect(32 - w / 2, 0, w, 64, fill) + rect(0, 32 - w / 2, 64, w, fill),
  x: (fill, [w = 0]) => line('M0 0 64 64M64 0 0 64', fill, w, 'butt'),
  n: (fill, [w = 0]) => rect(24 - w / 2, 0, w, 64, fill) + rect(0, 32 - w / 2, 64, w, fill),
  q: (fill, [x = 0, y = 0, w = 0, h = 0]) => rect(x, y, w, h, fill),
  o: (fill, [x = 0, y = 0, r = 0]) => disc(x, y, r, fill),
  O: (stroke, [x = 0, y = 0, r = 0]) => `<circle cx='${x}' cy='${y}' r='${r}' fill='none' stroke='${stroke}' stroke-width='2.4'/>`,
  '*': (fill, [x = 0, y = 0, r = 0, points]) => polygon(star(x, y, r, points), fill),
  '@': (fill, [x = 0, y = 0, ring = 0, r = 0, count = 0]) =>
    around(x, y, ring, count)
      .map(([cx, cy]) => polygon(star(cx, cy, r), fill))
      .join(''),
  m: (fill, [x = 0, y = 0, r = 0]) => disc(x, y, r, fill),
  '<': (fill, [w = 0]) => polygon(`0,0 ${w},32 0,64`, fill),
  p: (fill, numbers) => polygon(numbers.join(' '), fill),
  '/': (stroke, [w = 0]) => (w === 0 ? '' : line('M-6 70 70 -6', stroke, w, 'butt')),
}

function shapeOf(shape: string): string {
  const [op, rest] = [shape[0]!, shape.slice(1)]
  if (op === 'h' || op === 'v') return bands(op, rest)
  if (op === 'u') return union(Number(rest))
  if (op === 's') return named(rest)
  const draw = DRAWN[op]
  return draw ? draw(paint(rest[0]!), rest.slice(1).split(',').filter(Boolean).map(Number)) : ''
}

/** Bands of one flag: colours, each with its weight. */
function bands(op: string, text: string): string {
  const all = [...text.matchAll(/([a-zA-Z])(\d*)/g)].map(([, colour, weight]) => ({ colour: colour!, weight: Number(weight || 1) }))
  const whole = all.reduce((sum, { weight }) => sum + weight, 0)
  let at = 0
  return all
    .map(({ colour, weight }) => {
      const size = (weight / whole) * 64
      const from = at
      at += size
      // A little overlap hides the seams of two edges that meet between pixels.
      const long = Math.min(64 - from, size + 0.5)
      return op === 'h' ? rect(0, from, 64, long, paint(colour)) : rect(from, 0, long, 64, paint(colour))
    })
    .join('')
}

/** The Union Flag as a square of some side at the top left. */
function union(side: number): string {
  const [red, white, blue] = [paint('r'), paint('w'), paint('n')]
  const crosses = [
    rect(0, 0, 64, 64, blue),
    line('M0 0 64 64M64 0 0 64', white, 13, 'butt'),
    line('M0 0 64 64M64 0 0 64', red, 5, 'butt'),
    rect(23, 0, 18, 64, white) + rect(0, 23, 64, 18, white),
    rect(27, 0, 10, 64, red) + rect(0, 27, 64, 10, red),
  ].join('')
  return side === 64 ? crosses : `<svg width='${side}' height='${side}' viewBox='0 0 64 64'>${crosses}</svg>`
}

const LEAF =
  'M32 15l3.4 6.4 4.4-2.2-1.6 9.6 5.6-5 1 3.4 5.4-.8-2 5.6 3 1.6-9.4 7.4 1 3.4-9.4-1.2.4 9.4h-3.6l.4-9.4-9.4 1.2 1-3.4-9.4-7.4 3-1.6-2-5.6 5.4.8 1-3.4 5.6 5-1.6-9.6 4.4 2.2z'
const SHAPES: Readonly<Record<string, (fill: string) => string>> = {
  leaf: (fill) => path(LEAF, fill),
  bird: (fill) => path('M32 22l4 5 8-2-3 9-5 3 3 6H25l3-6-5-3-3-9 8 2z', fill),
  eagle: (fill) =>
    path('M32 16l4-3 2 5 12-2-2 6 5 2-5 3 3 5-8 1 3 5-7-2-3 8 4 5-8-3-8 3 4-5-3-8-7 2 3-5-8-1 3-5-5-3 5-2-2-6 12 2 2-5z', fill),
  o: () => '',
  geo: (fill) =>
    [13, 51].flatMap((x) => [13, 51].map((y) => rect(x - 1.7, y - 5, 3.4, 10, fill) + rect(x - 5, y - 1.7, 10, 3.4, fill))).join(''),
  checks: (fill) =>
    rect(22, 19, 20, 24, paint('w')) +
    Array.from({ length: 13 }, (_, n) => rect(22 + ((n * 2) % 5) * 4, 19 + Math.floor((n * 2) / 5) * 4.8, 4, 4.8, fill)).join(''),
  david: (fill) => line('M32 19 43.3 38.5H20.7zM32 45 20.7 25.5H43.3z', fill, 2.6, 'butt'),
  tulip: (fill) => path('M31 24h2v16h-2zM28 26c-7 5-5 13 2 14-4-4-4-9-2-14zM36 26c7 5 5 13-2 14 4-4 4-9 2-14z', fill),
  taeguk: (fill) =>
    path('M20.6 24.4A14 14 0 0 1 43.4 39.6 7 7 0 0 1 32 32 7 7 0 0 0 20.6 24.4z', fill) +
    path('M43.4 39.6A14 14 0 0 1 20.6 24.4 7 7 0 0 1 32 32 7 7 0 0 0 43.4 39.6z', paint('b')) +
    line('M7 17 15 7M10.5 19.5 18.5 9.5M14 22 22 12M49 7 57 17M45.5 9.5 53.5 19.5M42 12 50 22', paint('k'), 2.2, 'butt') +
    line('M7 47 15 57M10.5 44.5 18.5 54.5M14 42 22 52M49 57 57 47M45.5 54.5 53.5 44.5M42 52 50 42', paint('k'), 2.2, 'butt'),
  arc: (fill) => path('M12 40c12 12 28 12 40 0-6 16-34 16-40 0z', fill),
  cedar: (fill) => path('M32 17l7 9h-4l8 9h-5l8 9H34v4h-4v-4H18l8-9h-5l8-9h-4z', fill),
  penta: (fill) => line('M32 15 42.6 47.6 14.9 27.5H49.1L21.4 47.6z', fill, 3.2, 'butt'),
  teeth: (fill) =>
    polygon(
      Array.from({ length: 9 }, (_, n) => `20,${n * 7.2 - 0.5} 29,${n * 7.2 + 3.1}`)
        .concat('20,64')
        .join(' '),
      fill,
    ),
  shahada: (fill) => line('M14 26c4 4 4-6 8-4s2 6 6 4 2-8 6-6 2 6 6 4 4-4 8-2 0 4 2 4', fill, 3.4) + line('M14 40h36M16 37v6', fill, 3),
  dragon: (fill) => path('M12 40l10-14 10-6 6 4 10-2-4 6 6 6-8 2 4 10-8-6-8 2-2 8-4-8-8 2z', fill),
  south: (fill) =>
    path('M0 0 28 28H64V36H28L0 64V52L20 32 0 12z', paint('w')) +
    path('M0 4 26 30H64V34H26L0 60V50L18 32 0 14z', fill) +
    path('M0 14 18 32 0 50z', paint('y')) +
    path('M0 19 13 32 0 45z', paint('k')),
}

function named(text: string): string {
  const [name, colour = 'k'] = text.split(',')
  return SHAPES[name!]?.(paint(colour)) ?? ''
}
