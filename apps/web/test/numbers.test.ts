import { expect, test } from 'vitest'
import {
  booked,
  cents,
  chance,
  counted,
  exactMoney,
  gain,
  gainSide,
  money,
  percentChange,
  preciseCents,
  shares,
  spendable,
  spread,
  steps,
  swing,
  volume,
} from '../src/lib/language/numbers.ts'
import { m } from '../src/lib/paraglide/messages.js'
import { withLocale } from '../src/lib/server/page-locale.ts'

test('what can be spent is rounded down, as what Max writes', () => {
  expect([499_735_981, 9_999_999, 290_000, 9_999].map(spendable)).toEqual(['$499.73', '$9.99', '$0.29', '$0.00'])
})

test('money is rounded to cents away from zero, and a small amount is not none', () => {
  expect([0.342, 0.346, 1.005, 0.0049, 0].map(money)).toEqual(['$0.34', '$0.35', '$1.01', '<1¢', '$0.00'])
  expect([-0, -0.0000001, -5.33, -1.005, -0.004].map(money)).toEqual(['$0.00', '$0.00', '\u2212$5.33', '\u2212$1.01', '\u2212<1¢'])
})

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
  [0, '0%'],
  [0.001, '<1%'],
  [0.99, '<1%'],
  [1, '1%'],
  [53.4, '53%'],
  [53.5, '54%'],
  [0.285 * 100, '29%'],
  [28.5, '29%'],
  [99, '99%'],
  [99.1, '>99%'],
  [99.999, '>99%'],
  [100, '100%'],
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
  [gain, -0.004, '$0.00'],
  [exactMoney, 25_000_000, '$25.00'],
  [exactMoney, 1, '$0.000001'],
  [booked, 25, '+$25.00'],
  [booked, -10.005, '\u2212$10.01'],
  [booked, 0.000001, '+<1¢'],
  [booked, 0, '$0.00'],
  [gainSide, 0.004, ''],
  [gainSide, 0.01, 'yes'],
  [gainSide, -0.01, 'no'],
  [percentChange, 0.041, '+4.1%'],
  [percentChange, -0.0001, '0%'],
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

test.each([
  [4.4, '▲4'],
  [-12, '▼12'],
  [0.4, ''],
  [0.5, '▲1'],
  [-0.5, '▼1'],
  [28 - 0.285 * 100, '▼1'],
])('%d points more read %j', (points, text) => {
  expect(swing(points)).toBe(text)
})

test('a number in a sentence picks its form and is written with separators', () => {
  const sentence = (locale: 'en' | 'es' | 'ar', n: number) => withLocale(locale, () => m.markets_count(counted(n)))
  expect([0, 1, 1280].map((n) => sentence('en', n))).toEqual(['0 markets', '1 market', '1,280 markets'])
  expect(sentence('es', 12_800)).toBe('12.800 mercados')
  expect([1, 2, 3, 11].map((n) => sentence('ar', n))).toEqual(['سوق واحد', 'سوقان', '3 أسواق', '11 سوقًا'])
})

test('money and chances are written as a language writes them, and read from the left in one that is written from the right', () => {
  expect(withLocale('es', () => money(1234.5))).toBe('1234,50\u00a0$')
  expect(withLocale('es', () => [cents(5340), cents(5300, 10), preciseCents(409_123)])).toEqual(['53,4¢', '53,0¢', '40,91¢'])
  expect(withLocale('ar', () => [chance(0.4), gain(-0.5)])).toEqual(['\u2066<1%\u2069', expect.stringMatching(/^\u2066\u2212.*0\.50/)])
})
