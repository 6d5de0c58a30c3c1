import { LookUps } from '@augury/venue/serve/state/look-ups'
import { expect, test } from 'vitest'
import { Caller, type Reply } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '10000')
const bob = await funded(running.url, wallets.bob, '10000')
const market = await registerMarket(running, 'cancelling')

async function resting(caller = alice, tokenId = market.yes, price = '0.20'): Promise<string> {
  const { state, orderId } = await caller.place(limit(tokenId, 'BUY', price, '10'))
  expect(state).toBe('live')
  return orderId
}

const unknown = `0x${'12'.repeat(32)}`

/** Asks again while the answer comes from before the count: a writer that could not renew its lease in time turns everybody away uncounted. */
async function untilCounted(ask: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await ask()
    if (reply.headers.has('ratelimit')) return reply
  }
}

test('the answer has what was done, whatever history cannot say of an order beside it', async () => {
  const { context } = running.server.edge
  const { lookUps, venue } = context
  const late = { readModel: venue.readModel, status: () => ({ ...venue.status(), lagSeconds: 301 }) }
  const lagging = 'History is catching up. Try again in a moment.'
  const [id, kept] = [await resting(), await resting()]
  context.lookUps = new LookUps(late)
  const some = await alice.call('DELETE', '/orders', [unknown, id])
  const none = await alice.call('DELETE', '/orders', [unknown, id])
  const order = { tokenId: market.yes, side: 'BUY', orderType: 'GTC', price: '0.2', size: '10' }
  const replaced = await alice.call('POST', '/order/replace', { cancel: unknown, order, mode: 'allow_failure' })
  const stopped = await alice.call('POST', '/order/replace', { cancel: unknown, order: { ...order, size: '11' } })
  Object.assign(context, { lookUps })
  expect([some.status, some.body]).toEqual([200, { canceled: [id], not_canceled: { [unknown]: lagging } }])
  expect([none.status, none.body.code, stopped.status, stopped.body.code]).toEqual([503, 'read_model_lagging', 503, 'read_model_lagging'])
  expect([replaced.status, replaced.body]).toMatchObject([
    200,
    { canceled: [], not_canceled: { [unknown]: lagging }, order: { state: 'live' } },
  ])
  expect((await alice.call('DELETE', '/cancel-all')).body.canceled.sort()).toEqual([kept, replaced.body.order.orderId].sort())
})

test('an open order is cancelled once, by body or by path', async () => {
  const id = await resting()
  const first = await alice.call('DELETE', '/order', { orderId: id })
  expect([first.status, first.body]).toEqual([
    200,
    {
      success: true,
      canceled: [id],
      not_canceled: {},
      order: { orderId: id, state: 'cancelled', size_matched: '0', remaining_size: '10' },
    },
  ])
  const again = await alice.call('DELETE', '/order', { orderID: id })
  const text = 'Order is already filled or cancelled'
  expect([again.status, again.body]).toEqual([
    409,
    { error: text, code: 'order_ended', canceled: [], not_canceled: { [id]: text }, state: 'cancelled' },
  ])
  const byPath = await alice.call('DELETE', `/orders/${await resting()}`)
  expect([byPath.status, byPath.body.success]).toEqual([200, true])
})

test('the rest of a partly filled order is cancelled; a filled one is not', async () => {
  const id = await resting(alice, market.yes, '0.30')
  await bob.call('POST', '/order', { tokenId: market.no, side: 'BUY', orderType: 'FAK', price: '0.70', size: '6' })
  expect((await alice.call('GET', `/data/order/${id}`)).body).toMatchObject({
    state: 'partially_filled',
    size_matched: '6',
    remaining_size: '4',
  })
  expect((await alice.call('DELETE', '/order', { orderId: id })).body.order).toEqual({
    orderId: id,
    state: 'cancelled',
    size_matched: '6',
    remaining_size: '4',
  })
  const filled = await resting(alice, market.yes, '0.30')
  await bob.call('POST', '/order', { tokenId: market.no, side: 'BUY', orderType: 'FAK', price: '0.70', size: '10' })
  expect(await alice.call('DELETE', '/order', { orderId: filled })).toMatchObject({
    status: 409,
    body: { code: 'order_ended', state: 'filled' },
  })
})

