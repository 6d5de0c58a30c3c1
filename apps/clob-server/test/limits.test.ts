import { afterAll, beforeAll, expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { type RunningServer, runningServer, wallets } from './running-server.ts'

let running: RunningServer
let alice: Caller

beforeAll(async () => {
  running = await runningServer()
  alice = await Caller.of(running.url, wallets.alice)
})
afterAll(() => running.close())

const limits = async (caller: Caller) => (await caller.call('GET', '/limits')).body

test('who asks is told its budgets, and where it stands in them; asking costs nothing', async () => {
  await alice.call('DELETE', '/order', { orderId: '0x1' })
  await alice.call('DELETE', '/orders/0x1')
  await send(running.url, 'POST', '/books', '[]')
  await send(running.url, 'GET', '/proof/facts')
  await limits(alice)
  expect((await limits(alice)).budgets).toEqual([
    {
      ...{ name: 'cancel', of: 'account', operations: ['DELETE /order', 'DELETE /orders/{id}'] },
      ...{ limit: 100, window_seconds: 60, remaining: 98, reset_seconds: expect.any(Number) },
    },
    {
      ...{ name: 'cancel-many', of: 'account', operations: ['DELETE /orders'] },
      ...{ limit: 60, window_seconds: 60, remaining: 60, reset_seconds: 0 },
    },
    {
      ...{ name: 'books', of: 'address', operations: ['POST /books'] },
      ...{ limit: 100, window_seconds: 60, remaining: 99, reset_seconds: expect.any(Number) },
    },
    {
      ...{ name: 'facts', of: 'address', operations: ['GET /proof/facts'] },
      ...{ limit: 300, window_seconds: 60, remaining: 299, reset_seconds: expect.any(Number) },
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

test('a tier raises them, or takes them away', async () => {
  const platform = await Caller.of(running.url, wallets.operator, 'venue')
  const path = `/operator/accounts/${wallets.alice.address}`
  await platform.call('PUT', path, { tier: 'maker' })
  expect(await limits(alice)).toMatchObject({
    tier: 'maker',
    open_orders: 5000,
    budgets: [{ limit: 6000 }, { limit: 3600 }, { limit: 100 }, { limit: 300 }, { limit: null }],
  })
  await platform.call('PUT', path, { tier: 'internal' })
  expect(await limits(alice)).toMatchObject({
    tier: 'internal',
    budgets: [{ limit: null, remaining: null }, { limit: null }, { limit: null }, { limit: null }, { limit: null }],
  })
})
