import { expect, test } from 'vitest'
import { readListQuery, writeListQuery } from '../src/lib/lists/list-query.ts'

test.each([
  ['', '', { sort: 'trending', status: 'active', search: '', offset: 0, saved: false }],
  [
    'sort=volume&status=all&q=%20fed%20&offset=32',
    '?q=fed&sort=volume&status=all&offset=32',
    { sort: 'volume', status: 'all', search: 'fed', offset: 32, saved: false },
  ],
  ['sort=nonsense&status=__proto__&offset=-1', '', { sort: 'trending', status: 'active', search: '', offset: 0, saved: false }],
  ['saved=1', '?saved=1', { sort: 'trending', status: 'active', search: '', offset: 0, saved: true }],
  ['offset=1e99', '', { sort: 'trending', status: 'active', search: '', offset: 0, saved: false }],
  ['offset=999999', '?offset=10000', { sort: 'trending', status: 'active', search: '', offset: 10_000, saved: false }],
])('the address "%s" asks for what "%s" asks for', (given, canonical, query) => {
  expect(readListQuery(new URLSearchParams(given))).toEqual(query)
  expect(writeListQuery(query as Parameters<typeof writeListQuery>[0])).toBe(canonical)
})
