import { expect, test } from 'vitest'
import { Lag } from '../src/history/lag.ts'

test('history is as late as the oldest row that it lacks', () => {
  const lag = new Lag()
  expect(lag.seconds(0, 1000)).toBe(0)
  lag.add(3, 10_000)
  lag.add(7, 14_000)
  expect([lag.seconds(0, 15_000), lag.seconds(3, 15_000), lag.seconds(7, 15_000)]).toEqual([5, 1, 0])
})

test('after an idle hour a new row is not an hour late', () => {
  const lag = new Lag()
  lag.add(1, 0)
  expect(lag.seconds(1, 10)).toBe(0)
  lag.add(2, 3_600_000)
  expect(lag.seconds(1, 3_600_005)).toBe(0.005)
})

test('it remembers no more than history lacks', () => {
  const lag = new Lag()
  for (let seq = 1; seq <= 5000; seq++) lag.add(seq, seq * 1000)
  expect(lag.seconds(2000, 5_000_000)).toBe(2999)
  expect(lag.seconds(4999, 5_000_000)).toBe(0)
  expect(lag.seconds(5000, 5_001_000)).toBe(0)
})
