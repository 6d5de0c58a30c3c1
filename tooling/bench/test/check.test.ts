import { expect, test } from 'vitest'
import { type Line, type MeasuredRun, regressions, uncompared } from '../src/check.ts'

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

const lines = (...absent: string[]): Line[] =>
  before.rows.map(({ id, work, figures }) => ({
    row: { id, work },
    result: absent.includes(id) ? { why: `no ${work} runs here` } : { figures, met: null },
  }))
const without = (id: string): MeasuredRun => ({ ...before, rows: before.rows.filter((row) => row.id !== id) })
const [first, ...others] = lines()
const alone: Line[] = [{ ...first!, result: { figures: before.rows[0]!.figures.slice(0, 1), met: null } }, ...others]

test.each<[string, MeasuredRun, Line[][], string[]]>([
  ['every row has its figures', before, [lines(), lines()], []],
  ['a row that has none', before, [lines('18'), lines('18')], ['18 start: no start runs here']],
  ['a row that has none in one run', before, [lines(), lines('18')], ['18 start: no start runs here']],
  ['a row that had none', without('19'), [lines()], ['19 pages: the run of 2026-01-01 has no figure of it']],
  ['a row that never had one', without('19'), [lines('19')], ['19 pages: no pages runs here']],
  ['a peer that is not measured any more', before, [alone], ['1 book: peer was measured and is not any more']],
  ['rows that were not requested', before, [lines().slice(0, 1)], []],
])('not compared: %s', (_, former, runs, expected) => {
  expect(uncompared(former, runs)).toEqual(expected)
})
