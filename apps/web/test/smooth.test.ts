import { describe, expect, test } from 'vitest'
import type { Frame } from '#lib/charts/chart.ts'
import { EXTENT } from '#lib/charts/extent.ts'
import type { Point } from '#lib/charts/lines.ts'
import { placesOf, smoothPath } from '#lib/charts/smooth.ts'
import { heightAt } from '#lib/charts/smooth-height.ts'

const frame: Frame = { from: 0, to: 1000, low: 0, high: 1 }
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; state = (state * 48_271) % 2_147_483_647) yield state / 2_147_483_647
}
/** Random points of a line: flat parts, jumps and points close to each other among them. */
function randomPoints(seed: number): Point[] {
  const next = numbers(seed)
  const points: Point[] = []
  let [t, p] = [0, 0.5]
  for (let n = 0; n < 60 && t < 1000; n++) {
    points.push({ t, p })
    t += Math.ceil((next.next().value ** 3 * 100) / 2 + 1)
    if (next.next().value > 0.3) p = next.next().value
  }
  return points
}
/** The cubic pieces of a path, absolute: begin, two inner points, end. */
function pieces(path: string): [number, number][][] {
  const [begin, ...rest] = path.slice(1).split('c')
  let [x, y] = begin!.split(' ').map(Number) as [number, number]
  return rest.map((text) => {
    const [a, b, c, d, e, f] = text.split(' ').map(Number) as [number, number, number, number, number, number]
    const piece: [number, number][] = [
      [x, y],
      [x + a, y + b],
      [x + c, y + d],
      [x + e, y + f],
    ]
    ;[x, y] = piece[3]!
    return piece
  })
}

const SEEDS = Array.from({ length: 100 }, (_, i) => 1 + i * 7919)
describe.each(SEEDS)('random line %i', (seed) => {
  const points = randomPoints(seed)
  const path = smoothPath(frame, points)

  test('has whole numbers, runs from its first point to the right edge, and never leaves the range of two neighbours', () => {
    expect(path).toMatch(/^M-?\d+ -?\d+(c(-?\d+ ){5}-?\d+)+$/)
    const all = pieces(path)
    expect(all.map(([, , , end]) => end)).toEqual(placesOf(frame, points).slice(1))
    expect(all.at(-1)![3]![0]).toBe(EXTENT)
    for (const [from, one, other, to] of all) {
      const [least, most] = [Math.min(from![1], to![1]), Math.max(from![1], to![1])]
      for (const inner of [one!, other!]) {
        expect(inner[1]).toBeGreaterThanOrEqual(least)
        expect(inner[1]).toBeLessThanOrEqual(most)
        expect(inner[0]).toBeGreaterThanOrEqual(from![0])
        expect(inner[0]).toBeLessThanOrEqual(to![0])
      }
    }
  })

  test('goes through each point, where the hover card puts its dot', () => {
    for (const { t, p } of points) {
      const nearer = points.some((other) => other.t > t && other.t - t < 1)
      if (!nearer) expect(heightAt(frame, points, t)).toBeCloseTo(100 * (1 - p), 0)
    }
  })
})

test('a chance that holds for long is level until shortly before it changes', () => {
  const points = [
    { t: 0, p: 0.2 },
    { t: 900, p: 0.8 },
  ]
  expect([100, 500, 880].map((t) => Math.round(heightAt(frame, points, t)))).toEqual([80, 80, 80])
  expect(heightAt(frame, points, 950)).toBe(20)
})

test.each([
  ['no points', [], ''],
  ['one point, held until now', [{ t: 500, p: 0.5 }], 'M2000 2000c667 0 1333 0 2000 0'],
  ['one point of now', [{ t: 1000, p: 0.5 }], 'M4000 2000'],
])('the path of %s', (_, points, path) => {
  expect(smoothPath(frame, points)).toBe(path)
})
