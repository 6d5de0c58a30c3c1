import { expect, test } from 'vitest'
import { sameOr } from '../src/lib/quote.ts'

const known = { percent: 40.5, yesAsk: 4200, noAsk: 6100 }

test('a quote in which nothing changed is the one that was known', () => {
  expect(sameOr(known, { ...known })).toBe(known)
})

test.each([{ percent: 41 }, { percent: null }, { yesAsk: 4300 }, { yesAsk: null }, { noAsk: 6000 }, { noAsk: null }])(
  'a quote with %j is a new one',
  (change) => {
    const fresh = { ...known, ...change }
    expect(sameOr(known, fresh)).toBe(fresh)
  },
)

test('the first quote is new', () => {
  expect(sameOr(undefined, known)).toBe(known)
})
