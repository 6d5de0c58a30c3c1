import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { artName, artPath, readLook, widePicture } from '../src/address.ts'
import { COIN_NAMES } from '../src/coins.ts'
import { contrast, mix } from '../src/colour.ts'
import { drawArt } from '../src/draw.ts'
import { EMBLEM_NAMES } from '../src/emblems.ts'
import { FLAGS } from '../src/flags.ts'
import { dimmed } from '../src/motif.ts'
import { FAMILIES } from '../src/palette.ts'
import { readSpec, writeSpec } from '../src/spec.ts'

/** The elements of an SVG, which is well-formed. */
function elementsOf(svg: string): { name: string; attributes: Record<string, string> }[] {
  const found: { name: string; attributes: Record<string, string> }[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => void found.push({ name, attributes: attributes as Record<string, string> }))
  parser.write(svg).close()
  return found
}
const DRAWN = ['svg', 'g', 'path', 'rect', 'circle', 'ellipse', 'polygon', 'text', 'linearGradient', 'stop', 'clipPath']

const names = [
  ...EMBLEM_NAMES.map((name) => `e_${name}`),
  ...COIN_NAMES.map((name) => `c_${name}`),
  ...Object.keys(FLAGS).map((code) => `f_${code}`),
  ...['f_us_ru', 'e_ballot_ua', 'k_MEGA_3', 'p_GN_1', 'p_山_4_cn', 'p_أم_2', 't_CHE_034694_ffffff_0', 't_X_ffffff_ffffff_6', 'd_JUN_30'],
  ...['d__2025', 'l_u_$2B', 'l_d_<3.5%', 'l_n_3-4', 's_d_r', 's_x_x', 'w_AB_7', 'g_0_1', 'g_99_9999'],
]
test.each(names)('%s is a well-formed drawing, square and wide', (name) => {
  for (const wide of [false, true]) {
    const svg = drawArt(name, wide)!
    const elements = elementsOf(svg)
    expect(elements.filter((element) => !DRAWN.includes(element.name))).toEqual([])
    expect(svg).not.toMatch(/NaN|undefined|Infinity| on\w+=|href/)
    expect(elements[0]!.attributes.viewBox).toBe(wide ? '0 0 320 180' : '0 0 64 64')
    expect(svg.length).toBeLessThan(12_000)
    expect(drawArt(name, wide)).toBe(svg)
  }
})

test.each(names)('the name %s is read and written alike', (name) => {
  expect(writeSpec(readSpec(name)!)).toBe(name)
})

test.each([
  ...[
    '',
    'e',
    'e_',
    'e_nothing',
    'e_football_zz',
    'e_football_us_us',
    'f_zz',
    'f_us_ru_cn',
    'f_',
    'c_none',
    'k_MEGA',
    'p_ABCDE_1',
    'p_A_100',
  ],
  ...['p_<b>_1', 'p_A&_1', `l_u_"`, "l_u_'", 't_AAA_red_blue_0', 't_AAA_ffffff_ffffff_9', 'd_JUNE5_1', 's_d', 's_z_z', 'g_1_12345'],
  ...[
    'u_ab',
    'u_a-b-c',
    'a_0x12',
    `a_0x${'1F'.repeat(20)}`,
    '__proto___1',
    'constructor_x',
    'e_constructor',
    'e_toString',
    'c_constructor',
    'f_../..',
    'p_\u202E_1',
    'p_🎉_1',
    `p_${'A'.repeat(100)}_1`,
  ],
])('the name %j is none', (name) => {
  expect([drawArt(name), drawArt(name, true)]).toEqual([null, null])
})

test.each(Object.entries(FAMILIES))('white letters on %s have enough contrast all over', (_, family) => {
  const { lit, deep } = dimmed(family)
  // Letters lie between a fifth and four fifths of the way from corner to corner.
  for (const share of [0.2, 0.5, 0.8]) expect(contrast('#ffffff', mix(lit, deep, share))).toBeGreaterThanOrEqual(4.5)
})

test('addresses name the look of a picture', () => {
  const path = artPath('p_山_4')
  expect(path).toBe('/art/1/p_%E5%B1%B1_4.svg')
  expect([artName(path), artName('/uploads/a.svg')]).toEqual(['p_山_4', null])
  expect([widePicture(path), widePicture('/uploads/a.png')]).toEqual(['/art/1w/p_%E5%B1%B1_4.svg', '/uploads/a.png'])
  expect([readLook('1'), readLook('1w'), readLook('2')]).toEqual(['square', 'wide', null])
})
