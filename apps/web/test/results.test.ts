import { expect, test } from 'vitest'
import { contradiction, inWords, type ResultMarket, shareAlike } from '../src/lib/admin/results.ts'

type Status = ResultMarket['resolution']['status']

const market = (name: string, status: Status = 'pending', pays: number | null = null): ResultMarket => ({
  ...{ condition_id: name, question: `${name}?`, short_title: name, outcomes: ['Yes', 'No'], end_time: '2031-01-01T00:00:00.000Z' },
  is_resolved: status === 'confirmed',
  yes_pays: status === 'confirmed' ? pays : null,
  resolution: {
    ...{ condition_id: name, status, flagged: false, paused: false, deadline_at: null, end_time: '2031-01-01T00:00:00.000Z' },
    steps:
      pays === null
        ? []
        : [
            {
              step: 'proposed',
              at: '2031-01-01T00:00:00.000Z',
              actor_kind: 'operator',
              actor: '',
              yes_pays: pays,
              deadline_at: null,
              note: '',
            },
          ],
  },
})
const three = [market('a'), market('b'), market('c')]

test.each([
  ['nothing is said', three, {}, null],
  ['one wins', three, { a: '1', b: '0', c: '0' }, null],
  ['one is out before the others end', three, { a: '0' }, null],
  ['two win', three, { a: '1', b: '1' }, /answer Yes for one/],
  ['none wins', three, { a: '0', b: '0', c: '0' }, /none does/],
  ['two share', three, { a: '0.5', b: '0.5', c: '0' }, null],
  ['the rest lost to one that won before', [market('a', 'confirmed', 1), ...three.slice(1)], { b: '0', c: '0' }, null],
  [
    'another wins beside one that is proposed',
    [market('a', 'proposed', 1), ...three.slice(1)],
    { b: '1', c: '0' },
    /“a” is said to already/,
  ],
  ['another wins than one that was objected to', [market('a', 'disputed', 1), ...three.slice(1)], { a: '0', b: '1', c: '0' }, null],
  ['the last one loses as well', [market('a', 'confirmed', 0), market('b', 'proposed', 0), market('c')], { c: '0' }, /none does/],
])('of which exactly one wins, where %s', (_, markets, answers, why) => {
  const said = contradiction(markets, answers as Record<string, string>)
  if (why === null) expect(said).toBeNull()
  else expect(said).toMatch(why)
})

test('all that are open share what is left alike, to the step', () => {
  expect(shareAlike(three)).toEqual({ a: '0.3334', b: '0.3333', c: '0.3333' })
  expect(contradiction(three, shareAlike(three))).toBeNull()
  const left = [market('a', 'confirmed', 0.5), market('b', 'disputed', 1), market('c')]
  expect(shareAlike(left)).toEqual({ b: '0.25', c: '0.25' })
})

test('what a share pays is said by the outcome, or in dollars', () => {
  expect([1, 0, 0.5, null].map((pays) => inWords(pays, ['Up', 'Down']))).toEqual(['Up', 'Down', 'Up pays $0.5', '–'])
})
