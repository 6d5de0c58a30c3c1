import { fc } from '@augury/testing/properties'
import { describe, expect, test } from 'vitest'
import { type Found, lookUps, type Mark, marketWindow, type Series, settledPrices, snapshot } from '../src/prices/choose-prices.ts'
import { alignDown, type Interval, lengthOf, MINUTES } from '../src/prices/intervals.ts'

const M = 60_000
const NOON = Date.UTC(2026, 10, 20, 12)
const series = (interval: Interval): Series => ({ slug: `btc-usd-${interval}`, instrument: 'BTC/USD', interval, source: 'oracle_a' })

/** Marks by interval, as `minutes after noon: price`. */
type Marks = Partial<Record<Interval, Record<number, number>>>
type Live = [start: number, end: number, opening: number] | null

/** Answers look-ups from a table, like the database from its index. */
function find(of: Series, start: number, end: number, now: number, marks: Marks, live: Live = null): Found {
  const newest = ({ interval, atOrBefore }: { interval: Interval; atOrBefore: number }): Mark | null => {
    const ends = Object.keys(marks[interval] ?? {})
      .map((minute) => NOON + Number(minute) * M)
      .filter((windowEnd) => windowEnd <= atOrBefore)
    const windowEnd = Math.max(...ends)
    return ends.length === 0 ? null : { windowEnd, price: marks[interval]![(windowEnd - NOON) / M]!, sourceTimestamp: windowEnd - 1 }
  }
  const wanted = lookUps(of, marketWindow(of.interval, end, start, null), now)
  return {
    openingPreferred: newest(wanted.openingPreferred),
    openingOwn: newest(wanted.openingOwn),
    closing: newest(wanted.closing),
    latest: newest(wanted.latest),
    live: live && { start: NOON + live[0] * M, end: NOON + live[1] * M, openingPrice: live[2] },
  }
}

interface Case {
  interval?: Interval
  marks?: Marks
  live?: Live
  /** Minutes after noon. */
  start: number
  end: number
  now: number
}

function ask({ interval = '5m', marks = {}, live = null, start, end, now }: Case) {
  const of = series(interval)
  const [from, to, at] = [NOON + start * M, NOON + end * M, NOON + now * M]
  const window = marketWindow(interval, to, from, null)
  return snapshot(of, window, find(of, from, to, at, marks, live), at)
}

describe('the opening price', () => {
  test.each<[what: string, given: Case, price: number | null]>([
    ['is the settled price at the start', { marks: { '5m': { 0: 100, 5: 105 } }, start: 0, end: 5, now: 7 }, 100],
    ['is the latest one before, however old', { marks: { '5m': { [-5000]: 90 } }, start: 0, end: 5, now: 7 }, 90],
    ['is never one from after the start', { marks: { '5m': { 5: 105 } }, start: 0, end: 5, now: 7 }, null],
    ['of a start within a window is that of its boundary', { marks: { '5m': { 0: 100, 5: 105 } }, start: 4.99, end: 10, now: 11 }, 100],
    ['of a start at the boundary is that of the boundary', { marks: { '5m': { 0: 100, 5: 105 } }, start: 5, end: 10, now: 11 }, 105],
    [
      'of a day is looked for in five minutes',
      { interval: '1d', marks: { '5m': { 0: 100 }, '1d': { [-720]: 50 } }, start: 0, end: 1440, now: 10 },
      100,
    ],
    ['of a day is else that of days', { interval: '1d', marks: { '1d': { [-720]: 50 } }, start: 0, end: 1440, now: 10 }, 50],
    ['of an hour is not looked for in five minutes', { interval: '1h', marks: { '5m': { 0: 100 } }, start: 0, end: 60, now: 10 }, null],
    ['is else what the window under way opened at', { live: [0, 5, 101], start: 0, end: 5, now: 2 }, 101],
    ['is that also for a start inside of it', { live: [0, 5, 101], start: 4.99, end: 10, now: 4.99 }, 101],
    ['is not that for a start at its end', { live: [0, 5, 101], start: 5, end: 10, now: 4 }, null],
    ['is not that for a start before it', { live: [0, 5, 101], start: -0.01, end: 5, now: 4 }, null],
    ['is a settled one rather than that', { marks: { '5m': { [-60]: 99 } }, live: [0, 5, 101], start: 0, end: 5, now: 2 }, 99],
    [
      'of a day is a day rather than that',
      { interval: '1d', marks: { '1d': { [-720]: 50 } }, live: [0, 1440, 101], start: 0, end: 1440, now: 2 },
      50,
    ],
  ])('%s', (_, given, price) => expect(ask(given).opening_price).toBe(price))
})

