import { expect, test } from 'vitest'
import { ChanceTrail } from '../src/lib/charts/chance-trail.ts'

const yes = (...points: [t: number, p: number][]) => ({ slug: 'yes', name: 'Yes', place: 0, points: points.map(([t, p]) => ({ t, p })) })

test('a line goes on with the chances that were seen after it', () => {
  const trail = new ChanceTrail()
  for (const [t, percent] of [
    [5000, 30],
    [10_000, 40],
    [15_000, 50],
    [15_000, 50],
    [20_000, null],
    [30_000, 40],
  ] as const)
    trail.note(new Map([['yes', percent]]), t)
  expect(trail.after([yes([6000, 0.3])], 30_000)).toEqual([yes([6000, 0.3], [10_000, 0.4], [15_000, 0.5], [30_000, 0.4])])
  expect(trail.after([yes([10_000, 0.4])], 20_000)).toEqual([yes([10_000, 0.4], [15_000, 0.5])])
  expect(trail.after([yes([12_000, 0.5])], 20_000)).toEqual([yes([12_000, 0.5])])
  expect(trail.after([{ ...yes(), slug: 'other' }], 30_000)).toEqual([{ ...yes(), slug: 'other' }])
})

test('of a long trail fewer changes are kept, from its beginning to its end alike', () => {
  const trail = new ChanceTrail()
  for (let t = 1; t <= 4_000_001; t += 500) trail.note(new Map([['yes', t % 49]]), t)
  const times = trail.after([yes()], 4_000_001)[0]!.points.map(({ t }) => t)
  expect(times.length).toBeGreaterThan(200)
  expect(times.length).toBeLessThanOrEqual(500)
  expect(times[0]).toBe(1)
  expect(Math.max(...[...times.slice(1), 4_000_001].map((t, i) => t - times[i]!))).toBeLessThanOrEqual(20_000)
})
