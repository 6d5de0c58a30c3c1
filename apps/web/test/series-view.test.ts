import { expect, test } from 'vitest'
import { gridPrice, gridPrices, gridTimes, isShort, nextWindow, priceFrame, quotePrice, upToNow } from '#lib/event/series-view.ts'

const at = (time: string) => Date.parse(`2026-11-22T${time}:00Z`)
const frame = (low: number, high: number, from = at('12:00'), to = at('13:00')) => ({ from, to, low, high })

test.each([
  ['a quiet hour of bitcoin', 64_087.3, 64_152.8, ['$64,100', '$64,120', '$64,140']],
  ['a wild one', 63_010, 65_890, ['$64,000', '$65,000']],
  ['a thousandth of ether', 3_411.62, 3_414.2, ['$3,412', '$3,413', '$3,414']],
  ['a few cents', 3_411.62, 3_411.94, ['$3,411.7', '$3,411.8', '$3,411.9']],
  ['something cheap', 0.5312, 0.5334, ['$0.5315', '$0.5320', '$0.5325', '$0.5330']],
])('the scale of %s has round prices', (_, low, high, words) => {
  const shown = gridPrices(frame(low, high)).map((price) => gridPrice(price, frame(low, high)))
  expect(shown).toEqual(words)
})

test.each([
  ['an hour', '12:03', '13:05', ['12:15', '12:30', '12:45', '13:00']],
  ['a window of five minutes', '12:00', '12:05', ['12:01', '12:02', '12:03', '12:04']],
  ['three hours', '12:00', '15:00', ['13:00', '14:00']],
])('the axis of %s has times of the clock, away from its edges', (_, from, to, words) => {
  const times = gridTimes(frame(1, 2, at(from), at(to)))
  expect(times.map((t) => new Date(t).toISOString().slice(11, 16))).toEqual(words)
})

test('a price that does not move has a frame around it, and a scale', () => {
  const still = priceFrame([{ t: at('12:00'), p: 100 }], 100, at('12:05'))
  expect(gridPrices(still).length).toBeGreaterThanOrEqual(2)
})

test('prices have the decimals that such prices have', () => {
  expect([quotePrice(64_120.5), quotePrice(0.53127)]).toEqual(['$64,120.50', '$0.5313'])
})

test('the line of a short window moves on with the clock, at its last price', () => {
  expect(isShort(0, 5 * 60_000)).toBe(true)
  expect(isShort(0, 60 * 60_000)).toBe(false)
  expect(isShort(5, 5)).toBe(false)
  expect(upToNow([{ t: 1, p: 10 }], 4)).toEqual([
    { t: 1, p: 10 },
    { t: 4, p: 10 },
  ])
  expect(upToNow([{ t: 5, p: 10 }], 4)).toEqual([{ t: 5, p: 10 }])
  expect(upToNow([], 4)).toEqual([])
})

test('the next window is the one that starts after this one', () => {
  const at = (minute: number) => ({ event_slug: `w${minute}`, start: new Date(minute * 60_000).toISOString() })
  expect(nextWindow([at(10), at(0), at(5)], 'w0')).toEqual(at(5))
  expect(nextWindow([at(10), at(0), at(5)], 'w10')).toBeNull()
  expect(nextWindow([at(0)], 'another')).toBeNull()
})
