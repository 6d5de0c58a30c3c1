import { expect, test } from 'vitest'
import { type Caller, send } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '100')
const bob = await funded(running.url, wallets.bob, '10000')
const market = await registerMarket(running, 'amending')

const reserved = async (caller: Caller) => (await caller.cash()).reserved
const cancelAll = () => Promise.all([alice, bob].map((caller) => caller.call('DELETE', '/cancel-all')))
const code = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

test('an order made smaller keeps its place, and holds exactly less', async () => {
  const first = await alice.place(limit(market.yes, 'BUY', '0.4', '20'))
  const behind = await bob.place(limit(market.yes, 'BUY', '0.4', '20'))
  const amended = await alice.call('PATCH', '/order', { orderId: first.orderId, size: '12.5' })
  expect([amended.status, amended.body]).toEqual([
    200,
    expect.objectContaining({ id: first.orderId, state: 'live', original_size: '12.5', remaining_size: '12.5', price: '0.4' }),
  ])
  expect(await reserved(alice)).toBe('5000000')
  const carol = await funded(running.url, wallets.carol, '1000')
  expect((await carol.place(limit(market.no, 'BUY', '0.6', '15'))).state).toBe('filled')
  expect(await alice.order(first.orderId)).toMatchObject({ state: 'filled', size_matched: '12.5' })
  expect(await bob.order(behind.orderId)).toMatchObject({ state: 'partially_filled', size_matched: '2.5' })
  await cancelAll()
})

test('the same change twice is one change, also by the name of the order', async () => {
  const order = limit(market.yes, 'BUY', '0.3', '20')
  const { orderId } = await alice.place(order)
  const change = { clientOrderId: order.clientOrderId, size: '10' }
  for (const _ of [1, 2]) {
    const { status, body } = await alice.call('PATCH', '/order', change)
    expect([status, body.id, body.original_size]).toEqual([200, orderId, '10'])
  }
  expect(await reserved(alice)).toBe('3000000')
  await cancelAll()
})

test('an order that was filled in part names its trades when it is made smaller, and when that is said again', async () => {
  const { orderId } = await alice.place(limit(market.yes, 'BUY', '0.3', '20'))
  const { tradeIDs } = await bob.place(limit(market.no, 'BUY', '0.7', '5'))
  const first = await alice.call('PATCH', '/order', { orderId, size: '10' })
  expect(first.body).toMatchObject({ size_matched: '5', remaining_size: '5', associate_trades: tradeIDs })
  expect((await alice.call('PATCH', '/order', { orderId, size: '10' })).body).toEqual(first.body)
  expect(await alice.order(orderId)).toEqual(first.body)
  await cancelAll()
})

test('who makes an order too small hears how small it may be', async () => {
  const { orderId } = await alice.place(limit(market.yes, 'BUY', '0.2', '20'))
  const { body } = await alice.call('PATCH', '/order', { orderId, size: '4.99' })
  expect(body.error).toBe(`order ${orderId} is invalid. Size (4.99) lower than the minimum: 5`)
  await bob.place(limit(market.no, 'BUY', '0.8', '7'))
  const part = await alice.call('PATCH', '/order', { orderId, size: '7' }) // what was filled stays, and something has to be left
  expect(part.body.error).toBe(`order ${orderId} is invalid. Size (7) lower than the minimum: 7.01`)
  await cancelAll()
})

test.each([
  ['more of it', (id: string) => ({ orderId: id, size: '21' }), 400, 'not_smaller'],
  ['less than the market allows', (id: string) => ({ orderId: id, size: '4.99' }), 400, 'size_too_small'],
  ['a part of a lot', (id: string) => ({ orderId: id, size: '10.001' }), 400, 'invalid_amount_precision'],
  ['more than can be counted', (id: string) => ({ orderId: id, size: '90071992547409.92' }), 400, 'size_too_large'],
  ['two names of two orders', (id: string) => ({ orderId: id, orderID: '0x1', size: '10' }), 400, 'invalid_payload'],
  ['an id and a name', (id: string) => ({ orderId: id, clientOrderId: 'x', size: '10' }), 400, 'invalid_payload'],
  ['no order', () => ({ size: '10' }), 400, 'invalid_payload'],
  ['an order that never was', () => ({ orderId: '0x1', size: '10' }), 404, 'order_not_found'],
  ['an unknown name', () => ({ clientOrderId: 'unknown', size: '10' }), 404, 'order_not_found'],
])('an order is not changed to %s', async (_, body, status, refusal) => {
  const { orderId } = await alice.place(limit(market.yes, 'BUY', '0.2', '20'))
  expect(code(await alice.call('PATCH', '/order', body(orderId)))).toEqual([status, refusal])
  expect(await alice.order(orderId)).toMatchObject({ state: 'live', original_size: '20' })
  await cancelAll()
})

