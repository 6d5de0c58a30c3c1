import { expect, test } from 'vitest'
import { renderTable } from '../src/table.ts'

const row = { id: '1', work: 'book alone', target: '≥ 100 × theirs, aim 0.8 × the limit' }
const figures = [
  { name: 'ours', value: 9, unit: 'M/s' },
  { name: 'theirs', value: 0.05, unit: 'M/s' },
]

test.each([
  ['a floor that is met', { met: true }, 'yes'],
  ['one that is not', { met: false }, 'no'],
  ['a floor that is met, short of the aim', { met: true, aim: false }, 'yes, aim missed'],
  ['both', { met: true, aim: true }, 'yes, aim reached'],
  ['an aim without a floor', { met: null, aim: false }, 'aim missed'],
  ['a figure that is only reported', { met: null }, '–'],
])('%s', (_, verdict, said) => {
  const [, , line] = renderTable([{ row, result: { figures, ...verdict } }]).split('\n')
  expect(line).toBe(`| 1 | book alone | 9.0 M/s | theirs 0.050 M/s (180 ×) | ${row.target} | ${said} |`)
})

test('what cannot be measured here says why, and claims nothing', () => {
  const [, , line] = renderTable([{ row, result: { why: 'no compiler here' } }]).split('\n')
  expect(line).toBe(`| 1 | book alone | – | no compiler here | ${row.target} | – |`)
})
