import { expect, test } from 'vitest'
import { allowAnalytics, analyticsOf } from '../src/lib/server/count-visits.ts'

const ID = 'G-ABC123'
const POLICY = "default-src 'self'; script-src 'self' 'nonce-1'; img-src 'self' data:; connect-src 'self' wss://clob.test"
const page = (path: string, headers: Record<string, string> = {}) => ({
  ...{ id: ID, mode: 'production' as const, path, headers: new Headers(headers) },
  consent: undefined as string | undefined,
})

test.each([
  ['/docs', true],
  ['/docs/fees', true],
  ['/changelog', true],
  ['/status', true],
  ['/', false],
  ['/event/rain', false],
  ['/docs/api', false],
  ['/docs/api/orders', false],
  ['/docsy', false],
  ['/login', false],
  ['/settings/security', false],
  ['/admin', false],
])('visits of %s may be counted: %s', (path, counted) => {
  expect(analyticsOf(page(path))).toEqual(counted ? { id: ID, given: false } : null)
})

test.each([
  ['no id is set', { id: '' }],
  ['it is a sandbox', { mode: 'sandbox' as const }],
  ['the reader said no', { consent: 'no' }],
  ['the browser says not to track', { headers: new Headers({ dnt: '1' }) }],
  ['the browser says so globally', { headers: new Headers({ 'sec-gpc': '1' }) }],
  ['it says so after the reader agreed', { consent: 'yes', headers: new Headers({ dnt: '1' }) }],
])('nothing is counted, nor asked, where %s', (_, over) => {
  expect(analyticsOf({ ...page('/docs'), ...over })).toBeNull()
})

test('the policy lets the script in once the reader agreed, and not before', () => {
  expect(allowAnalytics(POLICY, null)).toBe(POLICY)
  expect(allowAnalytics(POLICY, analyticsOf(page('/docs')))).toBe(POLICY)
  const allowed = allowAnalytics(POLICY, analyticsOf({ ...page('/docs'), consent: 'yes' }))
  expect(allowed).toContain("script-src 'self' https://www.googletagmanager.com 'nonce-1'")
  expect(allowed).toContain('https://*.google-analytics.com')
  expect(allowed).not.toMatch(/unsafe|\*;|\* /)
})
