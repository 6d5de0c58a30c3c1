import { expect, test } from 'vitest'
import { readAudit } from '../src/audit.ts'
import { comparisons, leak, leaking } from '../src/timing.ts'

test.each(comparisons.map((comparison) => [comparison.name, comparison] as const))(
  'guesses at the %s are wrong, alike in length, and differ at their end or at once',
  (_, { near, far, compare }) => {
    expect([near.length, near === far]).toEqual([far.length, false])
    for (const guess of [near, far]) expect([null, false]).toContain(compare(guess))
  },
)

test('every comparison gets its two classes, and a figure', () => {
  for (const comparison of [leaking, ...comparisons]) expect(leak(comparison, 200)).toBeGreaterThanOrEqual(0)
})

test.each([
  ['{"metadata":{"vulnerabilities":{"low":1,"high":2}}}', { known: { low: 1, high: 2 } }],
  ['Error: BAD\n\n  × The endpoint (at https://x) responded with 405:', { unasked: 'responded with 405' }],
  ['no network', { unasked: 'no network' }],
])('an audit that prints %s', (printed, expected) => {
  expect(readAudit(printed)).toEqual(expected)
})
