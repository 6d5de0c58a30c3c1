import { expect, test } from 'vitest'
import {
  amountProblem,
  isNoPrice,
  priceProblem,
  readTyped,
  readTypedPrice,
  typedCode,
  writeMoney,
  writePrice,
  writeShares,
} from '../src/lib/language/typed-number.ts'
import { withLocale } from '../src/lib/server/page-locale.ts'

test.each([
  ['53', 5300],
  ['53c', 5300],
  ['53 ¢', 5300],
  ['53%', 5300],
  ['.53', 5300],
  ['0.53', 5300],
  ['$0.53', 5300],
  ['0,53', 5300],
  [',5', 5000],
  ['53.4', 5340],
  ['53,4', 5340],
  ['0.4¢', 40],
  ['٥٣', 5300],
  ['٠٫٥٣', 5300],
  ['٥٣٪', 5300],
  ['0', null],
  ['100', null],
  ['1.2.3', null],
  ['x', null],
  ['', null],
])('%j as a price', (text, steps) => expect(readTypedPrice(text)).toBe(steps))

test.each([
  ['$1,000', 1_000_000_000],
  ['25,5', 25_500_000],
  ['025', 25_000_000],
  ['.5', 500_000],
  ['1.', 1_000_000],
  ['١٬٠٠٠٫٥', 1_000_500_000],
  ['۲۵', 25_000_000],
  ['1.000,50', 1_000_500_000],
  ['1,000.50', 1_000_500_000],
  ['1,000,000', 1_000_000_000_000],
  ['1.000.000', 1_000_000_000_000],
  ['1,00,000', 100_000_000_000],
  ['0,123', 123_000],
  ['1.125', 1_125_000],
  ['1.000,5,0', null],
  ['-5', null],
  ['1e5', null],
])('%j as money', (text, micros) => expect(readTyped(text, 6)).toBe(micros))

test.each([
  ['1.000', 1_000_000_000],
  ['1.000.000', 1_000_000_000_000],
  ['25,500', 25_500_000],
  ['1.000,5', 1_000_500_000],
  ['0.125', 125_000],
  ['12.5', 12_500_000],
])('%j as money where a comma begins the fraction', (text, micros) => expect(withLocale('es', () => readTyped(text, 6))).toBe(micros))

test.each([
  ['', 2, ''],
  ['$', 2, ''],
  ['0.', 2, ''],
  ['12.5', 2, ''],
  ['abc', 2, 'A number with at most 2 decimals, such as 12.5.'],
  ['-5', 2, 'A number with at most 2 decimals, such as 12.5.'],
  ['10.555', 2, 'A number with at most 2 decimals, such as 12.5.'],
  ['١٠٫٥٥٥', 2, 'A number with at most 2 decimals, such as 12.5.'],
  ['9007199254.740991', 6, ''],
  ['9007199254.740992', 6, 'That number is too large.'],
  ['9,500,000,000', 6, 'That number is too large.'],
  ['9'.repeat(40), 6, 'That number is too large.'],
])('what is wrong with %j as an amount with %i decimals: %j', (text, places, problem) => {
  expect(amountProblem(text, places)).toBe(problem)
})

test.each([
  ['', false],
  ['0.', false],
  ['٠٫', false],
  ['53', false],
  ['150', true],
  ['١٥٠', true],
  ['no', true],
])('whether %j cannot become a price any more: %j', (text, isNone) => expect(isNoPrice(text)).toBe(isNone))

test.each([
  ['33.333', 10, 'Prices here go in steps of 0.1¢.'],
  ['0.33333', 100, 'Prices here go in steps of 1¢.'],
  ['150', 100, 'A price lies between 1¢ and 99¢.'],
  ['100.5', 100, 'A price lies between 1¢ and 99¢.'],
  ['no', 10, 'A price lies between 0.1¢ and 99.9¢.'],
])('why %j is no price on a grid of %i: %s', (text, grid, why) => expect(priceProblem(text, grid)).toBe(why))

test.each(['en', 'es', 'ar'] as const)('%s: what the fields write, they read again', (locale) => {
  withLocale(locale, () => {
    for (const steps of [1, 40, 100, 5340, 9999]) expect(readTypedPrice(writePrice(steps))).toBe(steps)
    for (const lots of [1, 1666, 100_050, 12_345_678]) expect(readTyped(writeShares(lots), 2)).toBe(lots)
  })
})

test('fields write as the language does', () => {
  const written = () => [writePrice(5340), writeMoney(25_509_999)]
  expect(written()).toEqual(['53.4¢', '25.5'])
  expect(withLocale('es', written)).toEqual(['53,4¢', '25,5'])
})

test('a code that an Arabic keyboard wrote is the one that the authenticator shows', () => {
  expect(typedCode('٠١٢ ٣٤٥')).toBe('012345')
  expect(typedCode('۶۷۸۹')).toBe('6789')
})