describe('the closing price', () => {
  const marks = { '5m': { 0: 100, 5: 105, 10: 110 } }
  test.each<[what: string, given: Case, price: number | null]>([
    ['is the settled price at the end', { marks, start: 0, end: 5, now: 7 }, 105],
    ['is nothing before the end', { marks, start: 0, end: 5, now: 4 }, null],
    ['is nothing at the end', { marks, start: 0, end: 5, now: 5 }, null],
    ['is there a moment after the end', { marks, start: 0, end: 5, now: 5.0001 }, 105],
    ['is the latest one before while the last is late', { marks: { '5m': { 0: 100 } }, start: 0, end: 5, now: 7 }, 100],
    ['is never one from after the end', { marks: { '5m': { 10: 110 } }, start: 0, end: 5, now: 11 }, null],
    ['of an end within a window is that of its boundary', { marks, start: 0, end: 9.99, now: 11 }, 105],
    ['of a day is one of days', { interval: '1d', marks: { '5m': { 720: 7 }, '1d': { [-720]: 50 } }, start: -720, end: 720, now: 721 }, 50],
    ['is nothing without history', { start: 0, end: 5, now: 7 }, null],
  ])('%s', (_, given, price) => expect(ask(given).closing_price).toBe(price))
})

describe('the latest price', () => {
  test.each<[what: string, given: Case, expected: [number | null, end: number, timestamp: number]]>([
    [
      'is the newest whatever the window',
      { marks: { '5m': { 0: 100, 500: 150 } }, start: 0, end: 5, now: 502 },
      [150, NOON + 500 * M, NOON + 500 * M - 1],
    ],
    [
      'is the newest that is over',
      { marks: { '5m': { 5: 105, 10: 110 } }, start: 0, end: 5, now: 9.99 },
      [105, NOON + 5 * M, NOON + 5 * M - 1],
    ],
    ['may lag', { marks: { '5m': { 0: 100 } }, start: 0, end: 5, now: 16 }, [100, NOON, NOON - 1]],
    ['is nothing yet, as of the last boundary', { start: 0, end: 5, now: 7 }, [null, NOON + 5 * M, 0]],
  ])('%s', (_, given, expected) => {
    const { latest_price, latest_window_end_ms, latest_source_timestamp_ms } = ask(given)
    expect([latest_price, latest_window_end_ms, latest_source_timestamp_ms]).toEqual(expected)
  })
})

test.each<[Interval, minutes: number | null, start: number | null, expected: [start: number, minutes: number]]>([
  ['5m', null, null, [NOON - 5 * M, 5]],
  ['1d', null, null, [NOON - 1440 * M, 1440]],
  ['5m', 60, null, [NOON - 60 * M, 60]],
  ['5m', 60, NOON - 7, [NOON - 7, 60]],
  ['4h', null, NOON + 1, [NOON + 1, 240]],
])('a market on %s of %j minutes from %j', (interval, minutes, start, expected) => {
  const window = marketWindow(interval, NOON, start, minutes)
  expect([window.start, window.minutes, window.end]).toEqual([...expected, NOON])
})

