import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer({ TRUSTED_PROXIES: '127.0.0.1' })
const alice = await Caller.of(running.url, wallets.alice)

const limits = async (caller: Caller) => (await caller.call('GET', '/limits')).body

test('an account can read its budgets and what is left of them; reading costs nothing', async () => {
  await alice.call('DELETE', '/order', { orderId: '0x1' })
  await alice.call('DELETE', '/orders/0x1')
  await alice.call('GET', '/events')
  await send(running.url, 'POST', '/books', '[]')
  await send(running.url, 'GET', '/proof/facts')
  await limits(alice)
  expect((await limits(alice)).budgets).toEqual([
    {
      name: 'orders',
      of: 'account',
      operations: [
        'POST /order',
        'POST /orders',
        'POST /order/replace',
        'PATCH /order',
        ...['split', 'merge', 'convert', 'redeem'].map((change) => `POST /positions/${change}`),
      ],
      ...{ limit: null, window_seconds: 10, remaining: null, reset_seconds: 0 }, // a sandbox
    },
    {
      ...{ name: 'cancel', of: 'account', operations: ['DELETE /order', 'DELETE /orders/{id}'] },
      ...{ limit: 100, window_seconds: 60, remaining: 98, reset_seconds: expect.any(Number) },
    },
    {
      ...{ name: 'cancel-many', of: 'account', operations: ['DELETE /orders'] },
      ...{ limit: 60, window_seconds: 60, remaining: 60, reset_seconds: 0 },
    },
    {
      ...{ name: 'dead-man', of: 'account', operations: ['POST /v1/heartbeats', 'POST /heartbeats', 'POST /cancel-after'] },
      ...{ limit: 20, window_seconds: 5, remaining: 20, reset_seconds: 0 },
    },
    {
      ...{ name: 'events', of: 'account', operations: ['GET /events'] },
      ...{ limit: 1200, window_seconds: 60, remaining: 1199, reset_seconds: expect.any(Number) },
    },
    {
      ...{ name: 'books', of: 'address', operations: ['POST /books'] },
      ...{ limit: 100, window_seconds: 60, remaining: 99, reset_seconds: expect.any(Number) },
    },
    {
      ...{ name: 'facts', of: 'address', operations: ['GET /proof/facts', 'GET /proof/roots/{n}/leaves', 'GET /proof/roots/{n}/weights'] },
      ...{ limit: 300, window_seconds: 60, remaining: 299, reset_seconds: expect.any(Number) },
    },
    {
      ...{ name: 'catalogue', of: 'address' },
      operations: [
        ...['events', 'events/pagination', 'events/keyset', 'events/{id}', 'events/slug/{slug}'].map((path) => `GET /gamma/${path}`),
        ...['markets', 'markets/keyset', 'public-search'].map((path) => `GET /gamma/${path}`),
        ...['', '/user_address/{address}', '/{id}'].map((path) => `GET /gamma/comments${path}`),
        ...['GET /v1/market-positions', 'GET /v1/accounting/snapshot'],
      ],
      ...{ limit: 300, window_seconds: 60, remaining: 300, reset_seconds: 0 },
    },
    {
      name: 'keys',
      of: 'address',
      operations: [
        'POST /auth/api-key',
        'POST /auth/readonly-api-key',
        'POST /auth/wallets/{address}/{signature_type}',
        'POST /sandbox/faucet',
      ],
      ...{ limit: null, window_seconds: 60, remaining: null, reset_seconds: 0 }, // a sandbox
    },
  ])
})

test('every answer to an order says how many are left; each of a batch counts, and so does a change', async () => {
  const bob = await Caller.of(running.url, wallets.bob)
  const order = { tokenId: '1', side: 'BUY', orderType: 'GTC', price: '0.5', size: '5' }
  const ask = async (method: string, path: string, body: unknown, from?: string) => {
    const { headers } = await bob.call(method, path, body, from ? { headers: { 'x-forwarded-for': from } } : {})
    return [headers.get('ratelimit-policy'), headers.get('ratelimit-remaining')]
  }
  const told = '"orders";q=2000;w=10'
  const left = async (...[method, path, body]: [string, string, unknown]) => {
    const [policy, remaining] = await ask(method, path, body, '198.51.100.7')
    expect(policy).toBe(told)
    return Number(remaining)
  }
  // What was counted ten seconds ago is forgotten: between two answers only more may be left.
  const first = await left('POST', '/order', order)
  expect(first).toBe(1999)
  expect(await left('POST', '/orders', Array(15).fill(order))).toBeGreaterThanOrEqual(1984)
  expect(await left('PATCH', '/order', { orderId: '0x1', size: '1' })).toBeGreaterThanOrEqual(1983)
  expect(await left('POST', '/positions/split', { market: '0x1', amount: '1' })).toBeGreaterThanOrEqual(1982)
  expect(await ask('POST', '/order', order)).toEqual([null, null]) // a program on the sandbox's own machine
})

test('a tier raises them, or takes them away', async () => {
  const platform = await Caller.of(running.url, wallets.operator, 'venue')
  const path = `/operator/accounts/${wallets.alice.address}`
  await platform.call('PUT', path, { tier: 'maker' })
  expect(await limits(alice)).toMatchObject({
    tier: 'maker',
    open_orders: 5000,
    budgets: [null, 6000, 3600, 1200, 72_000, 100, 300, 300, null].map((limit) => ({ limit })),
  })
  await platform.call('PUT', path, { tier: 'large_maker' })
  expect(await limits(alice)).toMatchObject({ tier: 'large_maker', open_orders: 20_000, budgets: { 1: { limit: 6000 } } })
  await platform.call('PUT', path, { tier: 'internal' })
  expect(await limits(alice)).toMatchObject({
    tier: 'internal',
    budgets: Array(9).fill(expect.objectContaining({ limit: null, remaining: null })),
  })
})
