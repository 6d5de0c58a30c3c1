import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { calledDuring, testSite } from './test-site.ts'

const at = await testSite({ adminWallets: [walletOf(4100).address.toLowerCase() as `0x${string}`] })
const admin = new Browser(at)
await admin.signIn(walletOf(4100))

const PATH = '/admin/api/price-series/btc-usd-5m'
const terms = {
  ...{
    instrument: 'BTC/USD',
    source: 'oracle_a',
    display_name: 'Bitcoin',
    symbol_a: 'BTCUSDT',
    symbol_b: '',
    enabled: true,
    recurring: true,
  },
  ...{ category: 'crypto', ahead: 2, settlement_seconds: 300, dispute_seconds: 600 },
}
const row = { slug: 'btc-usd-5m', interval: '5m', ...terms }
const put = (body: object, path = PATH) => admin.call('PUT', path, body)

test('a series is configured, listed and changed, and every change is logged', async () => {
  const made = await put(terms)
  expect(made).toMatchObject({ status: 200, body: { success: true, data: row } })
  expect(await admin.get('/admin/api/price-series')).toMatchObject({
    status: 200,
    body: { data: [{ ...row, latest_at: null, latest_price: null, is_stale: true }], totalCount: 1 },
  })
  expect(await put({ ...terms, enabled: false })).toMatchObject({ status: 200, body: { data: { enabled: false } } })
  expect(await put({ ...terms, enabled: false })).toMatchObject({ status: 200 })
  const records = await at.rows(`select details from audit_log where action = 'price_series_changed' order by at, id`)
  expect(records.map(({ details }) => details)).toEqual([
    { target: 'btc-usd-5m', after: row, request: made.headers.get('x-request-id') },
    { target: 'btc-usd-5m', before: { enabled: true }, after: { enabled: false }, request: expect.any(String) },
  ])
})

test.each<[what: string, change: object, path: string, status: number, code: string]>([
  ['another instrument', { instrument: 'ETH/USD' }, PATH, 409, 'price_series_fixed'],
  ['a source that does not have it', { source: 'oracle_b' }, PATH, 400, 'invalid_payload'],
  ['a slug without an interval', {}, '/admin/api/price-series/btc-usd', 400, 'invalid_payload'],
  ['thirteen windows ahead', { ahead: 13 }, PATH, 400, 'invalid_payload'],
  ['a category with capitals', { category: 'Crypto' }, PATH, 400, 'invalid_payload'],
  ['a name of nothing', { display_name: ' ' }, PATH, 400, 'invalid_payload'],
  ['an unknown field', { colour: 'red' }, PATH, 400, 'invalid_payload'],
])('%s is refused', async (_, change, path, status, code) => {
  expect(await put({ ...terms, ...change }, path)).toMatchObject({ status, body: { success: false, code } })
})

test('a change based on outdated terms changes none of them, and a repeated change has no further effect', async () => {
  expect((await put(terms)).status).toBe(200)
  const { instrument: _, ...seen } = terms
  for (const _ of [1, 2]) expect((await put({ ...terms, dispute_seconds: 900, seen })).status).toBe(200)
  expect(await put({ ...terms, recurring: false, seen })).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  expect((await put({ ...terms, recurring: false, seen: { ...seen, dispute_seconds: 900 } })).status).toBe(200)
})

test('of two admins who make the same series at once, the second changes what the first made', async () => {
  const path = '/admin/api/price-series/btc-usd-1h'
  const columns = Object.keys(terms)
  const first = `insert into price_series (slug, interval, ${columns}) values ('btc-usd-1h', '1h', ${columns.map(() => '?')})`
  const answer = await calledDuring(at, [first, Object.values(terms)], () => put({ ...terms, source: 'oracle_b', symbol_b: 'XBT' }, path))
  expect(answer).toMatchObject({ status: 200, body: { data: { source: 'oracle_b', symbol_b: 'XBT' } } })
  expect((await admin.get(path)).body.data.series).toEqual(answer.body.data)
  const [{ details } = { details: {} }] = await at.rows('select details from audit_log order by position desc limit 1')
  expect(details).toMatchObject({ before: { source: 'oracle_a', symbol_b: '' }, after: { source: 'oracle_b', symbol_b: 'XBT' } })
})

test('changes that decide about money ask for a fresh proof', async () => {
  at.clock.advance(16 * 60_000)
  expect(await put(terms)).toMatchObject({ status: 403, body: { success: false, code: 'step_up_required' } })
})

test('an unconfigured series has no state', async () => {
  expect(await admin.get('/admin/api/price-series/sol-usd-1h')).toMatchObject({
    status: 404,
    body: { success: false, code: 'series_not_found' },
  })
})
