import { expect, test } from '@playwright/test'

test('the platform answers under /api in the shapes of its contract', async ({ request }) => {
  const answer = await request.get('/api/events?limit=3&tag=sports')
  expect(answer.status()).toBe(200)
  expect(answer.headers()['cache-control']).toBe('public, max-age=0, s-maxage=60, stale-while-revalidate=60')
  const events = await answer.json()
  expect(events).toHaveLength(3)
  for (const { tags } of events) expect(tags.map(({ slug }: { slug: string }) => slug)).toContain('sports')

  const [{ slug, markets }] = events
  const id = markets[0].condition_id.toUpperCase().replace('0X', '0x')
  const metadata = await request.get(`/api/events/${slug}/market-metadata?conditionId=${id}`)
  expect((await metadata.json()).data.condition_id).toBe(markets[0].condition_id)
})

test('what is refused is refused in JSON, with the id of the header', async ({ request }) => {
  for (const [path, status, error] of [
    ['/api/events?status=x', 400, 'Invalid status filter.'],
    ['/api/events?sort=x', 400, 'Invalid sort filter.'],
    ['/api/nowhere', 404, undefined],
  ] as const) {
    const answer = await request.get(path)
    expect(answer.status(), path).toBe(status)
    expect(answer.headers()['content-type']).toMatch(/^application\/json/)
    expect(answer.headers()['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    const body = await answer.json()
    expect(body).toHaveProperty('code')
    if (error !== undefined) expect(body.error).toBe(error)
  }
})

test('a script that sends no origin is answered in JSON, whatever it sends; forms of other sites are refused', async ({ request }) => {
  for (const [method, path, headers, data, status] of [
    ['DELETE', '/api/bookmarks/00000000-0000-4000-8000-000000000000', { authorization: 'Bearer nobody' }, undefined, 401],
    ['POST', '/api/markets/status', { 'content-type': 'text/plain' }, '{}', 415],
    ['POST', '/api/markets/status', { 'content-type': 'application/json' }, `{"conditionIds":["${'a'.repeat(70_000)}"]}`, 413],
    ['POST', '/api/auth/siwe/nonce', { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' }, 'a=1', 403],
  ] as const) {
    const answer = await request.fetch(path, { method, headers, ...(data === undefined ? {} : { data }) })
    expect(answer.status(), `${method} ${path}`).toBe(status)
    expect(await answer.json()).toHaveProperty('code')
  }
  for (const origin of ['https://evil.example', 'null']) {
    const answer = await request.post('/appearance', { headers: { origin }, form: { theme: 'dark' } })
    expect(answer.status()).toBe(403)
  }
})

test('a malformed address is refused in JSON where programs ask', async ({ request }) => {
  for (const path of ['/api/bookmarks/%', '/api/events/%ff']) {
    const answer = await request.get(path)
    expect(answer.status(), path).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'bad_request' })
  }
})

test('an address with a NUL is refused, not failed at', async ({ request }) => {
  for (const path of ['/search?q=%00', '/event/%00', '/api/events?search=%00']) expect((await request.get(path)).status(), path).toBe(400)
})

test('the same is there over tRPC', async ({ request }) => {
  const input = encodeURIComponent(JSON.stringify({ query: { limit: 2 } }))
  const answer = await request.get(`/trpc/listEvents?input=${input}`)
  expect(answer.status()).toBe(200)
  expect((await answer.json()).result.data).toHaveLength(2)
})

test('and takes no longer bodies there: as much as the procedure that is named, over a real connection', async ({ request }) => {
  const data = JSON.stringify({ body: { conditionIds: ['a'.repeat(70_000)] } })
  const answer = await request.post('/trpc/marketsStatusBatch', { headers: { 'content-type': 'application/json' }, data })
  expect(answer.status()).toBe(413)
  expect((await answer.json()).error.data.refusal).toMatchObject({ code: 'payload_too_large' })
})
