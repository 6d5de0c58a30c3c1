import { expect, test } from 'vitest'
import { type MeasuredRun, regressions } from '../src/check.ts'

const run = (ours: number, peer: number, machine = 'one', size = 50): MeasuredRun => ({
  at: '2026-01-01',
  machine,
  rows: [
    {
      id: '1',
      work: 'book',
      figures: [
        { name: 'ours', value: ours, unit: 'M/s' },
        { name: 'peer', value: peer, unit: 'M/s' },
      ],
    },
    { id: '19', work: 'pages', figures: [{ name: 'home', value: size, unit: 'kB' }] },
    { id: '18', work: 'start', figures: [{ name: 'warm', value: 100 / ours, unit: 's' }] },
  ],
})
const before = run(10, 5)

test.each([
  ['the same', [run(10, 5), run(10, 5), run(10, 5)], []],
  ['a slower machine that slows the peer as well', [run(5, 2.5, 'two'), run(5, 2.5, 'two')], []],
  ['a little worse', [run(9, 5), run(9, 5)], []],
  ['half as fast beside the peer, elsewhere', [run(5, 5, 'two')], ['1 book: ours ÷ peer is 50 % worse than it was (noise 15 %)']],
  ['half as fast here', [run(5, 5)], [expect.stringMatching(/^1 book/), '18 start: warm is 50 % worse than it was (noise 15 %)']],
  ['half as fast among rounds that differ as much', [run(5, 5), run(9, 5), run(4, 5)], []],
  ['more bytes, wherever', [run(10, 5, 'two', 80)], ['19 pages: home is 38 % worse than it was (noise 15 %)']],
  ['rows that were not measured', [{ ...before, rows: [] }], []],
])('%s', (_, now, expected) => {
  expect(regressions(before, now)).toEqual(expected)
})
