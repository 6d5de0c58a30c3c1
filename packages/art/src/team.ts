import { luminance, mix } from './colour.ts'
import type { Motif } from './motif-type.ts'
import { FAMILIES } from './palette.ts'
import { path, rect } from './shapes.ts'
import type { Spec } from './spec.ts'
import { label } from './texts.ts'

const SHIELD = 'M12 13c7 0 14-1 20-4 6 3 13 4 20 4v17c0 13-9 20-20 26-11-6-20-13-20-26z'

/** How the second colour lies on the first: plain, stripes, halves, hoops, a sash, a chief, quarters. */
const PATTERNS: readonly ((fill: string) => string)[] = [
  () => '',
  (fill) => rect(18, 0, 8, 64, fill) + rect(38, 0, 8, 64, fill),
  (fill) => rect(32, 0, 32, 64, fill),
  (fill) => rect(0, 17, 64, 7, fill) + rect(0, 39, 64, 7, fill),
  (fill) => path('M6 58 58 2v16L18 62z', fill),
  (fill) => rect(0, 0, 64, 22, fill),
  (fill) => rect(32, 0, 32, 32, fill) + rect(0, 32, 32, 32, fill),
]

/** Draws the colours of a team as a shield with its letters. */
export function drawTeam({ letters, first, second, pattern }: Extract<Spec, { kind: 'team' }>): Motif {
  const [one, other] = [`#${first}`, `#${second}`]
  const isLight = luminance(one) > 0.5
  const base = isLight ? (luminance(other) > 0.5 ? '#475569' : other) : one
  const ground = { ...FAMILIES.slate, lit: mix(base, '#ffffff', 0.12), deep: mix(base, '#05070f', 0.5) }
  const ink = luminance(one) > 0.32 ? '#121826' : '#ffffff'
  const halo = ink === '#ffffff' ? '#121826' : '#ffffff'
  const written = label(letters, { x: 32, y: 31, size: 20, fill: ink, most: 31, weight: 800 })
  const outlined = written.replace(
    '<text',
    `<text stroke='${pattern === 0 || pattern === 5 ? 'none' : halo}' stroke-opacity='.85' stroke-width='3.4' stroke-linejoin='round' paint-order='stroke'`,
  )
  const shapes = [
    `<path d='${SHIELD}' fill='#000' opacity='.2' transform='translate(0 2)'/>`,
    `<clipPath id='t'><path d='${SHIELD}'/></clipPath><g clip-path='url(#t)'>${rect(0, 0, 64, 64, one)}${PATTERNS[pattern]!(other)}</g>`,
    `<path d='${SHIELD}' fill='none' stroke='#fff' stroke-width='2.6' stroke-linejoin='round'/>`,
    outlined,
  ]
  return { ground, shapes: shapes.join('') }
}
