import { migratePlatform } from '@augury/domain/platform/database'
import { importCatalogue } from '@augury/platform/catalogue/import-catalogue'
import { openSite, type Site } from '@augury/platform/site/site'
import { migratedDatabase } from '@augury/testing/database'
import { afterAll, expect, test } from 'vitest'
import { siteSettings } from '../../platform/test/site-settings.ts'
import { platformApp } from '../src/platform.ts'

const CREATOR = '0x00000000000000000000000000000000000000c1'
const catalogue = [
  {
    slug: 'vote',
    title: 'When is the vote?',
    endDate: '2099-12-31T00:00:00Z',
    tags: [{ slug: 'politics', label: 'Politics' }],
    markets: [{ question: 'In May?', slug: 'vote-may', outcomes: '["Yes", "No"]', outcomePrices: '["0.4", "0.6"]' }],
  },
]

const platform = await openSite(siteSettings(await migratedDatabase('platform', migratePlatform), { mode: 'sandbox' }))
afterAll(() => platform.close())
await importCatalogue(platform, {
  text: JSON.stringify(catalogue),
  creator: CREATOR,
  register: () => Promise.reject(new Error('no exchange')),
}).catch(() => {})
await platform.em().execute('update market set registered_at = now(), is_active = true')
await platform.em().execute(`update event set status = 'active', active_markets_count = 1`)
const [{ condition_id: conditionId } = { condition_id: '' }] = await platform
  .em()
  .execute<{ condition_id: string }[]>('select condition_id from market')

const bugs: unknown[] = []
const appOf = (site: Site) => platformApp({ site, onBug: (error) => void bugs.push(error) })
const app = appOf(platform)
const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

type Row = [path: string, init: RequestInit | undefined, status: number, body: unknown]
const ANSWERS: Row[] = [
  ['/api/events?status=open', undefined, 400, { error: 'Invalid status filter.', code: 'invalid_status_filter' }],
  ['/api/events?sort=luck', undefined, 400, { error: 'Invalid sort filter.', code: 'invalid_sort_filter' }],
  ['/api/events?offset=-1&limit=x&unknown=1', undefined, 200, [expect.objectContaining({ slug: 'vote' })]],
  ['/api/events?bookmarked=true', undefined, 200, []],
  ['/api/events/vote/market-metadata', undefined, 400, { error: 'Missing conditionId.', code: 'missing_condition_id' }],
  ['/api/events/vote/market-metadata?conditionId=', undefined, 400, { error: 'Missing conditionId.', code: 'missing_condition_id' }],
  ['/api/events/nothing/market-metadata?conditionId=0x1', undefined, 404, { error: 'Event not found.', code: 'event_not_found' }],
  ['/api/events/vote/market-metadata?conditionId=0x1', undefined, 404, { data: null }],
  ['/api/events/vote/market-metadata?conditionId=%00', undefined, 404, { data: null }],
  [
    `/api/events/${'x'.repeat(300)}/market-metadata?conditionId=0x1`,
    undefined,
    404,
    { error: 'Event not found.', code: 'event_not_found' },
  ],
  [`/api/events/vote/market-metadata?conditionId=${'x'.repeat(300)}`, undefined, 404, { data: null }],
  [
    `/api/events/vote/market-metadata?conditionId=${conditionId.toUpperCase()}`,
    undefined,
    200,
    { data: expect.objectContaining({ condition_id: conditionId }) },
  ],
  ['/api/events/nothing/related', undefined, 200, []],
  [
    `/api/markets/status?conditionIds=${conditionId},0x2`,
    undefined,
    200,
    { data: [{ condition_id: conditionId, is_active: true, is_resolved: false }], next_cursor: 'LTE=' },
  ],
  [
    `/api/markets/status?conditionIds=0x2&conditionIds=${conditionId}`,
    undefined,
    200,
    { data: [expect.objectContaining({ condition_id: conditionId })], next_cursor: 'LTE=' },
  ],
  ['/api/markets/status', undefined, 200, { data: [], next_cursor: 'LTE=' }],
  [`/api/markets/status?conditionIds=${'a,'.repeat(101)}`, undefined, 400, { error: 'Too many condition ids.', code: 'too_many_items' }],
  [
    '/api/markets/status',
    json({ conditionIds: [conditionId] }),
    200,
    { data: [expect.objectContaining({ condition_id: conditionId })], next_cursor: 'LTE=' },
  ],
  ['/api/markets/status', json({ conditionIds: Array(501).fill('a') }), 400, { error: 'Too many condition ids.', code: 'too_many_items' }],
  ['/api/markets/status', json({ conditionIds: 'a' }), 400, expect.objectContaining({ code: 'invalid_payload' })],
  ['/api/markets/status', { ...json({}), body: '{"conditionIds":' }, 400, { error: 'Invalid JSON', code: 'invalid_json' }],
  [
    '/api/markets/status',
    { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } },
    415,
    expect.objectContaining({ code: 'unsupported_media_type' }),
  ],
  ['/api/markets/status', json({ conditionIds: ['\0', conditionId] }), 400, expect.objectContaining({ code: 'invalid_payload' })],
  ['/api/events?search=a%00', undefined, 400, { error: 'Invalid payload: NUL in the query', code: 'invalid_payload' }],
  ['/api/events?__proto__=1', undefined, 400, { error: 'Invalid payload: forbidden key', code: 'invalid_payload' }],
  [`/api/events?${'a&'.repeat(501)}`, undefined, 400, { error: 'Invalid payload: too many parameters', code: 'invalid_payload' }],
  ['/api/events?tag=%00', undefined, 400, expect.objectContaining({ code: 'invalid_payload' })],
  ['/api/users?search=a%00', undefined, 400, expect.objectContaining({ code: 'invalid_payload' })],
  ['/api/markets/status', { method: 'DELETE' }, 405, { error: 'Method not allowed', code: 'method_not_allowed' }],
  ...['OPTIONS', 'PROPFIND', 'POST'].map((method): Row => {
    return ['/api/events', { method }, 405, { error: 'Method not allowed', code: 'method_not_allowed' }]
  }),
  ...[
    'nothing',
    'events/',
    'events;.css',
    'events/x.css',
    'events%00.css',
    '%65vents',
    '/events',
    'events/vote%2Frelated',
    'events/vo%2Fte/related',
    'events/vo%00te/related',
    'events/%ff/related',
    'events/vote/related/',
    'events/../../api/nothing',
  ].map((path): Row => [`/api/${path}`, undefined, 404, { error: 'Not found', code: 'not_found' }]),
]

