import { expect, test } from 'vitest'
import { type Caller, send } from './caller.ts'
import { funded, unnamedLimit as limit, registerMarket, type TestMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

// The same order sent again, and what tells two orders apart.

let markets = 0

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '10000')
const bob = await funded(running.url, wallets.bob, '10000')

const market = (changes?: Record<string, unknown>): Promise<TestMarket> => registerMarket(running, `again-${++markets}`, changes)

const book = async (token: string) => {
  const { body } = await send(running.url, 'GET', `/orderbook?token_id=${token}`)
  return { bids: body.bids, asks: body.asks }
}

test('a named order sent again is the same order; another order under its name is refused', async () => {
  const { yes } = await market()
  const order = limit(yes, 'BUY', '0.30', '10', { clientOrderId: 'named-once' })
  const first = await alice.call('POST', '/order', order)
  const again = await alice.call('POST', '/order', order)
  expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([200, 'true', { ...first.body, replayed: true }])
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  const other = await alice.call('POST', '/order', { ...order, size: '11' })
  expect([other.status, other.body.code]).toEqual([409, 'client_order_id_conflict'])
  expect((await book(yes)).bids).toEqual([{ price: '0.3', size: '10' }])
  const bobs = await bob.call('POST', '/order', order)
  expect(bobs.status).toBe(200)
})

test.each([
  ['its owner', {}, (caller: Caller, _no: string, orderId: string) => caller.call('PATCH', '/order', { orderId, size: '8' })],
  [
    'another order of its owner',
    { stp: 'decrement' },
    (caller: Caller, no: string) => caller.call('POST', '/order', limit(no, 'BUY', '0.7', '12', { stp: 'decrement' })),
  ],
])('an order sent again is reported as it is now, after %s made it smaller', async (_by, terms, shrink) => {
  const { yes, no } = await market()
  const order = limit(yes, 'BUY', '0.3', '20', { ...terms, clientOrderId: crypto.randomUUID() })
  const place = () => bob.place(order)
  const first = await place()
  await shrink(bob, no, first.orderId)
  expect((await bob.call('GET', `/data/order/${first.orderId}`)).body.remaining_size).toBe('8')
  expect(await place()).toEqual({ ...first, remaining_size: '8', replayed: true })
})

test('equal requests of one second that nothing tells apart: the second is refused, and legs of one batch are several orders', async () => {
  const { yes } = await market()
  const text = JSON.stringify([limit(yes, 'BUY', '0.20', '10'), limit(yes, 'BUY', '0.20', '10')])
  const headers = { ...(await alice.headers('POST', '/orders', text)), 'content-type': 'application/json' }
  const [first, again] = [
    await send(running.url, 'POST', '/orders', text, headers),
    await send(running.url, 'POST', '/orders', text, headers),
  ]
  const ids = first.body.map((leg: { orderId: string }) => leg.orderId)
  expect(new Set(ids).size).toBe(2)
  const duplicate = (orderID: string) => expect.objectContaining({ success: false, code: 'duplicate_order', orderID, state: 'live' })
  expect(again.body).toEqual(ids.map(duplicate))
  expect((await book(yes)).bids).toEqual([{ price: '0.2', size: '20' }])
})

test('an Idempotency-Key tells equal requests of one second apart, and a retry from another request', async () => {
  const { yes } = await market()
  const legs = [limit(yes, 'BUY', '0.20', '10'), limit(yes, 'BUY', '0.20', '10')]
  const place = (key: string, body: unknown = legs) => alice.call('POST', '/orders', body, { headers: { 'idempotency-key': key } })
  const [one, two] = [await place('by-key'), await place('k'.repeat(200))]
  const again = await place('by-key')
  expect(again.body).toEqual(one.body.map((leg: object) => ({ ...leg, replayed: true })))
  expect(one.body.map((leg: { clientOrderId: string }) => leg.clientOrderId)).toEqual(['by-key', 'by-key#1'])
  expect(two.body.map((leg: { clientOrderId: string }) => leg.clientOrderId.length)).toEqual([64, 64])
  const other = await place('by-key', limit(yes, 'BUY', '0.20', '11'))
  expect([other.status, other.body.code]).toEqual([409, 'client_order_id_conflict'])
  expect((await book(yes)).bids).toEqual([{ price: '0.2', size: '40' }])
})

test('what is said to be live is open: an order that ended is reported as ended, also after new liquidity', async () => {
  const { yes, no } = await market()
  const quote = limit(yes, 'BUY', '0.10', '10', { clientOrderId: crypto.randomUUID() })
  await alice.place(quote)
  await alice.call('DELETE', '/cancel-all')
  const again = await alice.call('POST', '/order', quote)
  expect(again.body).toMatchObject({ success: true, replayed: true, state: 'cancelled', status: 'unmatched', size_matched: '0' })
  const market5 = { tokenId: yes, side: 'BUY', orderType: 'FAK', amount: '5', price: '0.2', clientOrderId: crypto.randomUUID() }
  const killed = await alice.call('POST', '/order', market5)
  expect([killed.status, killed.body.code, killed.body.replayed]).toEqual([400, 'fak_no_match', undefined])
  await bob.place(limit(no, 'BUY', '0.80', '50'))
  const replayed = await alice.call('POST', '/order', market5)
  expect([replayed.status, replayed.body]).toEqual([400, { ...killed.body, replayed: true }])
  const { clientOrderId: _, ...unnamed } = market5
  expect((await alice.call('POST', '/order', unnamed)).body).toMatchObject({ state: 'filled', status: 'matched' })
})

test('an order that was filled since is reported with its fills', async () => {
  const { yes, no } = await market()
  const quote = limit(yes, 'BUY', '0.40', '10', { clientOrderId: crypto.randomUUID() })
  await alice.place(quote)
  await bob.place(limit(no, 'BUY', '0.60', '5'))
  const told = await alice.place(quote)
  expect(told).toMatchObject({ replayed: true, state: 'partially_filled', status: 'matched', makingAmount: '2', takingAmount: '5' })
  expect([told.remaining_size, told.avg_price, told.tradeIDs.length, told.transactionsHashes.length]).toEqual(['5', '0.4', 1, 1])
})
