import { expect, test } from 'vitest'
import { inCents, inDollars } from '../src/notifications/figures.ts'

test.each([
  ['0.4', '40¢'],
  ['0.534', '53.4¢'],
  ['0.004', '0.4¢'],
  ['0.198112', '19.81¢'],
])('a price of %s is formatted as %s', (price, told) => {
  expect(inCents(price)).toBe(told)
})

test.each([
  [1_000_000_000, '$1,000.00'],
  [12_500_000, '$12.50'],
  [4_999, '<1¢'],
  [5_000, '$0.01'],
  [1, '<1¢'],
  [9_007_199_254_740_991, '$9,007,199,254.74'],
])('%i millionths are formatted as %s', (micros, told) => {
  expect(inDollars(micros)).toBe(told)
})