test.each(ANSWERS)('%s %o answers %i', async (path, init, status, body) => {
  const response = await app.request(path, init)
  expect([response.status, await response.json()]).toEqual([status, body])
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
})

test('HEAD has the headers of GET, without a body', async () => {
  for (const path of ['/api/events', '/api/events/vote/related', '/api/markets/status', '/api/events?status=open', '/api/nothing']) {
    const [get, head] = [await app.request(path), await app.request(path, { method: 'HEAD' })]
    const visible = ({ status, headers }: Response) => [path, status, headers.get('content-type'), headers.get('cache-control')]
    expect(visible(head)).toEqual(visible(get))
    expect(await head.text()).toBe('')
  }
})

test('lists are cacheable for a minute, the rest not at all; pages of other sites cannot read them', async () => {
  const cached = async (path: string) => (await app.request(path, { headers: { origin: 'https://elsewhere.example' } })).headers
  expect((await cached('/api/events')).get('cache-control')).toBe('public, max-age=0, s-maxage=60, stale-while-revalidate=60')
  expect((await cached('/api/markets/status')).get('cache-control')).toBe('no-store')
  expect((await cached('/api/events')).get('access-control-allow-origin')).toBeNull()
})

test.each([
  ['/api/events?search=vote', 'Internal server error. Try again in a few moments.'],
  ['/api/events/vote/market-metadata?conditionId=0x1', 'An unexpected error occurred. Please try again later.'],
])('a failure of %s has the specified text and is reported', async (path, error) => {
  const broken = appOf({
    ...platform,
    em: () => {
      throw new Error('no database')
    },
  })
  const response = await broken.request(path)
  expect([response.status, await response.json()]).toEqual([500, { error, code: 'internal_error' }])
  expect(bugs.splice(0)).toEqual([new Error('no database')])
})
