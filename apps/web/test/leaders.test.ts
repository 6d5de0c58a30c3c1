import { expect, test } from 'vitest'
import { leadersHref, readPlace, withOwn } from '../src/lib/people/leaders.ts'

test.each([
  [null, 0],
  ['50', 50],
  ['74', 50],
  ['950', 950],
  ['1000', 950],
  ['1e99', 0],
  ['-50', 0],
  ['x', 0],
])('the page of place %j begins after %i', (value, begin) => expect(readPlace(value)).toBe(begin))

test('an address names what is not usual', () => {
  expect(leadersHref('week', 'pnl', 0)).toBe('?')
  expect(leadersHref('all', 'vol', 100)).toBe('?period=all&by=vol&after=100')
})

test('who is not on a page finds their place above or below it, who is on it once', () => {
  const page = [
    { rank: '51', proxyWallet: 'one' },
    { rank: '52', proxyWallet: 'other' },
  ]
  const ranks = (rank: string, proxyWallet: string) => withOwn(page, [{ rank, proxyWallet }]).map((row) => row.rank)
  expect(ranks('9', 'me')).toEqual(['9', '51', '52'])
  expect(ranks('53', 'other')).toEqual(['51', '52'])
  expect(ranks('100', 'me')).toEqual(['51', '52', '100'])
  expect(withOwn(page, [])).toEqual(page)
})
