import { expect, test } from 'vitest'
import { timeTicks } from '#lib/charts/time-ticks.ts'

const at = (text: string) => Date.parse(`${text}Z`)

test.each([
  ['an hour', '2026-11-29T12:05', '2026-11-29T13:05', ['12:15', '12:30', '12:45', '13:00']],
  ['six hours', '2026-11-29T10:10', '2026-11-29T16:10', ['12:00', '14:00']],
  ['a day over midnight', '2026-11-28T13:00', '2026-11-29T13:00', ['16:00', 'Nov 29', '08:00']],
  ['a week', '2026-11-22T13:00', '2026-11-29T13:00', ['Nov 23', 'Nov 25', 'Nov 27', 'Nov 29']],
  ['a month', '2026-10-30T13:00', '2026-11-29T13:00', ['Nov 5', 'Nov 12', 'Nov 19', 'Nov 26']],
  ['ninety days', '2026-08-31T13:00', '2026-11-29T13:00', ['Sep 15', 'Oct', 'Oct 15', 'Nov', 'Nov 15']],
  ['a year', '2025-12-10T00:00', '2026-12-10T00:00', ['2026', 'Apr', 'Jul', 'Oct']],
])('the axis of %s', (_, from, to, words) => {
  expect(timeTicks({ from: at(from), to: at(to) }).map((tick) => tick.words)).toEqual(words)
})

test('no ticks where nothing fits', () => {
  expect(timeTicks({ from: at('2026-11-29T12:01'), to: at('2026-11-29T12:02') })).toEqual([])
})