describe('what settles money', () => {
  const at = (marks: Marks, interval: Interval = '5m') => {
    const of = series(interval)
    const window = marketWindow(interval, NOON + MINUTES[interval] * M, NOON, null)
    return settledPrices(of, window, find(of, window.start, window.end, window.end, marks))
  }
  test.each<[what: string, marks: Marks, interval: Interval, prices: unknown]>([
    ['are the prices exactly at both ends', { '5m': { 0: 100, 5: 105 } }, '5m', { opening: 100, closing: 105 }],
    ['is nothing while the close is late', { '5m': { [-5]: 99, 0: 100 } }, '5m', null],
    ['is nothing while the open is missing', { '5m': { [-5]: 99, 5: 105 } }, '5m', null],
    ['is nothing without any price', {}, '1h', null],
  ])('%s', (_, marks, interval, prices) => expect(at(marks, interval)).toEqual(prices))

  test('of a day that starts at midnight takes its open from five-minute marks, else from days', () => {
    const of = series('1d')
    const midnight = NOON - 720 * M
    const window = marketWindow('1d', midnight + 1440 * M, midnight, null)
    const prices = (marks: Marks) => settledPrices(of, window, find(of, window.start, window.end, window.end, marks))
    expect(prices({ '5m': { [-720]: 10 }, '1d': { [-720]: 11, 720: 12 } })).toEqual({ opening: 10, closing: 12 })
    expect(prices({ '5m': { [-725]: 10 }, '1d': { [-720]: 11, 720: 12 } })).toEqual({ opening: 11, closing: 12 })
  })
})

const intervals = Object.keys(MINUTES) as Interval[]
const anyCase = fc.record({
  interval: fc.constantFrom(...intervals),
  start: fc.integer({ min: -3000 * M, max: 3000 * M }).map((offset) => NOON + offset),
  length: fc.integer({ min: 1, max: 1500 * M }),
  now: fc.integer({ min: -4000 * M, max: 6000 * M }).map((offset) => NOON + offset),
  ends: fc.array(fc.integer({ min: -3000, max: 3000 }), { maxLength: 30 }),
  live: fc.option(fc.tuple(fc.integer({ min: -3000, max: 3000 }), fc.integer({ min: 1, max: 1440 }))),
})

/** Prices equal to their minute after noon, so that a result shows when it is from. */
const marksOf = (ends: readonly number[]): Marks =>
  Object.fromEntries(
    intervals.map((interval) => {
      const minutes = ends.map((minute) => (alignDown(NOON + minute * M, interval) - NOON) / M)
      return [interval, Object.fromEntries(minutes.map((minute) => [minute, minute]))]
    }),
  )

test('no price is later than its target', () => {
  fc.assert(
    fc.property(anyCase, ({ interval, start, length, now, ends, live }) => {
      const [of, end] = [series(interval), start + length]
      const found = find(of, start, end, now, marksOf(ends), live && [live[0], live[0] + live[1], live[0]])
      const answer = snapshot(of, marketWindow(interval, end, start, null), found, now)
      const timeOf = (price: number) => NOON + price * M
      if (answer.opening_price !== null) expect(timeOf(answer.opening_price)).toBeLessThanOrEqual(start)
      if (answer.closing_price !== null) expect(timeOf(answer.closing_price)).toBeLessThanOrEqual(end)
      if (answer.closing_price !== null) expect(now).toBeGreaterThan(end)
      if (answer.latest_price !== null) expect(timeOf(answer.latest_price)).toBeLessThanOrEqual(now)
      expect(answer.latest_window_end_ms).toBeLessThanOrEqual(now)
      expect(answer.latest_source_timestamp_ms).toBeLessThanOrEqual(answer.latest_window_end_ms)
      expect(answer.latest_window_end_ms % lengthOf(interval)).toBe(0)
    }),
  )
})

test('over time, the latest window never goes back, and a published close stays', () => {
  fc.assert(
    fc.property(anyCase, fc.integer({ min: 0, max: 3000 * M }), ({ interval, start, length, now, ends }, later) => {
      const [of, end, marks] = [series(interval), start + length, marksOf(ends)]
      const at = (time: number) => snapshot(of, marketWindow(interval, end, start, null), find(of, start, end, time, marks), time)
      const [before, after] = [at(now), at(now + later)]
      if (before.latest_price !== null) expect(after.latest_window_end_ms).toBeGreaterThanOrEqual(before.latest_window_end_ms)
      if (before.closing_price !== null) expect(after.closing_price).toBe(before.closing_price)
      if (before.is_event_closed) expect(after.is_event_closed).toBe(true)
      expect(after.opening_price).toBe(before.opening_price)
    }),
  )
})
