import { expect, test } from 'vitest'
import { cents, chance, count, gain, money, shares, spread, steps, volume } from '../src/lib/numbers.ts'

test.each([
  [5300, undefined, '53¢'],
  [5340, undefined, '53.4¢'],
  [40, undefined, '0.4¢'],
  [1, undefined, '0.01¢'],
  [5300, 100, '53¢'],
  [5300, 10, '53.0¢'],
  [5350, 50, '53.5¢'],
  [5325, 25, '53.25¢'],
  [5301, 1, '53.01¢'],
])('%i steps on a grid of %s read %s', (price, grid, text) => {
  expect(cents(price, grid)).toBe(text)
})

test.each([
  [null, '–'],
  [0, '<1%'],
  [0.99, '<1%'],
  [1, '1%'],
  [53.4, '53%'],
  [53.5, '54%'],
  [99, '99%'],
  [99.1, '>99%'],
  [100, '>99%'],
])('a chance of %s reads %s', (percent, text) => {
  expect(chance(percent)).toBe(text)
})

test.each([
  [money, 1234.56, '$1,234.56'],
  [money, 0.5, '$0.50'],
  [volume, 940.6, '$941'],
  [volume, 999.5, '$1K'],
  [volume, 1_234_000, '$1.2M'],
  [volume, 1_009_223_495, '$1B'],
  [gain, 12.3, '+$12.30'],
  [gain, -0.5, '\u2212$0.50'],
  [shares, 125_050, '1,250.5'],
  [shares, 1, '0.01'],
  [shares, 500, '5'],
  [steps, 0.53, 5300],
  [steps, 0.0001, 1],
])('%o of %d is %s', (format, input, text) => {
  expect(format(input)).toBe(text)
})

test.each([
  [5200, 5300, '1¢ (1.9%)'],
  [40, 50, '0.1¢ (22.2%)'],
  [null, 5300, 'no two-sided market'],
  [5200, null, 'no two-sided market'],
])('a bid of %s and an ask of %s leave %s', (bid, ask, text) => {
  expect(spread(bid, ask)).toBe(text)
})

test('a count agrees with its noun', () => {
  expect([count(0, 'market'), count(1, 'market'), count(1280, 'market')]).toEqual(['0 markets', '1 market', '1,280 markets'])
})
