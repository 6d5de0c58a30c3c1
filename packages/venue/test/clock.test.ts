import { expect, test } from 'vitest'
import { type Clock, EngineTime } from '../src/base/clock.ts'

/** A host whose two clocks are moved by hand. */
function host(wall: number) {
  const time = { wall, monotonic: 5 }
  const clock: Clock = { wall: () => time.wall, monotonic: () => time.monotonic, after: () => () => {} }
  return {
    clock,
    pass(ms: number, wallMs = ms) {
      time.monotonic += ms
      time.wall += wallMs
    },
  }
}

test.each([
  ['with the wall clock when that is ahead of the journal', 1_000_000, 2_000_000, 2_000_000],
  ['with the journal on a host that is behind', 2_000_000, 1_000_000, 2_000_000],
])('engine time begins %s', (_, lastAt, wall, begins) => {
  expect(new EngineTime(host(wall).clock, lastAt).now()).toBe(begins)
})

test.each([
  ['keeps step with a wall clock that agrees', 10_000, 10_000, 10_000],
  ['runs 5 % faster behind a wall clock that jumped an hour ahead', 10_000, 3_610_000, 10_500],
  ['runs 5 % slower, never back, before one that jumped an hour back', 10_000, -3_590_000, 9500],
  ['meets a wall clock that is a little ahead without passing it', 10_000, 10_200, 10_200],
  ['stands still when no time passes', 0, 500, 0],
])('engine time %s', (_, elapsed, wallMoves, expected) => {
  const { clock, pass } = host(1_000_000)
  const time = new EngineTime(clock, 0)
  pass(elapsed, wallMoves)
  expect(time.now() - 1_000_000).toBe(expected)
})

test('a lease taken again brings engine time forward, never back', () => {
  const { clock, pass } = host(1_000_000)
  const time = new EngineTime(clock, 0)
  time.catchUp(1_005_000)
  expect(time.now()).toBe(1_005_000)
  pass(100, 60_000)
  time.catchUp(0)
  expect(time.now()).toBe(1_060_000)
})
