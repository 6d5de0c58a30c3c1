import { fc } from '@augury/testing/properties'
import { describe, expect, test } from 'vitest'
import {
  DecimalError,
  formatDecimal,
  formatLots,
  formatPrice,
  formatUsdc,
  parseDecimal,
  parseLots,
  parsePrice,
  parseUsdc,
} from '../src/decimal.ts'
import { lots } from '../src/lots.ts'
import { mulDiv, mulDivHalfUp } from '../src/mul-div.ts'
import { complement, GRIDS, isGrid, ONE, onGrid, price } from '../src/price.ts'
import { cost, usdc } from '../src/usdc.ts'

describe('a text becomes an amount exactly or not at all', () => {
  test.each([
    ['0.53', 4, 5300],
    ['0', 4, 0],
    ['1.5', 6, 1_500_000],
    ['0.5000', 2, 50],
    ['9007199254.740991', 6, Number.MAX_SAFE_INTEGER],
  ])('%s at %i places is %i', (text, places, count) => expect(parseDecimal(text, places)).toBe(count))

  test.each(['', '.5', '5.', '05', '-1', '+1', '1e3', '0x10', ' 1', '1 ', '1,5', '١', 'NaN', 'Infinity', '1'.repeat(17)])(
    '%j is no decimal',
    (text) => expect(() => parseDecimal(text, 6)).toThrow(DecimalError),
  )

  test.each([
    ['0.00001', 4, false],
    ['0.001', 2, false],
    ['9007199254.740992', 6, true],
    ['9999999999999999', 6, true],
  ])('%s has no exact count at %i places', (text, places, isTooLarge) => {
    expect(() => parseDecimal(text, places)).toThrow(
      expect.toSatisfy((error) => error instanceof DecimalError && error.isTooLarge === isTooLarge),
    )
  })

  test.each(['0', '1', '1.0001', '0.00001'])('%s is no price', (text) => expect(() => parsePrice(text)).toThrow(DecimalError))
})

test('what is written is read back as it was, in its shortest form', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 9 }), (count, places) => {
      const text = formatDecimal(count, places)
      expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      expect(parseDecimal(text, places)).toBe(count)
    }),
  )
  expect([formatPrice(5300), formatLots(1234), formatUsdc(-1_500_000), formatUsdc(0)]).toEqual(['0.53', '12.34', '-1.5', '0'])
  expect([parsePrice('0.53'), parseLots('12.34'), parseUsdc('1.5')]).toEqual([5300, 1234, 1_500_000])
  expect(() => formatDecimal(0.5, 2)).toThrow(RangeError)
})

test('a·b/c is exact where a product of numbers is not', () => {
  const amount = fc.maxSafeNat()
  fc.assert(
    fc.property(amount, amount, fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (a, b, c) => {
      const floor = (BigInt(a) * BigInt(b)) / BigInt(c)
      const halfUp = (2n * BigInt(a) * BigInt(b) + BigInt(c)) / (2n * BigInt(c))
      const isSafe = (n: bigint) => n <= BigInt(Number.MAX_SAFE_INTEGER)
      if (isSafe(floor)) expect(mulDiv(a, b, c)).toBe(Number(floor))
      else expect(() => mulDiv(a, b, c)).toThrow(RangeError)
      if (isSafe(halfUp)) expect(mulDivHalfUp(a, b, c)).toBe(Number(halfUp))
      else expect(() => mulDivHalfUp(a, b, c)).toThrow(RangeError)
    }),
  )
})

test('the other token costs what this one leaves of one USDC, on every grid', () => {
  for (const grid of GRIDS) {
    const prices = Array.from({ length: ONE - 1 }, (_, i) => price(i + 1)).filter((k) => onGrid(k, grid))
    expect(prices).toHaveLength(ONE / grid - 1)
    expect(prices.map(complement).every((k) => onGrid(k, grid))).toBe(true)
  }
  expect([1000, 20, 0, 10_000].map(isGrid)).toEqual([true, false, false, false])
})

test.each([0, 10_000, 0.5, -1, Number.NaN])('%d is no price in steps', (steps) => expect(() => price(steps)).toThrow(RangeError))
test.each([-1, 0.5, 2 ** 53])('%d is no number of lots', (count) => expect(() => lots(count)).toThrow(RangeError))
test.each([0.5, 2 ** 53, Number.NaN])('%d is no amount of money', (micros) => expect(() => usdc(micros)).toThrow(RangeError))

test('a step times a lot is a millionth of a USDC', () => {
  expect(cost(price(5600), lots(2104))).toBe(11_782_400)
  // @ts-expect-error price and size swapped
  cost(lots(1), price(1))
  // @ts-expect-error a bare number is no amount
  cost(5600, lots(1))
})
