import { describe, expect, test } from 'vitest'
import { ConcurrencyLimit, FIRST, LEAST } from '../src/serve/access/concurrency-limit.ts'

/** Milliseconds of an exchange with a clock of its own: it answers in rows, so many a second at most. */
function exchange(machine: { perSecond: number; commit: number }) {
  const limit = new ConcurrencyLimit()
  const queue: number[] = []
  let row: number[] = []
  let rowEnds = 0
  let now = 0
  let may = 0
  const seen = { turnedAway: 0, waits: [] as number[] }

  /** One millisecond in which so many come. */
  const tick = (arrivals: number) => {
    const { perSecond, commit } = machine
    now++
    for (let n = 0; n < arrivals; n++) {
      if (limit.isFull()) seen.turnedAway++
      else {
        limit.enter(now)
        queue.push(now)
      }
    }
    may = Math.min(may + perSecond / 1000, perSecond)
    if (now < rowEnds) return
    for (const entered of row) {
      limit.leave(entered, now)
      seen.waits.push(now - entered)
    }
    row = queue.splice(0, Math.floor(may))
    may = queue.length === 0 ? 0 : may - row.length
    rowEnds = now + commit
  }
  return {
    limit,
    /** So many seconds at so many a second; what was seen in them. */
    run(seconds: number, rate: number, burst = 0) {
      Object.assign(seen, { turnedAway: 0, waits: [] })
      let due = 0
      for (let ms = 0; ms < seconds * 1000; ms++) {
        due += rate / 1000
        tick(Math.floor(due) + (ms === 0 ? burst : 0))
        due -= Math.floor(due)
      }
      const sorted = seen.waits.toSorted((a, b) => a - b)
      return { turnedAway: seen.turnedAway, answered: sorted.length, p99: sorted[Math.floor(sorted.length * 0.99)]! }
    },
  }
}

const machines = [
  { perSecond: 1500, commit: 5 },
  { perSecond: 5000, commit: 5 },
  { perSecond: 20_000, commit: 3 },
  { perSecond: 3000, commit: 150 }, // a disk that is far away
]

describe.each(machines)('an exchange that bears $perSecond a second with commits of $commit ms', (machine) => {
  test.each([0.1, 0.5, 0.9])('refuses no request at %f of that', (share) => {
    const { run } = exchange(machine)
    run(10, machine.perSecond * share) // to know how long a commit takes
    expect(run(20, machine.perSecond * share).turnedAway).toBe(0)
  })

  test.each([5, 20])('serves what it can at %i times as much, keeps waits short, and recovers afterwards', (times) => {
    const { run } = exchange(machine)
    const before = run(10, machine.perSecond * 0.8)
    const burst = run(1, machine.perSecond * times)
    expect(burst.p99).toBeLessThan(2.5 * Math.max(before.p99, (FIRST * 1000) / machine.perSecond)) // the first are let in before anything is known
    const over = run(15, machine.perSecond * times)
    expect(over.p99).toBeLessThan(2.5 * Math.max(before.p99, 100))
    expect(over.answered).toBeGreaterThan(15 * machine.perSecond * 0.9)
    run(2, machine.perSecond * 0.5)
    const after = run(10, machine.perSecond * 0.5)
    expect(after.turnedAway).toBe(0)
    expect(after.p99).toBeLessThan(1.1 * before.p99)
  })
})

test('a burst is let in, also again some time after a crowd', () => {
  const { run } = exchange({ perSecond: 3000, commit: 5 })
  expect(run(1, 100, FIRST - 32).turnedAway).toBe(0)
  run(5, 15_000)
  run(5, 2000)
  expect(run(1, 100, FIRST - 32).turnedAway).toBe(0)
})

test.each([0, 20])('after a crowd and some seconds of %i a second a burst is the first again', (perSecond) => {
  const { run } = exchange({ perSecond: 3000, commit: 5 })
  run(5, 60_000)
  run(6, perSecond)
  expect(run(1, 100, FIRST - 32).turnedAway).toBe(0)
})

test('what was learned in a slow hour is forgotten with the first quick moment', () => {
  const machine = { perSecond: 400, commit: 100 }
  const { run } = exchange(machine)
  run(5, 8000)
  Object.assign(machine, { perSecond: 4000, commit: 5 })
  run(1, 2000)
  const over = run(15, 40_000)
  expect(over.p99).toBeLessThan(110) // with what was learned it would be more than 150
  expect(over.answered).toBeGreaterThan(15 * 3600)
})

test('few are never too many, however long they wait', () => {
  const limit = new ConcurrencyLimit()
  for (let now = 0; now < 1_000_000; now += 10_000) {
    for (let n = 0; n < LEAST; n++) {
      expect(limit.isFull()).toBe(false)
      limit.enter(now)
    }
    for (let n = 0; n < LEAST; n++) limit.leave(now, now + 9000)
  }
})

test('what is answered at once hides no wait', () => {
  const limit = new ConcurrencyLimit()
  let now = 0
  let room = 0
  for (let round = 0; round < 100; round++) {
    for (let n = 0; n < 1000; n++) {
      limit.enter(now)
      limit.leave(now, now)
    }
    const entered = now
    for (room = 0; !limit.isFull(); room++) limit.enter(entered)
    for (let n = 0; n < room; n++) {
      now += 10
      limit.leave(entered, now)
    }
  }
  expect(room).toBeGreaterThanOrEqual(LEAST)
  expect(room).toBeLessThanOrEqual(3 * LEAST)
})

test('those who come together count one by one, in what is under way and in what was waited', () => {
  const one = new ConcurrencyLimit()
  const many = new ConcurrencyLimit()
  const roomOf = (limit: ConcurrencyLimit) => {
    let room = 0
    for (; !limit.isFull(); room++) limit.enter(0)
    return room
  }
  for (let now = 0; now < 3000; now += 150) {
    for (let n = 0; n < 450; n++) one.enter(now)
    for (let n = 0; n < 30; n++) many.enter(now, 15)
    for (let n = 0; n < 450; n++) one.leave(now, now + 140)
    for (let n = 0; n < 30; n++) many.leave(now, now + 140, 15)
  }
  expect(roomOf(many)).toBe(roomOf(one))
  expect(many.isFull()).toBe(true)
})
