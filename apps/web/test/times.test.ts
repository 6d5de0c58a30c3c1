import { expect, test } from 'vitest'
import { ago, calendarDay, clock, day, ending, moment, namedDay } from '../src/lib/language/times.ts'
import { readZone } from '../src/lib/language/zone.ts'
import { withLocale, withZone, zoneOf } from '../src/lib/server/page-locale.ts'

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
  [hours(24), 'Apr 30, 2026, UTC'],
  [-seconds(30), 'now'],
])('%i ms before now reads %s', (elapsed, text) => {
  expect(ago(now - elapsed, now)).toBe(text)
})

test.each([
  [seconds(1), 'ends in 1 min'],
  [seconds(61), 'ends in 2 min'],
  [hours(2) + seconds(14 * 60), 'ends in 2 h 14 min'],
  [hours(24), 'ends May 2, 2026, UTC'],
  [0, 'ended May 1, 2026, UTC'],
  [-hours(48), 'ended Apr 29, 2026, UTC'],
])('%i ms from now reads %s', (left, text) => {
  expect(ending(now + left, now)).toBe(text)
})

test('times are in the zone of the reader, which stands beside them, and in UTC where that is not known', () => {
  expect([day(now), namedDay(now), clock(now), moment(now)]).toEqual([
    'May 1, 2026',
    'May 1, 2026, UTC',
    '12:00 UTC',
    'May 1, 2026, 12:00 UTC',
  ])
  const evening = Date.UTC(2026, 3, 29, 20, 0, 0)
  withZone('Asia/Kolkata', () => {
    expect([clock(now), moment(now)]).toEqual(['17:30 GMT+5:30', 'May 1, 2026, 17:30 GMT+5:30'])
    expect([ago(evening, now), ending(evening, now)]).toEqual(['Apr 30, 2026, GMT+5:30', 'ended Apr 30, 2026, GMT+5:30'])
    expect(calendarDay(Date.parse('2026-04-29'))).toBe('Apr 29, 2026')
  })
  withZone('America/New_York', () => expect(calendarDay(Date.parse('2026-04-29'))).toBe('Apr 29, 2026'))
})

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['Mars/Olympus', null],
  ['"><script>', null],
  ['', null],
  [undefined, null],
])('the zone %s of a cookie is read as %s', (cookie, zone) => {
  expect(readZone(cookie)).toBe(zone)
})

test('what is the same for everybody is in UTC', () => {
  const at = (path: string) => zoneOf(new URL(path, 'http://localhost'), 'Europe/Berlin')
  expect(['/event/x', '/event/x.md', '/og/x.png', '/embed/x', '/changelog/rss.xml'].map(at)).toEqual([
    'Europe/Berlin',
    'UTC',
    'UTC',
    'UTC',
    'UTC',
  ])
})

test('a time of day keeps its zone behind it, also in a line from the right', () => {
  expect(withLocale('ar', () => clock(now))).toBe('\u206612:00 UTC\u2069')
})
