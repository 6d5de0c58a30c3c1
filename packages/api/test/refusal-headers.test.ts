import { webBudgets } from '@augury/wire/platform/budgets'
import { expect, test } from 'vitest'
import { testSite } from '../../platform/test/test-site.ts'
import { servePlatformRoot } from '../src/platform-root.ts'

const { site } = await testSite({}, 1)

test('a caller over the rate limit gets the rate-limit headers, as over REST', async () => {
  const headers = { origin: 'https://site.test', 'content-type': 'application/json' }
  const ask = () =>
    servePlatformRoot(
      site,
      new Request('https://site.test/trpc/issueNonce', { method: 'POST', headers, body: '{}' }),
      { clientAddress: '192.0.2.1' },
      () => {},
    )
  const { limit, seconds } = webBudgets.signIn
  for (let n = 0; n < limit; n++) expect((await ask()).status).toBe(200)
  const { status, headers: told } = await ask()
  expect([status, told.get('ratelimit-limit'), told.get('ratelimit-policy')]).toEqual([
    429,
    String(limit),
    `"signIn";q=${limit};w=${seconds}`,
  ])
  expect(told.get('retry-after')).toMatch(/^[1-9]\d*$/)
})
