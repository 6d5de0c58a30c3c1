import { signOrder } from '@augury/client/orders'
import { expect, test } from 'vitest'
import { Caller } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '1000')
const market = await registerMarket(running, 'expirations')
const compat = await Caller.with(`${running.url}/compat`, alice.key)

const SOON = Math.floor(Date.now() / 1000) + 3600
const order = (more: object) => limit(market.yes, 'BUY', '0.2', '10', more)

const cases: [string, object, number, string | null][] = [
  ['GTD until a number of seconds', { orderType: 'GTD', expiration: SOON }, 200, String(SOON)],
  ['GTD until seconds as text, as lists give them', { orderType: 'GTD', expiration: String(SOON) }, 200, String(SOON)],
  ['GTC until 0', { expiration: 0 }, 200, '0'],
  ['GTC until 0 as text', { expiration: '0' }, 200, '0'],
  ['GTC without one', {}, 200, '0'],
  ['GTC with one', { expiration: SOON }, 400, 'invalid_expiration'],
  ['GTD without one', { orderType: 'GTD' }, 400, 'invalid_expiration'],
  ['GTD until 0', { orderType: 'GTD', expiration: '0' }, 400, 'invalid_expiration'],
  ['GTD in less than a minute', { orderType: 'GTD', expiration: SOON - 3590 }, 400, 'invalid_expiration'],
  ['GTD in milliseconds', { orderType: 'GTD', expiration: SOON * 1000 }, 400, 'invalid_payload'],
  ['GTD until part of a second', { orderType: 'GTD', expiration: SOON + 0.5 }, 400, 'invalid_payload'],
  ['GTD until no number', { orderType: 'GTD', expiration: 'tomorrow' }, 400, 'invalid_payload'],
]

test.each(cases)(
  '%s is taken as documented, alone, in a batch, over tRPC and in the established dialect',
  async (_, more, status, told) => {
    const [single, batch, trpc] = [
      await alice.call('POST', '/order', order(more)),
      await alice.call('POST', '/orders', [order(more)]),
      await alice.call('POST', '/trpc/placeOrder', { body: order(more) }),
    ]
    const established = await compat.call('POST', '/order', order(more))
    expect([single.status, batch.status, trpc.status, established.status]).toEqual([status, 200, status, status])
    if (status === 200) {
      for (const id of [single.body.orderId, batch.body[0].orderID, trpc.body.result.data.orderId, established.body.orderID])
        expect((await alice.order(id)).expiration).toBe(told)
    } else {
      expect([single.body.code, batch.body[0].code, trpc.body.error.data.refusal.code, established.body.code]).toEqual(Array(4).fill(told))
    }
  },
)

test.each<[string, 'GTC' | 'GTD', unknown, number, string | null]>([
  ['GTD until a number of seconds', 'GTD', SOON, 200, String(SOON)],
  ['GTD until seconds as text', 'GTD', String(SOON), 200, String(SOON)],
  ['GTC until 0', 'GTC', 0, 200, '0'],
  ['GTC until 0 as text', 'GTC', '0', 200, '0'],
  ['GTC with one', 'GTC', SOON, 400, 'invalid_expiration'],
  ['GTD until part of a second', 'GTD', SOON + 0.5, 400, 'invalid_payload'],
  ['GTD until less than nothing', 'GTD', -SOON, 400, 'invalid_payload'],
])("%s of a wallet's order is taken as documented, on both surfaces", async (_, orderType, expiration, status, told) => {
  for (const caller of [alice, compat]) {
    const context = { wallet: wallets.alice, chainId: running.settings.chainId, apiKey: alice.key.key, tickSize: '0.01' }
    const { body } = await signOrder({ tokenId: market.yes, side: 'BUY', orderType: 'GTC', price: '0.2', size: '10' }, context)
    const { order: signed, ...beside } = body as { order: object }
    const answer = await caller.call('POST', '/order', { ...beside, orderType, order: { ...signed, expiration } })
    expect(answer.status).toBe(status)
    if (status === 200) expect((await alice.order(answer.body.orderID)).expiration).toBe(told)
    else expect(answer.body.code).toBe(told)
  }
})
