import { expect, test } from 'vitest'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '1000')
const bob = await funded(running.url, wallets.bob, '1000')
const market = await registerMarket(running, 'order-times')

const bid = async (): Promise<string> => (await alice.place(limit(market.yes, 'BUY', '0.4', '20'))).orderId
/** The same order as each of the ways to ask tells it. */
const everywhere = async (id: string) => [
  await alice.order(id),
  (await alice.call('POST', '/data/orders', [id])).body[0].order,
  ...(await alice.call('GET', '/data/orders')).body.data.filter((order: { id: string }) => order.id === id),
]
const times = async (id: string) => new Set((await everywhere(id)).map(({ updated_at }) => updated_at))
/** When the account was last told of the order. */
const told = async (id: string) => {
  const { data } = (await alice.call('GET', '/events?after=0')).body
  return data.findLast((event: { event_type: string; id: string }) => event.event_type === 'order' && event.id === id).updated_at
}

test('an order tells when it last changed: placed, filled in part, made smaller, cancelled', async () => {
  const id = await bid()
  const placed = await alice.order(id)
  expect(placed.updated_at).toBe(placed.created_at_iso)

  await bob.call('POST', '/order', { tokenId: market.no, side: 'BUY', orderType: 'FAK', price: '0.6', size: '5' })
  const [{ match_time_iso }] = (await alice.call('GET', '/data/trades')).body.data
  expect(await times(id)).toEqual(new Set([match_time_iso]))
  expect(match_time_iso >= placed.updated_at).toBe(true)

  const smaller = await alice.call('PATCH', '/order', { orderId: id, size: '15' })
  expect(smaller.body.updated_at >= match_time_iso).toBe(true)
  expect(await times(id)).toEqual(new Set([smaller.body.updated_at]))

  await alice.call('DELETE', '/order', { orderId: id })
  const ended = await times(id)
  expect(ended).toEqual(new Set([await told(id)]))
  expect([...ended][0] >= smaller.body.updated_at).toBe(true)
  await running.restart()
  expect(await times(id)).toEqual(ended)
})

test('one without fills does too', async () => {
  const id = await bid()
  const smaller = await alice.call('PATCH', '/order', { orderId: id, size: '10' })
  expect(await times(id)).toEqual(new Set([smaller.body.updated_at]))
  await alice.call('DELETE', '/order', { orderId: id })
  const [{ updated_at }] = await everywhere(id)
  expect([updated_at >= smaller.body.updated_at, updated_at]).toEqual([true, await told(id)])
})