test('an order of another account, or one that has ended, cannot be changed', async () => {
  const { orderId } = await alice.place(limit(market.yes, 'BUY', '0.2', '20'))
  expect(code(await bob.call('PATCH', '/order', { orderId, size: '10' }))).toEqual([403, 'order_not_owned'])
  await alice.call('DELETE', '/order', { orderId })
  const { status, body } = await alice.call('PATCH', '/order', { orderId, size: '10' })
  expect([status, body]).toEqual([409, { error: 'Order is already filled or cancelled', code: 'order_ended', state: 'cancelled' }])
})

test('all one has can be quoted anew in one step: what the old order holds counts for the new one', async () => {
  const { body } = await alice.call('GET', '/balance-allowance?asset_type=COLLATERAL')
  const lots = Math.floor(Number(body.available) / 5000)
  const old = await alice.place(limit(market.yes, 'BUY', '0.5', (lots / 100).toFixed(2)))
  const next = limit(market.yes, 'BUY', '0.49', (lots / 100).toFixed(2), { clientOrderId: crypto.randomUUID() })
  expect(code(await alice.call('POST', '/order', { ...next, clientOrderId: crypto.randomUUID() }))).toEqual([400, 'insufficient_balance'])
  const replaced = await alice.call('POST', '/order/replace', { cancel: old.orderId, order: next })
  expect([replaced.status, replaced.body]).toEqual([
    200,
    { success: true, canceled: [old.orderId], not_canceled: {}, order: expect.objectContaining({ state: 'live' }) },
  ])
  expect(await reserved(alice)).toBe(String(lots * 4900))
  expect(await alice.order(old.orderId)).toMatchObject({ state: 'cancelled', cancel_reason: 'amend_replaced' })

  const again = await alice.call('POST', '/order/replace', { cancel: old.orderId, order: next })
  const order = { ...replaced.body.order, replayed: true }
  expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', { ...replaced.body, order }])
  await cancelAll()
})

test('a new order that is refused or rejected leaves the old one as it was', async () => {
  const { orderId } = await alice.place(limit(market.yes, 'BUY', '0.3', '20'))
  await bob.place(limit(market.no, 'BUY', '0.5', '20'))
  for (const [order, refusal] of [
    [limit(market.yes, 'BUY', '0.305', '20'), 'invalid_price_tick'],
    [limit(market.yes, 'BUY', '0.9', '1000'), 'insufficient_balance'],
    [limit(market.yes, 'BUY', '0.6', '20', { postOnly: true }), 'post_only_would_cross'],
    [limit(market.yes, 'BUY', '0.2', '20', { orderType: 'FOK' }), 'fok_not_filled'],
  ] as const) {
    expect((await alice.call('POST', '/order/replace', { cancel: orderId, order })).body.code).toBe(refusal)
  }
  expect(await alice.order(orderId)).toMatchObject({ state: 'live', remaining_size: '20' })
  expect(await reserved(alice)).toBe('6000000')
  await cancelAll()
})

test('without the old order nothing happens, unless that is allowed; an order of another account is never passed over', async () => {
  const order = limit(market.yes, 'BUY', '0.3', '20')
  const stopped = await alice.call('POST', '/order/replace', { cancel: '0x1', order })
  expect([stopped.status, stopped.body]).toEqual([
    404,
    { error: 'Order not found', code: 'order_not_found', canceled: [], not_canceled: { '0x1': 'Order not found' } },
  ])
  const allowed = await alice.call('POST', '/order/replace', { cancel: '0x1', order, mode: 'allow_failure' })
  expect(allowed.body).toMatchObject({ success: true, canceled: [], not_canceled: { '0x1': 'Order not found' }, order: { state: 'live' } })
  const { orderId } = await bob.place(limit(market.yes, 'BUY', '0.1', '20'))
  const theirs = { cancel: orderId, order: limit(market.yes, 'BUY', '0.2', '20'), mode: 'allow_failure' }
  expect(code(await alice.call('POST', '/order/replace', theirs))).toEqual([403, 'order_not_owned'])
  await cancelAll()
})