test.each([
  ['an unknown id', () => alice, unknown, 404, 'Order not found'],
  ['a text that is no id', () => alice, 'hello', 404, 'Order not found'],
])('%s', async (_, caller, orderId, status, error) => {
  const reply = await caller().call('DELETE', '/order', { orderId })
  expect([reply.status, reply.body]).toEqual([status, { error, code: 'order_not_found', canceled: [], not_canceled: { [orderId]: error } }])
})

test('an order of another account stays as it is', async () => {
  const id = await resting()
  const reply = await bob.call('DELETE', '/order', { orderId: id })
  const text = 'Order belongs to another user'
  expect([reply.status, reply.body]).toEqual([403, { error: text, code: 'order_not_owned', canceled: [], not_canceled: { [id]: text } }])
  expect((await alice.call('GET', `/data/order/${id}`)).body.state).toBe('live')
  expect((await bob.call('GET', `/data/order/${id}`)).status).toBe(403)
  expect((await bob.call('POST', '/data/orders', [id, unknown, id])).body).toEqual([
    { order_id: id, status: 403, error: text },
    { order_id: unknown, status: 404, error: 'Order not found' },
  ])
})

test('both spellings of the id must agree', async () => {
  const id = await resting()
  expect((await alice.call('DELETE', '/order', { orderId: id, orderID: unknown })).body.code).toBe('invalid_payload')
  expect((await alice.call('DELETE', '/order', {})).status).toBe(400)
  expect((await alice.call('DELETE', '/order')).status).toBe(400)
  expect((await alice.call('DELETE', '/order', { orderId: id, orderID: id })).status).toBe(200)
})

test('many at once: each on its own', async () => {
  const [one, two] = [await resting(), await resting()]
  const reply = await alice.call('DELETE', '/orders', [one, unknown, two, one])
  expect([reply.status, reply.body]).toEqual([200, { canceled: [one, two], not_canceled: { [unknown]: 'Order not found' } }])
  expect((await alice.call('DELETE', '/orders', [])).body).toEqual({ canceled: [], not_canceled: {} })
  expect((await alice.call('POST', '/data/orders', [])).body).toEqual([])
  const tooMany = await alice.call('DELETE', '/orders', Array(1001).fill(unknown))
  expect([tooMany.status, tooMany.body.code]).toEqual([400, 'too_many_items'])
})

test('the answer has an order under the id that was sent, however it was spelt', async () => {
  const [one, two, three] = [await resting(), await resting(), await resting()]
  const loud = (id: string) => `0x${id.slice(2).toUpperCase()}`
  expect((await alice.call('DELETE', '/order', { orderID: loud(one), orderId: one })).body).toMatchObject({
    canceled: [one],
    order: { orderId: one, state: 'cancelled' },
  })
  expect((await alice.call('DELETE', `/orders/${loud(one)}`)).body).toMatchObject({
    code: 'order_ended',
    not_canceled: { [loud(one)]: 'Order is already filled or cancelled' },
  })
  const batch = await alice.call('DELETE', '/orders', [loud(two), loud(one), two, 'NoSuch'])
  expect(batch.body).toEqual({
    canceled: [loud(two)],
    not_canceled: { [loud(one)]: 'Order is already filled or cancelled', NoSuch: 'Order not found' },
  })
  const rows = (await alice.call('POST', '/data/orders', [loud(two), two, 'NoSuch'])).body
  expect(rows).toMatchObject([
    { order_id: loud(two), order: { id: two } },
    { order_id: 'NoSuch', status: 404 },
  ])
  expect((await alice.call('POST', '/orders-scoring', ['0xAB'])).body).toEqual({ '0xAB': false })
  const order = limit(market.yes, 'BUY', '0.21', '10')
  const replaced = await alice.call('POST', '/order/replace', { cancel: loud(three), order })
  expect(replaced.body).toMatchObject({ canceled: [loud(three)], not_canceled: {} })
  const compat = await Caller.with(`${running.url}/compat`, alice.key)
  expect((await compat.call('DELETE', '/order', { orderID: loud(three) })).body).toEqual({
    canceled: [],
    not_canceled: { [loud(three)]: 'already canceled or matched' },
  })
  await alice.call('DELETE', '/cancel-all')
})

