import { expect, test, vi } from 'vitest'
import { ago, clock, day, ending, localClock, localDay, localMoment, moment } from '../src/lib/language/times.ts'
import { withLocale } from '../src/lib/server/page-locale.ts'

const now = Date.UTC(2026, 4, 1, 12, 0, 0)
const seconds = (n: number) => n * 1_000
const hours = (n: number) => n * 3_600_000

test.each([
  [0, 'now'],
  [seconds(4.9), 'now'],
  [seconds(5), '5 s ago'],
  [seconds(59), '59 s ago'],
  [seconds(60), '1 min ago'],
  [hours(1), '1 h ago'],
  [hours(23.9), '23 h ago'],
  [hours(24), 'Apr 30, 2026'],
  [-seconds(30), 'now'],
])('%i ms before now reads %s', (elapsed, text) => {
  expect(ago(now - elapsed, now)).toBe(text)
})

test.each([
  [seconds(1), 'ends in 1 min'],
  [seconds(61), 'ends in 2 min'],
  [hours(2) + seconds(14 * 60), 'ends in 2 h 14 min'],
  [hours(24), 'ends May 2, 2026'],
  [0, 'ended May 1, 2026'],
  [-hours(48), 'ended Apr 29, 2026'],
])('%i ms from now reads %s', (left, text) => {
  expect(ending(now + left, now)).toBe(text)
})

test('days and moments are in UTC', () => {
  expect([day(now), clock(now), moment(now)]).toEqual(['May 1, 2026', '12:00 UTC', 'May 1, 2026, 12:00 UTC'])
})

test('what is the reader’s own is in their zone, which stands beside it', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata')
  expect([localClock(now), localMoment(now)]).toEqual(['17:30 GMT+5:30', 'May 1, 2026, 17:30 GMT+5:30'])
  const evening = Date.UTC(2026, 3, 29, 20, 0, 0)
  expect([ago(evening, now), ago(evening, now, localDay)]).toEqual(['Apr 29, 2026', 'Apr 30, 2026'])
})

test('a time of day keeps its zone behind it, also in a line from the right', () => {
  expect(withLocale('ar', () => clock(now))).toBe('\u206612:00 UTC\u2069')
})
