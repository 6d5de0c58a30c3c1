import { motifOf } from './motif.ts'
import type { Motif } from './motif-type.ts'
import { backdrop } from './pattern.ts'
import { seedOf } from './seed.ts'
import { readSpec } from './spec.ts'

/** Draws the picture of a name as SVG: a square of 64, or `wide` 320 × 180. Null for a name that is none. */
export function drawArt(name: string, wide = false): string | null {
  const spec = readSpec(name)
  const motif = spec && motifOf(spec)
  if (!motif) return null
  return wide ? drawWide(motif, name) : drawSquare(motif)
}

/** The light of all pictures: from the top left. */
const light = (width: number, height: number) =>
  `<linearGradient id='l' x1='0' y1='0' x2='.7' y2='1'><stop stop-color='#fff' stop-opacity='.2'/><stop offset='.55' stop-color='#fff' stop-opacity='0'/><stop offset='1' stop-color='#000' stop-opacity='.16'/></linearGradient><rect width='${width}' height='${height}' fill='url(#l)'/>`

const ground = ({ lit, deep }: Motif['ground'], width: number, height: number) =>
  `<linearGradient id='g' x1='0' y1='0' x2='1' y2='1'><stop stop-color='${lit}'/><stop offset='1' stop-color='${deep}'/></linearGradient><rect width='${width}' height='${height}' fill='url(#g)'/>`

const open = (width: number, height: number) =>
  `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${width} ${height}' width='${width}' height='${height}'>`

function drawSquare(motif: Motif): string {
  const body = motif.full ? motif.shapes + light(64, 64) : ground(motif.ground, 64, 64) + motif.shapes
  return `${open(64, 64)}${body}</svg>`
}

function drawWide(motif: Motif, name: string): string {
  const seed = seedOf(name)
  const at = (x: number, y: number, side: number, shapes: string) =>
    `<svg x='${x}' y='${y}' width='${side}' height='${side}' viewBox='0 0 64 64'>${shapes}</svg>`
  if (!motif.full) {
    const ghost = `<g opacity='.09' transform='rotate(${(seed % 24) - 12} 160 90)'>${at(seed % 2 ? 150 : -40, -50, 260, motif.shapes)}</g>`
    const faint = `<g opacity='.06'>${backdrop(seed)}</g>`
    return `${open(320, 180)}${ground(motif.ground, 320, 180)}${faint}${ghost}${at(86, 16, 148, motif.shapes)}</svg>`
  }
  const cover = at(0, -70, 320, motif.shapes)
  // A pattern is all ground: there is nothing to put in front of it.
  if (motif.tiled) return `${open(320, 180)}${cover}${light(320, 180)}</svg>`
  const veil = `<rect width='320' height='180' fill='#0b1436' opacity='.42'/>`
  const clip = `<clipPath id='r'><rect width='64' height='64' rx='14'/></clipPath>`
  const tile = `<g clip-path='url(#r)'>${motif.shapes}</g><rect x='.6' y='.6' width='62.8' height='62.8' rx='13.5' fill='none' stroke='#fff' stroke-opacity='.75' stroke-width='1.2'/>`
  return `${open(320, 180)}${clip}${cover}${veil}${light(320, 180)}${at(100, 30, 120, tile)}</svg>`
}
