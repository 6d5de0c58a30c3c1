import { expect, test } from 'vitest'
import { percent } from '../src/serve/views/position-view.ts'

test.each([
  ['nothing on nothing', 0, 0, 0],
  ['half', 500_000, 1_000_000, 50],
  ['a loss of a third', -1, 3, -33.333333],
  ['a million shares that cost a millionth', 1_000_000_000_000, 1, 9_000_000_000],
  ['all there is for a millionth', Number.MAX_SAFE_INTEGER, 1, 9_000_000_000],
  ['the most that is not cut', 89_999_999, 1, 8_999_999_900],
])('a gain of %s is shown in percent, and never fails', (_, gain, cost, told) => {
  expect(percent(gain, cost)).toBe(told)
})
