import { expect, test } from 'vitest'
import { readTyped, readTypedPrice, typedCode, writeMoney, writePrice } from '../src/lib/language/typed-number.ts'

test.each([
  ['53', 5300],
  ['53c', 5300],
  ['53 ¢', 5300],
  ['53%', 5300],
  ['.53', 5300],
  ['0.53', 5300],
  ['$0.53', 5300],
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
  ['1.000,5,0', null],
  ['-5', null],
  ['1e5', null],
])('%j as money', (text, micros) => expect(readTyped(text, 6)).toBe(micros))

test('what the fields write, they read again', () => {
  for (const steps of [1, 40, 100, 5340, 9999]) expect(readTypedPrice(writePrice(steps))).toBe(steps)
  expect(writeMoney(25_509_999)).toBe('25.5')
})

test('a code that an Arabic keyboard wrote is the one that the authenticator shows', () => {
  expect(typedCode('٠١٢ ٣٤٥')).toBe('012345')
  expect(typedCode('۶۷۸۹')).toBe('6789')
})
