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

test('the same is there over tRPC', async ({ request }) => {
  const input = encodeURIComponent(JSON.stringify({ query: { limit: 2 } }))
  const answer = await request.get(`/trpc/listEvents?input=${input}`)
  expect(answer.status()).toBe(200)
  expect((await answer.json()).result.data).toHaveLength(2)
})
