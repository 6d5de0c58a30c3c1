import { fc } from '@augury/testing/properties'
import { type ThemeColour, type ThemeTokens, themePresets, themeTokens } from '@augury/wire/platform/theme'
import { expect, test } from 'vitest'
import { contrast, fromOklch, readColour, toHex, toOklch } from '../src/themes/colour.ts'
import { contrastFaults, nearestPassing } from '../src/themes/contrast-gate.ts'
import { themeCss } from '../src/themes/site-theme.ts'

const withLight = (colours: Partial<Record<ThemeColour, string>>): ThemeTokens => ({
  ...themePresets.default,
  light: { ...themePresets.default.light, ...colours },
})
const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test.each(Object.entries(themePresets))('the preset theme %s has enough contrast, and is small', (_, tokens) => {
  expect(contrastFaults(tokens)).toEqual([])
  expect(themeTokens.parse(tokens)).toEqual(tokens)
  expect(themeCss(tokens).length).toBeLessThan(2048)
})

test.each([
  ['#ffffff', '#000000', 21],
  ['#777777', '#ffffff', 4.48],
  ['#0000ff', '#ffffff', 8.59],
  ['#1d5bd6', '#ffffff', 6],
])('the contrast of %s and %s is %d', (a, b, ratio) => {
  expect(contrast(readColour(a), readColour(b))).toBeCloseTo(ratio, 1)
  expect(contrast(readColour(b), readColour(a))).toBe(contrast(readColour(a), readColour(b)))
})

test.each([
  ['#abc', '#aabbcc'],
  ['#1D5BD6', '#1d5bd6'],
  ['oklch(0.628 0.2577 29.23)', '#ff0000'],
  ['oklch(62.8% 0.2577 29.23deg)', '#ff0000'],
  ['oklch(1 0 0)', '#ffffff'],
  ['oklch(0 0 0)', '#000000'],
  ['oklch(0 0.02 264)', '#000000'],
  ['oklch(100% 0.02 264)', '#ffffff'],
])('%s is %s', (text, seen) => {
  expect(toHex(readColour(text))).toBe(seen)
})

test('every sRGB colour survives conversion to OKLCH and back', () => {
  fc.assert(
    fc.property(hex, (text) => {
      expect(toHex(fromOklch(toOklch(readColour(text))))).toBe(text)
    }),
  )
})

test('the suggested colour passes on every background, or there is none', () => {
  fc.assert(
    fc.property(hex, hex, hex, (text, one, two) => {
      const grounds = [readColour(one), readColour(two)]
      const offered = nearestPassing(readColour(text), grounds, 4.5)
      if (offered !== null) for (const ground of grounds) expect(contrast(readColour(offered), ground)).toBeGreaterThanOrEqual(4.5)
      else {
        const fits = (ends: string) => grounds.every((ground) => contrast(readColour(ends), ground) >= 4.5)
        expect([fits('#000000'), fits('#ffffff')]).toEqual([false, false])
      }
    }),
  )
})

test('if only black passes, black is suggested for a nearly black blue', () => {
  expect(nearestPassing(readColour('#000005'), [readColour('#0f8a16'), readColour('#4e812c')], 4.5)).toBe('#000000')
})

test('a fault has the colours, their contrast and a suggestion', () => {
  const faults = contrastFaults(withLight({ 'text-3': '#9aa3af', 'border-strong': '#e5e7eb', 'on-brand': '#1d5bd6' }))
  expect(faults.map(({ colour, on }) => `${colour} on ${on}`)).toEqual([
    'text-3 on bg',
    'text-3 on surface',
    'text-3 on surface-2',
    'on-brand on brand',
    'border-strong on bg',
    'border-strong on surface',
    'border-strong on surface-2',
  ])
  for (const { colour, nearest, ratio, needed, scheme } of faults) {
    expect([scheme, ratio < needed]).toEqual(['light', true])
    expect(contrastFaults(withLight({ [colour]: nearest! }))).toEqual([])
  }
})

test.each([
  'red',
  '#12345',
  'rgb(1,2,3)',
  'var(--x)',
  'url(https://evil.example)',
  '#fff;}body{background:url(x)',
  'expression(1)',
  'oklch(0.5 0.1 20 / 0.5)',
  '#ffffff80',
  '</style><script>alert(1)</script>',
  '',
])('%j is not a valid colour', (colour) => {
  expect(themeTokens.safeParse(withLight({ bg: colour })).success).toBe(false)
})

test.each([-1, 21, 3.5, '8px'])('%j is not a valid radius', (radius) => {
  expect(themeTokens.safeParse({ ...themePresets.default, radius }).success).toBe(false)
})
