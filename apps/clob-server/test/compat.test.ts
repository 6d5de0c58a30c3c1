import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const compat = `${running.url}/compat`
const market = await registerMarket(running, 'compat')
const alice = await Caller.with(compat, (await funded(running.url, wallets.alice, '1000')).key)
const bob = await Caller.with(compat, (await funded(running.url, wallets.bob, '1000')).key)

const bid = (price: string, size = '10', tokenId = market.yes) => ({ tokenId, side: 'BUY', orderType: 'GTC', price, size })

test('an accepted order answers what it did, with empty amounts where that is nothing', async () => {
  const resting = await alice.call('POST', '/order', bid('0.4'))
  const orderID = expect.stringMatching(/^0x[0-9a-f]{64}$/)
  const nothing = { makingAmount: '', takingAmount: '', transactionsHashes: [], tradeIDs: [] }
  expect(resting.body).toEqual({ success: true, errorMsg: '', orderID, status: 'live', ...nothing })
  const taken = await bob.call('POST', '/orders', [bid('0.6', '5', market.no), bid('0.123'), { tokenId: '12' }])
  expect(taken.body).toEqual([
    {
      success: true,
      errorMsg: '',
      orderID,
      status: 'matched',
      makingAmount: '3',
      takingAmount: '5',
      transactionsHashes: [expect.any(String)],
      tradeIDs: [expect.any(String)],
    },
    { success: false, errorMsg: expect.stringContaining('minimum tick size'), orderID, status: '', ...nothing },
    { success: false, errorMsg: 'Invalid order payload', orderID: '', status: '', ...nothing, details: expect.any(Array) },
  ])
  await alice.call('DELETE', '/cancel-all')
})

test('books are whole and best last, and an unknown token has none', async () => {
  await alice.call(
    'POST',
    '/orders',
    Array.from({ length: 14 }, (_, index) => bid(`0.${11 + index}`)),
  )
  const { body } = await send(compat, 'POST', '/books', JSON.stringify([{ token_id: market.yes }, { token_id: '12' }]))
  expect(body).toHaveLength(1)
  expect(body[0].bids.map(({ price }: { price: string }) => price)).toEqual(
    Array.from({ length: 14 }, (_, index) => String(Number(`0.${11 + index}`))),
  )
  expect(body[0]).toEqual((await send(compat, 'GET', `/book?token_id=${market.yes}`)).body)
  await alice.call('DELETE', '/cancel-all')
})

test('what cannot be cancelled is answered with 200, and without other people’s orders', async () => {
  const { orderID } = await alice.place(bid('0.2'))
  const unknown = `0x${'12'.repeat(32)}`
  expect((await bob.call('DELETE', '/order', { orderID })).body).toEqual({ canceled: [], not_canceled: { [orderID]: 'order not found' } })
  expect((await alice.call('DELETE', '/order', { orderID })).body).toEqual({ canceled: [orderID], not_canceled: {} })
  const again = await alice.call('DELETE', '/order', { orderID })
  expect([again.status, again.body]).toEqual([200, { canceled: [], not_canceled: { [orderID]: 'already canceled or matched' } }])
  const many = await alice.call('DELETE', '/orders', [orderID, unknown])
  expect(many.body.not_canceled).toEqual({ [orderID]: 'already canceled or matched', [unknown]: 'order not found' })
})

test('limits have the names that those clients read', async () => {
  const carol = await Caller.with(compat, (await Caller.of(running.url, wallets.carol)).key)
  const { headers } = await carol.call('DELETE', '/order', { orderID: '0x12' })
  expect([headers.get('poly-ratelimit-tier'), headers.get('poly-ratelimit-remaining')]).toEqual([
    'standard',
    headers.get('ratelimit-remaining'),
  ])
  const reset = Number(headers.get('poly-ratelimit-reset')) - Date.now() / 1000
  expect(reset > 0 && reset <= 61).toBe(true)
  let last = headers
  while (Number(last.get('poly-ratelimit-remaining')) > 0) last = (await carol.call('DELETE', '/order', { orderID: '0x12' })).headers
  expect(last.get('poly-ratelimit-warning')).toBe(null) // it would say that the request is one too many
  const tooMany = await carol.call('DELETE', '/order', { orderID: '0x12' })
  expect([tooMany.status, tooMany.headers.get('poly-ratelimit-remaining'), Number(tooMany.headers.get('retry-after')) > 0]).toEqual([
    429,
    '0',
    true,
  ])
  expect((await carol.call('GET', '/v1/user/rate-limit-tier')).body).toEqual({ tier: 'standard' })
})

/** An order of Alice with a random signature. */
const unsigned = () => {
  const { address } = wallets.alice
  const [nothing, amounts] = [`0x${'00'.repeat(32)}`, { makerAmount: '4000000', takerAmount: '10000000', side: 'BUY' }]
  const about = { salt: 1, tokenId: market.yes, timestamp: String(Date.now()), metadata: nothing, builder: nothing }
  const order = { ...about, ...amounts, maker: address, signer: address, signatureType: 0, signature: `0x${'11'.repeat(65)}` }
  return { order, owner: alice.key.key, orderType: 'GTC' }
}

