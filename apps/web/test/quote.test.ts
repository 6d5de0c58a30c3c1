import { expect, test } from 'vitest'
import { quoteAfter } from '../src/lib/book/quote.ts'

const known = { percent: 40.5, yesAsk: 4200, noAsk: 6100 }

test('a quote in which nothing changed is the one that was known', () => {
  expect(quoteAfter(known, { ...known })).toBe(known)
})

test.each([{ percent: 41 }, { yesAsk: 4300 }, { yesAsk: null }, { noAsk: 6000 }, { noAsk: null }])(
  'a quote with %j is a new one',
  (change) => {
    const fresh = { ...known, ...change }
    expect(quoteAfter(known, fresh)).toEqual(fresh)
  },
)

test('a book that is empty for a moment has no offers, and the chance that was known', () => {
  const empty = { percent: null, yesAsk: null, noAsk: null }
  expect(quoteAfter(known, empty)).toEqual({ ...empty, percent: 40.5 })
  expect(quoteAfter(undefined, empty)).toEqual(empty)
})

test('the first quote is new', () => {
  expect(quoteAfter(undefined, known)).toBe(known)
})
