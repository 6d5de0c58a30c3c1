import { expect, test } from 'vitest'
import { nextPath } from '../src/lib/account/next-path.ts'

test.each([
  ['/portfolio', '/portfolio'],
  ['/event/rain?outcome=no', '/event/rain?outcome=no'],
  ['/admin/users?search=a//b', '/admin/users?search=a//b'],
  ['/event/rain#rules', '/event/rain'],
  ['//evil.test', '/'],
  ['/\\evil.test', '/'],
  ['\\\\evil.test', '/'],
  ['https:evil.test', '/'],
  ['javascript:alert(1)', '/'],
  ['/\t/evil.test', '/'],
  ['/.//evil.test', '/'],
  ['/a/..//evil.test', '/'],
  ['/%2e//evil.test', '/'],
  ['/./\\evil.test', '/'],
  ['/login?next=/', '/'],
  ['', '/'],
])('%j leads to %j and to no other site', (next, path) => {
  const found = nextPath(new URLSearchParams({ next }))
  expect(found).toBe(path)
  expect(new URL(found, 'https://site.test').host).toBe('site.test')
})

test('without a word about it it is the front page', () => expect(nextPath(new URLSearchParams())).toBe('/'))
