import { expect, test } from 'vitest'
import { formatUnits, readUnits } from '../src/lib/money/token-units.ts'

test('an amount is read to the last unit, and nothing else is read', () => {
  for (const [text, decimals, units] of [
    ['1', 6, 1_000_000n],
    ['0.000001', 6, 1n],
    ['.5', 18, 500_000_000_000_000_000n],
    ['1,5', 6, 1_500_000n],
    ['1,000', 6, 1_000_000_000n],
    ['١٫٥', 6, 1_500_000n],
    ['٢٥', 6, 25_000_000n],
    ['12345678901234567890', 18, 12345678901234567890n * 10n ** 18n],
    ['3.', 2, 300n],
    ['7', 0, 7n],
    ['0.0000001', 6, null],
    ['', 6, null],
    ['.', 6, null],
    ['-1', 6, null],
    ['1e3', 6, null],
    ['1.2.3', 6, null],
  ] as const)
    expect(readUnits(text, decimals), text).toBe(units)
})

test('units are written with six places at most, cut off', () => {
  for (const [amount, decimals, text] of [
    ['1500000', 6, '1.5'],
    ['1', 6, '0.000001'],
    ['1999999999999999999', 18, '1.999999'],
    ['0', 6, '0'],
    ['42', 0, '42'],
    ['1234500000', 6, '1,234.5'],
    ['12345678901234567890123', 6, '12,345,678,901,234,567.890123'],
  ] as const)
    expect(formatUnits(amount, decimals)).toBe(text)
})