test('what an earlier replacement took is not taken again', async () => {
  const old = (await alice.place(limit(market.yes, 'BUY', '0.3', '20'))).orderId
  const [first, second] = ['0.2', '0.1'].map((price) => limit(market.yes, 'BUY', price, '20', { clientOrderId: crypto.randomUUID() })) as [
    object,
    object,
  ]
  const ask = async (order: object) => (await alice.call('POST', '/order/replace', { cancel: old, order, mode: 'allow_failure' })).body
  const took = { canceled: [old], not_canceled: {} }
  const found = { canceled: [], not_canceled: { [old]: 'Order is already filled or cancelled' } }
  expect(await ask(first)).toMatchObject(took)
  expect(await ask(second)).toMatchObject(found)
  expect([await ask(first), await ask(second)]).toEqual([expect.objectContaining(took), expect.objectContaining(found)])
  await cancelAll()
})

test('who saw how much of an order was filled replaces that or nothing, and asks again with what is true by now', async () => {
  const { orderId } = await alice.place(limit(market.yes, 'BUY', '0.3', '20'))
  const ask = (size_matched: string, size: string) =>
    alice.call('POST', '/order/replace', {
      ...{ cancel: orderId, only_if: { size_matched } },
      order: limit(market.yes, 'BUY', '0.29', size, { clientOrderId: 'once' }),
    })
  await bob.place(limit(market.no, 'BUY', '0.7', '5'))
  const unmet = await ask('0', '20')
  expect(code(unmet)).toEqual([409, 'only_if_unmet'])
  expect(unmet.body).toMatchObject({ state: 'partially_filled', canceled: [], not_canceled: { [orderId]: expect.any(String) } })
  const met = await ask('5', '15')
  expect(met.body).toMatchObject({ success: true, canceled: [orderId], order: { state: 'live', remaining_size: '15' } })
  const again = await ask('5', '15')
  const order = { ...met.body.order, replayed: true }
  expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', { ...met.body, order }])
  expect(code(await ask('5', '16'))).toEqual([409, 'client_order_id_conflict'])
  await cancelAll()
})

test.each([
  ['unfilled', false, 200, undefined],
  ['unfilled', true, 409, 'only_if_unmet'],
  ['partially_filled', false, 409, 'only_if_unmet'],
  ['partially_filled', true, 200, undefined],
  ['any', true, 200, undefined],
  [{ size_matched: '0' }, false, 200, undefined],
  [{ size_matched: '0' }, true, 409, 'only_if_unmet'],
  [{ size_matched: '5' }, false, 409, 'only_if_unmet'],
  [{ size_matched: '5.00' }, true, 200, undefined],
  [{ size_matched: '4.99' }, true, 409, 'only_if_unmet'],
  [{ size_matched: '5.001' }, true, 400, 'invalid_amount_precision'],
  [{ size_matched: '90071992547409.92' }, true, 400, 'size_too_large'],
  [{ size_matched: '-1' }, true, 400, 'invalid_payload'],
  [{}, true, 400, 'invalid_payload'],
])('only_if %j, partly filled %s: %i', async (only_if, partly, status, refusal) => {
  const { orderId } = await alice.place(limit(market.yes, 'BUY', '0.3', '20'))
  if (partly) await bob.place(limit(market.no, 'BUY', '0.7', '5'))
  const replaced = await alice.call('POST', '/order/replace', { cancel: orderId, order: limit(market.yes, 'BUY', '0.2', '10'), only_if })
  expect(code(replaced)).toEqual([status, refusal])
  expect((await alice.order(orderId)).state).toBe(status === 200 ? 'cancelled' : partly ? 'partially_filled' : 'live')
  await cancelAll()
})

test('a GTD order lives a minute at least', async () => {
  const now = (await send(running.url, 'GET', '/time')).body
  const gtd = (expiration: number) => alice.call('POST', '/order', limit(market.yes, 'BUY', '0.1', '10', { orderType: 'GTD', expiration }))
  expect(code(await gtd(now + 59))).toEqual([400, 'invalid_expiration'])
  expect(code(await gtd(now + 62))).toEqual([200, undefined])
  await cancelAll()
})