test.each([
  ['a request that is not signed', () => send(compat, 'GET', '/data/orders'), 401, 'Unauthorized/Invalid api key'],
  [
    'another mount in the signed path',
    async () => send(running.url, 'GET', '/compat/data/orders', undefined, await alice.headers('GET', '/other/data/orders')),
    401,
    'Unauthorized/Invalid api key',
  ],
  ['a wallet that did not sign', () => send(compat, 'POST', '/auth/api-key'), 401, 'Invalid L1 Request headers'],
  [
    'an order in no market',
    () => alice.call('POST', '/order', bid('0.4', '10', '12')),
    400,
    'No orderbook exists for the requested token id',
  ],
  ['a book of no market', () => send(compat, 'GET', '/book?token_id=12'), 404, 'No orderbook exists for the requested token id'],
  [
    'an order without money',
    () => alice.call('POST', '/order', bid('0.5', '100000')),
    400,
    expect.stringContaining('not enough balance / allowance'),
  ],
  ['an order that cannot be read', () => alice.call('POST', '/order', { order: {} }), 400, 'Invalid order payload'],
  ['orders that are none', () => alice.call('POST', '/orders', []), 400, 'Invalid order payload'],
  ['an order that its wallet did not sign', () => alice.call('POST', '/order', unsigned()), 400, 'invalid signature'],
  ['a cancel of what is no list', () => alice.call('DELETE', '/orders', {}), 400, 'Invalid order payload'],
  ['a cancel in no market', () => alice.call('DELETE', '/cancel-market-orders', {}), 400, 'Invalid order payload'],
  ['a cancel of nothing', () => alice.call('DELETE', '/order', {}), 400, 'Invalid orderID'],
  ['orders of an invalid address', () => alice.call('GET', '/data/orders?maker=zz'), 400, 'invalid order params payload'],
  ['trades since whenever', () => alice.call('GET', '/data/trades?after=x'), 400, 'Invalid trade params payload'],
  ['a book of nothing', () => send(compat, 'GET', '/book'), 400, 'Invalid token id'],
  ['a price of no side', () => send(compat, 'GET', `/price?token_id=${market.yes}&side=HOLD`), 400, 'Invalid side'],
  ['a balance of what is none', () => alice.call('GET', '/balance-allowance?asset_type=GOLD'), 400, 'Invalid asset type'],
  ['books of what is no list', () => send(compat, 'POST', '/books', '{}'), 400, 'Invalid payload'],
  ['a path that is none', () => send(compat, 'GET', '/nothing'), 404, 'Not found'],
  ['managing the venue', () => alice.call('POST', '/operator/pause'), 404, 'Not found'],
] as const)('%s is refused', async (_, call, status, error) => {
  const reply = await call()
  expect([reply.status, reply.body.error]).toEqual([status, error])
})

test('a stale heartbeat gets the id that would have been right', async () => {
  const { heartbeat_id } = (await alice.call('POST', '/v1/heartbeats', { heartbeat_id: '' })).body
  const stale = await alice.call('POST', '/v1/heartbeats', { heartbeat_id: 'x' })
  const told = { error: 'Invalid heartbeat id', error_msg: 'Invalid Heartbeat ID', code: 'stale_heartbeat', heartbeat_id }
  expect([stale.status, stale.body]).toEqual([400, told])
  expect((await alice.call('POST', '/v1/heartbeats', { heartbeat_id })).status).toBe(200)
  await alice.call('POST', '/cancel-after', { timeout_ms: 0 })
})

test('a heartbeat of older clients has no id and no body', async () => {
  const beat = (address: string) => Caller.with(address, alice.key).then((caller) => caller.call('POST', '/heartbeats'))
  for (const address of [compat, running.url]) {
    const { status, body } = await beat(address)
    expect([status, body]).toEqual([200, { status: 'ok' }])
  }
  expect((await alice.call('POST', '/v1/heartbeats', { heartbeat_id: '' })).status).toBe(200)
  await alice.call('POST', '/cancel-after', { timeout_ms: 0 })
})

test('a market that takes no orders is a 400 there', async () => {
  const operator = await Caller.of(running.url, wallets.operator, 'venue')
  const closed = await registerMarket(running, 'closed-for-compat')
  await operator.call('POST', `/operator/conditions/${closed.condition}/close`)
  const reply = await alice.call('POST', '/order', bid('0.4', '10', closed.yes))
  expect([reply.status, reply.body]).toMatchObject([
    400,
    { error: 'the market is not yet ready to process new orders', code: 'market_closed' },
  ])
  const [leg] = (await alice.call('POST', '/orders', [bid('0.4', '10', closed.yes)])).body
  expect(leg.errorMsg).toBe('the market is not yet ready to process new orders')
  const at = await Caller.with(running.url, alice.key)
  expect((await at.call('POST', '/order', bid('0.4', '10', closed.yes))).status).toBe(409)
})

test('what is the same in both dialects is the same', async () => {
  for (const path of [
    '/',
    '/ok',
    '/time',
    '/version',
    '/markets',
    `/midpoint?token_id=${market.yes}`,
    `/tick-size?token_id=${market.yes}`,
  ]) {
    const [there, here] = await Promise.all([send(compat, 'GET', path), send(running.url, 'GET', path)])
    expect([path, there.status]).toEqual([path, 200])
    const numbers = JSON.parse(JSON.stringify(here.body).replaceAll('"price":null', '"price":0')) // strict clients expect one
    if (path !== '/time') expect(there.body).toEqual(numbers)
  }
  expect((await alice.call('GET', '/data/orders')).body).toMatchObject({ data: [], next_cursor: 'LTE=' })
})
