import { expect, test } from 'vitest'
import { chanceAt, edgesOf, frameOf, gridChances, spreadLabels, summary } from '../src/lib/charts/chart.ts'
import { lineColour, lineDashes, toneOf, upTo } from '../src/lib/charts/lines.ts'

const day = 86_400_000
const line = (name: string, ...chances: number[]) => ({
  slug: name.toLowerCase(),
  name,
  place: 0,
  points: chances.map((p, i) => ({ t: i * day, p })),
})

test.each([
  ['a quiet line', [0.52, 0.53], { low: 0.5, high: 0.55 }],
  ['a wild line', [0.1, 0.9], { low: 0, high: 1 }],
  ['a line on the floor', [0.005, 0.004], { low: 0, high: 0.05 }],
])('the frame of %s leaves some air', (_, chances, range) => {
  const frame = frameOf([line('Yes', ...chances)], 2 * day)
  expect(frame.low).toBeCloseTo(range.low)
  expect(frame.high).toBeCloseTo(range.high)
  expect([frame.from, frame.to]).toEqual([0, 2 * day])
})

test.each([
  ['a day', 0, day, ['', '00:00 UTC']],
  ['an hour', day / 2, day / 2 + 3_600_000, ['12:00 UTC', '13:00 UTC']],
  ['a week', 0, 7 * day, ['Jan 1, 1970', 'Jan 8, 1970, UTC']],
])('the ends of the axis of %s say what tells them apart', (_, from, to, words) => {
  expect(edgesOf({ from, to, low: 0, high: 1 })).toEqual(words)
})

test('a colour belongs to a market by its place in the event, whatever lines there are and in which order', () => {
  const lines = [
    { ...line('Spain', 0.17), place: 7 },
    { ...line('Brazil', 0.1), place: 0 },
  ]
  expect(['spain', 'argentina', 'brazil'].map((slug) => toneOf(lines, slug))).toEqual([7, 'quiet', 0])
  expect(toneOf(lines.slice(0, 1), 'spain')).toBe(7)
  const many = Array.from({ length: 36 }, (_, place) => ({ place }))
  const looks = many.map((each) => lineColour(each.place) + lineDashes(many, each))
  expect(new Set(looks).size).toBe(36)
  expect(lineDashes([{ place: 25 }, { place: 30 }], { place: 25 })).toBe('none')
  expect(toneOf([], 'spain')).toBe('brand')
})

test('a line ends at what is known now, unless nothing is', () => {
  const [yes, no] = upTo([line('Yes', 0.4), line('No', 0.6)], day, new Map([['yes', 41]]))
  expect(yes?.points.at(-1)).toEqual({ t: day, p: 0.41 })
  expect(no?.points).toHaveLength(1)
})

test('the chance at the end of a line is exactly the one that is known', () => {
  const ends = [1.3, 28.5, 28.505].map((percent) => upTo([line('Yes', 0.4)], day, new Map([['yes', percent]]))[0]!.points.at(-1)!.p)
  expect(ends).toEqual([0.013, 0.285, 0.28505])
})

test('no history makes an empty frame, not a broken one', () => {
  expect(frameOf([], day)).toEqual({ from: day - 1, to: day, low: 0, high: 1 })
})

test.each([
  [0, 1, [0, 0.25, 0.5, 0.75, 1]],
  [0.5, 0.55, [0.5, 0.52, 0.54]],
  [0.3, 0.6, [0.3, 0.4, 0.5, 0.6]],
])('between %d and %d there are lines at %j', (low, high, lines) => {
  const found = gridChances({ from: 0, to: 1, low, high })
  expect(found.map((p) => Number(p.toFixed(2)))).toEqual(lines)
})

test('the chance at a moment is the last one known then', () => {
  const points = line('Yes', 0.4, 0.5).points
  expect([-1, 0, day - 1, day, 9 * day].map((t) => chanceAt(points, t))).toEqual([null, 0.4, 0.4, 0.5, 0.5])
})

test.each([
  ['far apart', [10, 50], [0, 0]],
  ['at one place', [50, 50], [-7.5, 7.5]],
  ['in whatever order', [60, 20, 60], [-7.5, 0, 7.5]],
  ['on the floor', [100, 100, 100], [-30, -15, 0]],
])('labels of points that are %s move by so many px', (_, tops, moved) => {
  expect(spreadLabels(tops)).toEqual(moved)
})

test.each([[[10, 12, 14, 16]], [[97, 40, 98, 99]], [[0, 0, 0, 0]], [[47, 45, 52, 51]], [[0, 3, 97, 100]]])(
  'labels at %j cover none and stay within the plot, however high it is',
  (tops) => {
    const moved = spreadLabels(tops)
    for (const height of [170, 183, 390, 900]) {
      const places = tops.map((top, i) => (top * height) / 100 + moved[i]!).sort((a, b) => a - b)
      for (let i = 1; i < places.length; i++) expect(places[i]! - places[i - 1]!).toBeGreaterThanOrEqual(15 - 1e-9)
      expect(places[0]).toBeGreaterThanOrEqual(-1e-9)
      expect(places.at(-1)).toBeLessThanOrEqual(height)
    }
  },
)

test.each([
  [line('Yes', 0.41, 0.38, 0.53), 'Yes rose from 41% to 53% in 2 days, low 38%, high 53%.'],
  [line('Chelsea', 0.2, 0.1), 'Chelsea fell from 20% to 10% in 1 day, low 10%, high 20%.'],
  [line('Yes', 0.5), 'Yes stands at 50% as before in 1 minute, low 50%, high 50%.'],
  [line('Yes'), 'Yes has no history yet.'],
])('a sentence says what a line shows', (given, sentence) => {
  expect(summary(given)).toBe(sentence)
})
