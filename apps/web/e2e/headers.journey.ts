import { webSettings } from '@augury/settings/env'
import { expect, test } from '@playwright/test'

test.describe('every answer makes browsers careful', () => {
  for (const path of ['/', '/icon.svg', '/nowhere', '/robots.txt', '/status']) {
    test(path, async ({ request }) => {
      const headers = (await request.get(path)).headers()
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin',
        'x-frame-options': 'DENY',
      })
      expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/)
      expect(headers['content-security-policy']).not.toMatch(/unsafe-inline|unsafe-eval|\*/)
    })
  }
})

test('the card of an event, and it alone, may be framed by other sites: it runs nothing and knows nobody', async ({ request }) => {
  const answer = await request.get('/embed/2026-nba-champion?theme=dark&lang=es&by=abc123')
  const { 'content-security-policy': policy, 'x-frame-options': framing, 'set-cookie': cookie } = answer.headers()
  expect(policy).toMatch(/^default-src 'none'; style-src ('sha256-[^']+' ?)+; base-uri 'none'; form-action 'none'; frame-ancestors \*$/)
  expect([answer.status(), framing, cookie]).toEqual([200, undefined, undefined])
  const page = await answer.text()
  expect(page).toContain('<html lang="es" dir="ltr" data-theme="dark">')
  expect(page).toContain('/r/abc123?to=%2Fevent%2F2026-nba-champion')
  expect(page).not.toContain('<script')
})

test('scripts of a page carry its nonce, which is another one each time', async ({ request }) => {
  const policies = await Promise.all([1, 2].map(async () => (await request.get('/')).headers()['content-security-policy'] ?? ''))
  const nonces = policies.map((policy) => /script-src [^;]*'nonce-([^']+)'/.exec(policy)?.[1])
  expect(nonces[0]).toBeTruthy()
  expect(nonces[0]).not.toBe(nonces[1])
  const socket = webSettings().publicClobUrl.replace(/^http/, 'ws')
  expect(policies[0]).toContain(`connect-src 'self' ${webSettings().publicClobUrl} ${socket}`)
})

test('a name that is not ours gets nothing', async ({ request }) => {
  const answer = await request.get('/', { headers: { host: 'rebound.example' } })
  expect(answer.status()).toBe(421)
  expect(await answer.text()).not.toContain('Augury')
  const forProgram = await request.get('/api/users?search=a', { headers: { host: 'rebound.example' } })
  expect([forProgram.status(), (await forProgram.json()).code]).toEqual([421, 'wrong_host'])
})

test('a program that ends a path with a slash is told in JSON that there is nothing', async ({ request }) => {
  for (const path of ['/api/', '/api/events/', '/admin/api/users/?limit=1']) {
    const answer = await request.get(path, { maxRedirects: 0 })
    expect([path, answer.status(), (await answer.json()).code]).toEqual([path, 404, 'not_found'])
  }
})

test('a form of another site is refused', async ({ request }) => {
  const answer = await request.post('/appearance', { headers: { origin: 'https://evil.test' }, form: { theme: 'dark' }, maxRedirects: 0 })
  expect(answer.status()).toBe(403)
  expect(answer.headers()['set-cookie']).toBeUndefined()
})

test('what is not there is a 404 with an id to ask about', async ({ page, request }) => {
  for (const path of ['/nowhere', '/event/no-such-event', '/event/2026-nba-champion/no-such-market', '/c/no-such-category']) {
    expect((await request.get(path)).status(), path).toBe(404)
  }
  const answer = await page.goto('/event/no-such-event')
  await expect(page.getByRole('heading', { level: 1, name: 'There is nothing here' })).toBeVisible()
  await expect(page.getByText(`Request ${answer!.headers()['x-request-id']}`)).toBeVisible()
  await page.goto('/es/event/no-such-event')
  await expect(page.locator('main')).toContainText(/Aquí no hay nada.*La dirección no lleva a ninguna parte/s)
  await page.getByRole('link', { name: 'Ver tendencias' }).click()
  await expect(page.getByRole('article')).not.toHaveCount(0)
})

test('the status page says what the exchange says', async ({ page }) => {
  await page.goto('/status')
  await expect(page.getByRole('heading', { level: 1, name: 'Everything works' })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: /^Normal/ })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: 'play money' })).toBeVisible()
})
