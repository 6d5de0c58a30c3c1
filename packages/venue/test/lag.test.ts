import { collectGarbage } from '@augury/testing/collect-garbage'
import { expect, test } from 'vitest'
import { Lag } from '../src/record/history/lag.ts'

/** A lag, and what moves history on. */
function lagging() {
  let projected = 0
  const lag = new Lag(() => projected)
  const secondsAt = (seq: number, now: number) => {
    projected = seq
    return lag.seconds(now)
  }
  return { lag, secondsAt }
}

test('history is as late as the oldest row that it lacks', () => {
  const { lag, secondsAt } = lagging()
  expect(secondsAt(0, 1000)).toBe(0)
  lag.add(3, 10_000)
  lag.add(7, 14_000)
  expect([secondsAt(0, 15_000), secondsAt(3, 15_000), secondsAt(7, 15_000)]).toEqual([5, 1, 0])
})

test('after an idle hour a new row is not an hour late', () => {
  const { lag, secondsAt } = lagging()
  lag.add(1, 0)
  expect(secondsAt(1, 10)).toBe(0)
  lag.add(2, 3_600_000)
  expect(secondsAt(1, 3_600_005)).toBe(0.005)
})

test('of many rows the oldest that history lacks counts', () => {
  const { lag, secondsAt } = lagging()
  for (let seq = 1; seq <= 5000; seq++) lag.add(seq, seq * 1000)
  expect(secondsAt(2000, 5_000_000)).toBe(2999)
  expect(secondsAt(4999, 5_000_000)).toBe(0)
  expect(secondsAt(5000, 5_001_000)).toBe(0)
})

test('it remembers no more than history lacks, without requests', () => {
  let written = 0
  const lag = new Lag(() => written)
  const used = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  for (let seq = 1; seq <= 1_000_000; seq++) {
    lag.add(seq, seq)
    written = seq
  }
  expect(used() - before).toBeLessThan(10_000_000)
  expect(lag.seconds(1_000_000)).toBe(0)
})