test('all of an account, or all of a market or token', async () => {
  const other = await registerMarket(running, 'cancelling-other')
  await alice.call('DELETE', '/cancel-all')
  const [yes, no, elsewhere] = [await resting(), await resting(alice, market.no), await resting(alice, other.yes)]
  const bobs = await resting(bob)
  expect((await alice.call('DELETE', '/cancel-market-orders', { asset_id: market.no })).body).toEqual({ canceled: [no], not_canceled: {} })
  expect((await alice.call('DELETE', '/cancel-market-orders', { market: market.condition })).body).toEqual({
    canceled: [yes],
    not_canceled: {},
  })
  for (const body of [{ market: unknown }, { market: unknown, asset_id: '' }]) {
    expect((await alice.call('DELETE', '/cancel-market-orders', body)).body).toEqual({ canceled: [], not_canceled: {} })
  }
  const nothing = await alice.call('DELETE', '/cancel-market-orders', { market: '', asset_id: '' })
  expect([nothing.status, nothing.body.code]).toEqual([400, 'invalid_payload'])
  expect((await alice.call('DELETE', '/cancel-all')).body).toEqual({ canceled: [elsewhere], not_canceled: {} })
  expect((await bob.call('GET', `/data/order/${bobs}`)).body.state).toBe('live')
})

test('a hundred cancels a minute, exactly, however they are sent, and never for what ends everything', async () => {
  const carol = await funded(running.url, wallets.carol, '1') // of who has nothing no cancel is written down, nor counted after a restart
  const second = await Caller.of(running.url, wallets.carol, undefined, 1n)
  const attempts = Array.from({ length: 130 }, (_, index) => {
    const caller = index % 2 ? carol : second
    const [target, body] = index % 3 ? ['/order', { orderId: unknown }] : [`/orders/${unknown}`]
    return untilCounted(() => caller.call('DELETE', target as string, body))
  })
  const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort()
  expect(statuses).toEqual([...Array(100).fill(404), ...Array(30).fill(429)])

  const refused = await carol.call('DELETE', '/order', 'not even JSON')
  expect([refused.status, refused.body]).toEqual([429, { error: 'Too Many Requests', code: 'rate_limited' }])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.headers.get('ratelimit-policy')).toBe('"cancel";q=100;w=60')
  expect(refused.headers.get('ratelimit')).toMatch(/^"cancel";r=0;t=\d+$/)
  expect((await carol.call('DELETE', '/cancel-all')).status).toBe(200)
  expect((await alice.call('DELETE', '/order', { orderId: unknown })).status).toBe(404)
  const batch = Array.from({ length: 150 }, (_, index) => `${unknown}${index}`)
  expect(Object.keys((await bob.call('DELETE', '/orders', batch)).body.not_canceled)).toHaveLength(150)

  await running.restart()
  expect((await carol.call('DELETE', '/order', { orderId: unknown })).status).toBe(429)
  expect((await bob.call('DELETE', '/order', { orderId: unknown })).status).toBe(404) // a batch is another budget
})

test('one that was refused before it was understood counts too', async () => {
  const operator = await Caller.of(running.url, wallets.operator)
  const counted: [number, string | null][] = []
  for (const body of ['{', { orderId: unknown }, '', { orderId: 1 }]) {
    const { status, headers } = await untilCounted(() => operator.call('DELETE', '/order', body))
    counted.push([status, headers.get('ratelimit')!.split(';')[1]!])
  }
  expect(counted).toEqual([
    [400, 'r=99'],
    [404, 'r=98'],
    [400, 'r=97'],
    [400, 'r=96'],
  ])
})
