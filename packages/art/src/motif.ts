import { coin, coinOf } from './coins.ts'
import { mix } from './colour.ts'
import { drawFlag } from './draw-flag.ts'
import { emblem } from './emblems.ts'
import type { Motif } from './motif-type.ts'
import { FAMILIES, FAMILY_NAMES, type Family } from './palette.ts'
import { tiles } from './pattern.ts'
import { seedOf } from './seed.ts'
import { disc, path, polygon, rect, star } from './shapes.ts'
import type { Spec } from './spec.ts'
import { drawTeam } from './team.ts'
import { label } from './texts.ts'
import { hueOf, initialsOf } from './words.ts'

const hued = (hue: number): Family => FAMILIES[FAMILY_NAMES[hue % FAMILY_NAMES.length]!]

/** Returns the motif of a picture; null where its name has a country, coin or emblem that does not exist. */
export function motifOf(spec: Spec): Motif | null {
  switch (spec.kind) {
    case 'emblem':
      return withFlag(emblem(spec.name), spec.flag)
    case 'flags':
      return flags(spec.codes)
    case 'coin':
      return coin(spec.name)
    case 'token':
      return {
        ground: hued(spec.hue),
        shapes: coinOf(label(spec.letters, { x: 32, y: 32, size: 19, most: 27, fill: hued(spec.hue).deep })),
      }
    case 'person':
      return withFlag(monogram(spec.letters, dimmed(hued(spec.hue))), spec.flag)
    case 'member':
      return monogram(memberInitials(spec.name), dimmed(hued(hueOf(spec.name))))
    case 'address':
      return { ground: hued(hueOf(spec.address)), shapes: tiles(hued(hueOf(spec.address)), seedOf(spec.address)), full: true, tiled: true }
    case 'team':
      return drawTeam(spec)
    case 'date':
      return calendar(spec.top, spec.bottom)
    case 'level':
      return level(spec.direction, spec.text)
    case 'parties':
      return parties(spec.first, spec.second)
    case 'letters':
      return monogram(spec.letters, dimmed(hued(spec.hue)))
    case 'pattern':
      return { ground: hued(spec.hue), shapes: tiles(hued(spec.hue), spec.seed), full: true, tiled: true }
  }
}

/** Initials of a member's name, of whose words `_` and capitals are the edges. */
const memberInitials = (name: string) =>
  initialsOf(name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\d]+/g, ' ')) || initialsOf(name.replace(/_/g, '')) || '_'

/** A ground for text: dark enough for small white letters everywhere. */
export const dimmed = (ground: Family): Family => ({ ...ground, lit: mix(ground.lit, ground.deep, 0.35) })

/** A small round flag in the lower corner, for what belongs to a country. */
function withFlag(motif: Motif | null, code: string | undefined): Motif | null {
  if (!motif || code === undefined) return motif
  const flag = drawFlag(code)
  if (flag === null) return null
  const inner = `<svg x='38' y='38' width='22' height='22' viewBox='0 0 64 64'><g clip-path='url(#c)'>${flag}</g></svg>`
  const clip = `<clipPath id='c'><circle cx='32' cy='32' r='32'/></clipPath>`
  return { ...motif, shapes: `${clip}<g transform='translate(-3.5 -3.5)'>${motif.shapes}</g>${disc(49, 49, 13, '#fff')}${inner}` }
}

function flags(codes: readonly string[]): Motif | null {
  const [one, other] = codes.map(drawFlag)
  if (!one || other === null) return null
  if (other === undefined) return { ground: FAMILIES.night, shapes: one, full: true }
  const half = `<clipPath id='d'><path d='M64 0V64H0z'/></clipPath>`
  // Each is moved into its half, over itself, which fills the corners.
  const moved = (flag: string, by: string) => `${flag}<g transform='translate(${by})'>${flag}</g>`
  const second = `<g clip-path='url(#d)'>${moved(other, '10 10')}</g>`
  const filled = `${moved(one, '-10 -10')}${half}${second}<path d='M-4 68 68-4' stroke='#fff' stroke-width='3'/>`
  return { ground: FAMILIES.night, shapes: filled, full: true }
}

const monogram = (letters: string, ground: Family): Motif => ({
  ground,
  shapes: label(letters, { x: 32, y: 32, size: [...letters].length > 2 ? 22 : 27, fill: '#fff', most: 46, weight: 650 }),
})

function calendar(top: string, bottom: string): Motif {
  const sheet = [
    `<rect x='10' y='13' width='44' height='43' rx='7' fill='#000' opacity='.16'/><rect x='10' y='11' width='44' height='43' rx='7' fill='#fff'/>`,
    path('M10 25v-7a7 7 0 0 1 7-7h30a7 7 0 0 1 7 7v7z', '#dd3d53'),
    label(top, { x: 32, y: 18.3, size: 11.5, fill: '#fff', most: 36 }),
    label(bottom, { x: 32, y: 39.5, size: bottom.length > 2 ? 17 : 25, fill: '#1c2638', most: 40 }),
  ]
  return { ground: FAMILIES.slate, shapes: sheet.join('') }
}

function level(direction: 'u' | 'd' | 'n', text: string): Motif {
  const ground = dimmed(direction === 'd' ? FAMILIES.red : direction === 'u' ? FAMILIES.green : FAMILIES.blue)
  const arrow =
    direction === 'n'
      ? path('M18 18h28v4H18zM18 46h28v3H18z', ground.tint)
      : polygon(direction === 'u' ? '32,9 43,22 21,22' : '32,56 43,43 21,43', ground.tint)
  const y = direction === 'u' ? 39 : direction === 'd' ? 25 : 34
  return { ground, shapes: arrow + label(text, { x: 32, y, size: 22, fill: '#fff', most: 54 }) }
}

const PARTIES: Readonly<Record<string, string>> = { d: '#2a5fd0', r: '#d03a48', x: '#6b7280' }
/** Two chambers, each in the colour of the party that holds it. */
function parties(first: string, second: string): Motif {
  const half = (x: number, party: string) => {
    const mark = party === 'x' ? label('?', { x: x + 16, y: 33, size: 20, fill: '#fff' }) : polygon(star(x + 16, 32, 11), '#fff')
    return rect(x, 0, 32, 64, PARTIES[party]!) + mark
  }
  if (first === second)
    return {
      ground: FAMILIES.indigo,
      shapes: rect(0, 0, 64, 64, PARTIES[first]!) + polygon(star(20, 36, 12), '#fff') + polygon(star(44, 28, 12), '#fff'),
      full: true,
    }
  return { ground: FAMILIES.indigo, shapes: `${half(0, first)}${half(32, second)}${rect(31, 0, 2, 64, '#fff')}`, full: true }
}
