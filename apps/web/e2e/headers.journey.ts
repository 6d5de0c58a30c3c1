import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { webSettings } from '@augury/settings/env'
import { expect, test } from '@playwright/test'

const { host, hostname, port } = new URL(webSettings().origin)
/** All that is answered to some bytes on a connection of their own, which the client does not end. */
const shout = (bytes: string) => {
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => socket.write(bytes))
  return text(socket.on('error', () => {})).finally(() => socket.destroy())
}

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

test('a program that looks after the site asks by whatever address it has; pages answer to the site’s own name alone', async () => {
  const ask = (path: string) => shout(`GET ${path} HTTP/1.1\r\nHost: 10.0.0.7\r\nConnection: close\r\n\r\n`)
  expect(await ask('/healthz')).toMatch(/^HTTP\/1\.1 200 [\s\S]*{"status":"ok"}/)
  expect(await ask('/')).toMatch(/^HTTP\/1\.1 421 /)
})

test('the card of an event, and it alone, may be framed by other sites: it runs no script and has no session', async ({ request }) => {
  const answer = await request.get('/embed/2026-nba-champion?theme=dark&lang=es&by=abc123')
  const { 'content-security-policy': policy, 'x-frame-options': framing, 'set-cookie': cookie } = answer.headers()
  expect(policy).toMatch(
    /^default-src 'none'; img-src 'self'; style-src ('sha256-[^']+' ?)+; base-uri 'none'; form-action 'none'; frame-ancestors \*$/,
  )
  expect([answer.status(), framing, cookie]).toEqual([200, undefined, undefined])
  const page = await answer.text()
  expect(page).toContain('<html lang="es" dir="ltr" data-theme="dark">')
  expect(page).toContain('/r/abc123?to=%2Fevent%2F2026-nba-champion')
  expect(page).not.toContain('<script')
  const gone = await request.get('/embed/no-such-event?theme=dark&lang=es', { headers: { accept: 'text/html' } })
  expect([gone.status(), gone.headers()['content-security-policy']]).toEqual([404, expect.stringMatching(/frame-ancestors \*$/)])
  expect(await gone.text()).toContain('<html lang="es" dir="ltr" data-theme="dark">')
})

test('the link of an outcome is embedded as that outcome, and a link with a malformed code leads home', async ({ request }) => {
  const whole = await (await request.get('/event/2026-nba-champion')).text()
  const [, market] = /href="\/event\/2026-nba-champion\/([a-z0-9-]+)"/.exec(whole) ?? []
  const address = `${webSettings().origin}/event/2026-nba-champion/${market}`
  const { html, title } = await (await request.get(`/oembed?url=${encodeURIComponent(address)}`)).json()
  const [, src] = /src="([^"]+)"/.exec(html) ?? []
  expect(src).toBe(`${webSettings().origin}/embed/2026-nba-champion?market=${market}`)
  const card = await (await request.get(src!)).text()
  expect(card.match(/<li\b/g)).toHaveLength(1)
  expect(card).toContain(title.split(' · ')[0])
  expect(card).toContain(`href="${address}"`)
  const no = await (await request.get(`/oembed?url=${encodeURIComponent(`${address}?outcome=no`)}`)).json()
  expect(no.title).toBe(title.replace(' · ', ' (No) · '))
  expect(await (await request.get(`/embed/2026-nba-champion?market=${market}&outcome=no`)).text()).toContain(`href="${address}?outcome=no"`)
  expect((await request.get('/embed/2026-nba-champion?market=no-such-market')).status()).toBe(404)
  const malformed = await request.get('/r/x', { maxRedirects: 0 })
  const { location, 'set-cookie': cookie } = malformed.headers()
  expect([malformed.status(), location, cookie]).toEqual([303, '/', undefined])
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

test('a path of the API with a trailing slash is a 404 in JSON', async ({ request }) => {
  for (const path of ['/api/', '/api/events/', '/admin/api/users/?limit=1']) {
    const answer = await request.get(path, { maxRedirects: 0 })
    expect([path, answer.status(), (await answer.json()).code]).toEqual([path, 404, 'not_found'])
  }
})

for (const [what, bytes, status, code] of [
  ['what is no request', 'HELLO\r\n\r\n', 400, 'bad_request'],
  ['a request to no host', 'GET /api/events HTTP/1.1\r\n\r\n', 400, 'bad_request'],
  ['too long a head', `GET /api/events HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['a request for what was sent', `TRACE /api/events HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, 405, 'method_not_allowed'],
] as const) {
  test(`${what} is refused as JSON, as carefully as any`, async () => {
    const [head, body] = (await shout(bytes)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head).toMatch(/content-type: application\/json; charset=utf-8/i)
    expect(head).toMatch(/x-content-type-options: nosniff/i)
    expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/i)
    expect(JSON.parse(body!)).toMatchObject({ error: expect.any(String), code })
  })
}

test('a client that never finishes a request is disconnected, and no other waits for it', async ({ request }) => {
  const head = `POST /api/markets/status HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`
  const unfinished = ['GET /api', `${head}X: `, `${head}Content-Length: 100\r\n\r\n{`]
  const hanging = unfinished.flatMap((bytes) => Array.from({ length: 20 }, () => shout(bytes)))
  expect((await request.get('/api/events?limit=1')).status()).toBe(200)
  for (const answer of await Promise.all(hanging)) expect(answer).toMatch(/^(HTTP\/1\.1 400 |$)/)
})

test('whatever fails below the routes of admin says that it failed', async ({ request }) => {
  for (const [path, headers, code] of [
    ['/admin/api', {}, 'not_found'],
    ['/admin/api/nothing', {}, 'not_found'],
    ['/admin/api/events/__data.json', {}, 'not_found'],
    ['/admin/api/users/', {}, 'not_found'],
    ['/admin/api/%', {}, 'bad_request'],
    ['/admin/api/users', {}, 'unauthenticated'],
    ['/admin/api/users', { host: 'rebound.example' }, 'wrong_host'],
  ] as const) {
    const answer = await request.get(path, { headers, maxRedirects: 0 })
    expect(await answer.json(), path).toMatchObject({ success: false, error: expect.any(String), code })
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
  await expect(page.getByRole('definition').filter({ hasText: 'You can place, change and cancel orders.' })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: 'play money' })).toBeVisible()
})
