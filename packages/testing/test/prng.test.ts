import { expect, test } from 'vitest'
import { fakeClock } from '../src/clock.ts'
import { prng } from '../src/prng.ts'

test('a seed repeats its numbers, and near seeds differ', () => {
  const draw = (seed: number) =>
    Array.from(
      { length: 8 },
      (
        (random) => () =>
          random.integer(0, 999)
      )(prng(seed)),
    )
  expect(draw(17)).toEqual(draw(17))
  expect(draw(17)).not.toEqual(draw(18))
  expect(draw(2 ** 40 + 17)).not.toEqual(draw(17))
})

test('integers reach both ends and every value about equally often', () => {
  const random = prng(1)
  const counts = new Map<number, number>()
  for (let i = 0; i < 60_000; i++) {
    const face = random.integer(1, 6)
    counts.set(face, (counts.get(face) ?? 0) + 1)
  }
  expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6])
  for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(400) // over four standard deviations
})

test('nothing can be picked from an empty list', () => {
  expect(() => prng(1).pick([])).toThrow('nothing to pick from')
})

test('a fake clock moves when told, both ways', () => {
  const clock = fakeClock(1_000)
  clock.advance(500)
  clock.advance(-200)
  expect(clock.now()).toBe(1_300)
})
