import { fc } from '@augury/testing/properties'
import { formatPrice, parsePrice } from '@augury/units/decimal'
import { GRIDS, ONE, onGrid } from '@augury/units/price'
import { expect, test } from 'vitest'
import { complementOf, costOf, formatMicros, type Rounding, roundPrice, roundSize, sizeFor } from '../src/amounts.ts'

test.each<[number | string, number | string, Rounding, string]>([
  [0.29, 0.01, 'down', '0.29'], // 28.999999999999996 ticks
  [0.1 + 0.2, 0.01, 'up', '0.3'], // 0.30000000000000004
  [1.1 - 0.8, 0.1, 'down', '0.3'], // 0.30000000000000004
  [0.4567, 0.01, 'down', '0.45'],
  [0.4567, 0.01, 'up', '0.46'],
  [0.4567, 0.01, 'nearest', '0.46'],
  [0.4567, 0.005, 'down', '0.455'],
  [0.4567, 0.0025, 'up', '0.4575'],
  ['0.4567', '0.0001', 'down', '0.4567'],
  [0, 0.01, 'down', '0.01'],
  [-3, 0.01, 'up', '0.01'],
  [7, 0.001, 'nearest', '0.999'],
])('%d at a tick of %d, rounded %s to it, with %s as the result', (value, tick, rounding, price) => {
  expect(roundPrice(value, tick, rounding)).toBe(price)
})

test('a price is on the grid, less than a tick away on the side that was asked for, and stays where it is when rounded again', () => {
  const arbGrid = fc.constantFrom(...GRIDS)
  fc.assert(
    fc.property(fc.double({ min: 0.1, max: 0.9, noNaN: true }), arbGrid, (value, grid) => {
      const tick = formatPrice(grid)
      const [down, near, up] = (['down', 'nearest', 'up'] as const).map((rounding) => roundPrice(value, tick, rounding)) as [
        string,
        string,
        string,
      ]
      for (const price of [down, near, up]) expect(onGrid(parsePrice(price), grid)).toBe(true)
      const dust = 1e-8 * ONE
      expect(parsePrice(down)).toBeLessThanOrEqual(value * ONE + dust)
      expect(parsePrice(up)).toBeGreaterThanOrEqual(value * ONE - dust)
      expect(parsePrice(up) - parsePrice(down)).toBeLessThanOrEqual(grid)
      expect([down, up]).toContain(near)
      for (const rounding of ['down', 'nearest', 'up'] as const) expect(roundPrice(down, tick, rounding)).toBe(down)
    }),
  )
})

test.each<[number | string, string]>([
  [12.349, '12.34'],
  [0.07 * 100, '7'], // 7.000000000000001
  [1.15 * 100, '115'], // 114.99999999999999
  ['40000000', '40000000'],
  [0.009, '0'],
])('%d shares are cut to %s', (shares, size) => {
  expect(roundSize(shares)).toBe(size)
})

test.each([() => roundPrice(Number.NaN, 0.01, 'down'), () => roundPrice(' ', 0.01, 'down'), () => roundPrice(0.5, 0, 'down')])(
  'what is no price or no tick is refused',
  (round) => {
    expect(round).toThrow(RangeError)
  },
)

test.each([-1, Number.POSITIVE_INFINITY, 'many'])('%s shares are refused', (shares) => {
  expect(() => roundSize(shares)).toThrow(RangeError)
})

test('cost, size and complement are exact', () => {
  expect(costOf('0.1234', '0.07')).toBe('0.008638')
  expect(sizeFor('100', '0.56')).toBe('178.57')
  expect(costOf('0.56', sizeFor('100', '0.56'))).toBe('99.9992')
  expect([complementOf('0.42'), complementOf('0.0001')]).toEqual(['0.58', '0.9999'])
})

test.each([
  ['0', '0'],
  ['1', '0.000001'],
  ['1000000', '1'],
  ['958000000', '958'],
  ['33600000', '33.6'],
  ['9007199254740993', '9007199254.740993'],
])('%s millionths are %s', (micros, decimal) => {
  expect(formatMicros(micros)).toBe(decimal)
})
