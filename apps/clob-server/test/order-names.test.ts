import { eventually } from '@augury/testing/eventually'
import { expect, test } from 'vitest'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '10000')
const bob = await funded(running.url, wallets.bob, '10000')
const market = await registerMarket(running, 'order-names')

/** Places an order and returns what its owner calls it, and its ID. */
async function named(price = '0.20'): Promise<{ name: string; orderId: string }> {
  const order = limit(market.yes, 'BUY', price, '20')
  const { orderId } = await alice.place(order)
  return { name: order.clientOrderId, orderId }
}

test('an order is found by the name that its owner gave it', async () => {
  const { name, orderId } = await named()
  expect((await alice.call('GET', `/data/order/${name}`)).body).toMatchObject({ id: orderId, client_order_id: name })
  for (const query of [`client_order_id=${name}`, `id=${name}`, `id=${orderId.toUpperCase().replace('0X', '0x')}`]) {
    expect((await alice.call('GET', `/data/orders?${query}`)).body.data).toMatchObject([{ id: orderId }])
  }
  expect((await alice.call('GET', `/data/orders?client_order_id=${name}-other`)).body.data).toEqual([])
  expect((await alice.call('POST', '/data/orders', [name, `${name}-other`])).body).toMatchObject([
    { order_id: name, status: 200, order: { id: orderId } },
    { order_id: `${name}-other`, status: 404 },
  ])
  await alice.call('DELETE', '/cancel-all')
})

test.each([
  ['DELETE /order', (name: string) => alice.call('DELETE', '/order', { clientOrderId: name })],
  ['DELETE /order, as an order ID', (name: string) => alice.call('DELETE', '/order', { orderId: name })],
  ['DELETE /orders/{id}', (name: string) => alice.call('DELETE', `/orders/${name}`)],
  ['DELETE /orders', (name: string) => alice.call('DELETE', '/orders', [name])],
])('%s cancels an order by its name', async (_route, cancel) => {
  const { name, orderId } = await named()
  const { status, body } = await cancel(name)
  expect([status, body.canceled]).toEqual([200, [name]])
  expect(await alice.order(orderId)).toMatchObject({ state: 'cancelled' })
  expect((await cancel(name)).body.not_canceled).toEqual({ [name]: 'Order is already filled or cancelled' })
})

test('a cancel by the name of an order that still waits for its row cancels it', async () => {
  const { venue } = running.server.edge.context
  const [submit, opened] = [venue.submit.bind(venue), Promise.withResolvers<void>()]
  let submitted = 0
  venue.submit = async (command) => {
    submitted++
    await opened.promise
    return submit(command)
  }
  const order = limit(market.yes, 'BUY', '0.30', '20')
  const placing = alice.call('POST', '/order', order)
  await eventually(() => expect(submitted).toBe(1))
  const cancelling = alice.call('DELETE', '/order', { clientOrderId: order.clientOrderId })
  await eventually(() => expect(submitted).toBe(2))
  opened.resolve()
  Object.assign(venue, { submit })
  const [placed, cancelled] = await Promise.all([placing, cancelling])
  expect([placed.status, cancelled.status]).toEqual([200, 200])
  expect(await alice.order(placed.body.orderId)).toMatchObject({ state: 'cancelled' })
})

test('an order is made smaller, and replaced, by its name', async () => {
  const { name, orderId } = await named()
  expect((await alice.call('PATCH', '/order', { clientOrderId: name, size: '10' })).body).toMatchObject({
    id: orderId,
    original_size: '10',
  })
  const order = limit(market.yes, 'BUY', '0.21', '10')
  const { body } = await alice.call('POST', '/order/replace', { cancel: name, order })
  expect(body).toMatchObject({ canceled: [name], not_canceled: {}, order: { state: 'live', clientOrderId: order.clientOrderId } })
  await alice.call('DELETE', '/cancel-all')
})

test('a name that no order has keeps nothing else of its account waiting', async () => {
  const soon = Math.floor(Date.now() / 1000) + 5
  const late = { ...limit(market.yes, 'BUY', '0.2', '20'), orderType: 'GTD', expiration: soon } // whether it was sent before is looked up
  const replaced = await alice.call('POST', '/order/replace', { cancel: 'never-sent', order: late })
  expect([replaced.status, replaced.body.code]).toEqual([400, 'invalid_expiration'])
  expect((await alice.call('DELETE', '/orders', ['never-sent', 'constructor'])).body.not_canceled).toEqual(
    Object.fromEntries(['never-sent', 'constructor'].map((name) => [name, 'Order not found'])),
  )
  expect((await alice.place(limit(market.yes, 'BUY', '0.2', '20'))).status).toBe('live')
  await alice.call('DELETE', '/cancel-all')
})

test('a name is its account’s, in its own spelling', async () => {
  const { name } = await named()
  expect((await bob.call('DELETE', '/order', { clientOrderId: name })).status).toBe(404)
  expect((await bob.call('GET', `/data/order/${name}`)).status).toBe(404)
  const upper = limit(market.yes, 'BUY', '0.22', '20', { clientOrderId: 'Quote' })
  const lower = limit(market.yes, 'BUY', '0.23', '20', { clientOrderId: 'quote' })
  for (const order of [upper, lower]) await alice.place(order)
  expect((await alice.call('DELETE', '/orders', ['Quote', 'quote'])).body).toEqual({ canceled: ['Quote', 'quote'], not_canceled: {} })
  await alice.call('DELETE', '/cancel-all')
})

test('names are known after a restart, and an ended order is reported as ended', async () => {
  const [kept, ended] = [await named('0.24'), await named('0.25')]
  await alice.call('DELETE', '/order', { clientOrderId: ended.name })
  await running.restart()
  expect((await alice.call('DELETE', '/order', { clientOrderId: kept.name })).body.canceled).toEqual([kept.name])
  const again = await alice.call('DELETE', '/order', { clientOrderId: ended.name })
  expect([again.status, again.body.code]).toEqual([409, 'order_ended'])
})

test('a replacement by the order itself says that it was placed before, and nothing of conditions that were not set', async () => {
  const order = limit(market.yes, 'BUY', '0.26', '20')
  const { orderId } = await alice.place(order)
  const { body } = await alice.call('POST', '/order/replace', { cancel: orderId, order })
  expect(body).toMatchObject({
    canceled: [],
    not_canceled: { [orderId]: 'order is invalid. Duplicated.' },
    order: { replayed: true, orderId },
  })
})

test.each([
  ['nothing', {}, 'orderId is required'],
  ['an id and a name', { orderId: '0x1', clientOrderId: 'x' }, 'give either orderId or clientOrderId'],
])('a cancel of %s is refused', async (_what, body, problem) => {
  const reply = await alice.call('DELETE', '/order', body)
  expect(reply.status).toBe(400)
  expect(JSON.stringify(reply.body)).toContain(problem)
})
