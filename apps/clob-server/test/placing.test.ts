import { expect, test } from 'vitest'
import { type Caller, send } from './caller.ts'
import { funded, unnamedLimit as limit, registerMarket, type TestMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

let markets = 0

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '10000')
const bob = await funded(running.url, wallets.bob, '10000')

const market = (changes?: Record<string, unknown>): Promise<TestMarket> => registerMarket(running, `market-${++markets}`, changes)

const shares = async (caller: Caller, token: string) =>
  (await caller.call('GET', `/balance-allowance?asset_type=CONDITIONAL&token_id=${token}`)).body
const book = async (token: string) => {
  const { body } = await send(running.url, 'GET', `/orderbook?token_id=${token}`)
  return { bids: body.bids, asks: body.asks }
}

test('an order without a counterparty rests, and holds exactly what it may cost', async () => {
  const { yes, condition } = await market()
  const before = await alice.cash()
  const { status, body } = await alice.call('POST', '/order', limit(yes, 'BUY', '0.42', '10', { clientOrderId: 'first' }))
  expect(status).toBe(200)
  expect(body).toEqual({
    ...{
      success: true,
      errorMsg: '',
      orderID: body.orderId,
      orderId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      state: 'live',
      status: 'live',
    },
    ...{ makingAmount: '0', takingAmount: '0', transactionsHashes: [], tradeIDs: [], clientOrderId: 'first', seq: expect.any(Number) },
    ...{ size_matched: '0', remaining_size: '10', avg_price: null, fee: '0' },
  })
  expect(await alice.cash()).toMatchObject({ balance: before.balance, reserved: String(Number(before.reserved) + 4_200_000) })
  expect((await alice.call('GET', `/data/order/${body.orderId}`)).body).toMatchObject({
    ...{
      id: body.orderId,
      state: 'live',
      status: 'LIVE',
      owner: alice.key.key,
      maker_address: wallets.alice.address,
      market: condition,
      asset_id: yes,
    },
    ...{
      side: 'BUY',
      outcome: 'Yes',
      original_size: '10',
      size_matched: '0',
      remaining_size: '10',
      price: '0.42',
      order_type: 'GTC',
      post_only: false,
    },
    ...{ client_order_id: 'first', expiration: '0', cancel_reason: null, seq: body.seq },
  })
  expect((await alice.call('GET', `/data/orders?market=${condition}`)).body).toMatchObject({
    count: 1,
    next_cursor: 'LTE=',
    data: [{ id: body.orderId }],
  })
  expect((await alice.call('GET', '/holds')).body).toContainEqual({
    order_id: body.orderId,
    asset: 'USDC',
    amount: '4200000',
    reason: 'order',
  })
})

test.each(['expire_taker', 'expire_both', 'decrement'])(
  'an order that ends at an own one under %s says that it neither rests nor matched',
  async (stp) => {
    const { yes, no } = await market()
    await alice.call('POST', '/order', limit(yes, 'BUY', '0.40', '10'))
    const { status, body } = await alice.call('POST', '/order', limit(no, 'BUY', '0.60', '10', { stp }))
    expect([status, body]).toMatchObject([200, { state: 'cancelled', status: 'unmatched', size_matched: '0', tradeIDs: [] }])
  },
)

test('two buyers of opposite outcomes meet by minting; sellers of both by merging', async () => {
  const { yes, no, condition } = await market()
  await alice.call('POST', '/order', limit(yes, 'BUY', '0.60', '50'))
  const mint = await bob.call('POST', '/order', limit(no, 'BUY', '0.45', '50'))
  expect(mint.body).toMatchObject({
    state: 'filled',
    status: 'matched',
    makingAmount: '20',
    takingAmount: '50',
    avg_price: '0.4',
    size_matched: '50',
    remaining_size: '0',
  })
  expect(mint.body.transactionsHashes).toHaveLength(1)
  expect(await shares(alice, yes)).toMatchObject({ balance: '50000000' })
  expect(await shares(bob, no)).toMatchObject({ balance: '50000000' })

  await alice.call('POST', '/order', limit(yes, 'SELL', '0.55', '20'))
  const merge = await bob.call('POST', '/order', limit(no, 'SELL', '0.40', '20'))
  expect(merge.body).toMatchObject({ state: 'filled', makingAmount: '20', takingAmount: '9', avg_price: '0.45' })
  expect(await shares(alice, yes)).toMatchObject({ balance: '30000000' })

  const trades = (await bob.call('GET', `/data/trades?market=${condition}`)).body.data
  expect(trades.map((trade: Record<string, unknown>) => [trade.side, trade.outcome, trade.price, trade.size, trade.trader_side])).toEqual([
    ['SELL', 'No', '0.45', '20', 'TAKER'],
    ['BUY', 'No', '0.4', '50', 'TAKER'],
  ])
  expect(trades[0].maker_orders).toMatchObject([
    { side: 'SELL', outcome: 'Yes', price: '0.55', matched_amount: '20', maker_address: wallets.alice.address },
  ])
  const own = (await alice.call('GET', `/data/trades?market=${condition}`)).body.data
  expect(own[0]).toMatchObject({ trader_side: 'MAKER', transaction_hash: trades[0].transaction_hash, maker_address: wallets.alice.address })
  const seen = (await send(running.url, 'GET', `/trades?market=${condition}`)).body
  expect(seen.data.map((trade: Record<string, unknown>) => [trade.match_type, trade.usdc_size])).toEqual([
    ['merge', '9'],
    ['mint', '20'],
  ])
})

test.each([
  ['', 2],
  ['&side=SELL', 1],
  ['&side=BUY', 1],
  ['&side=SELL&min_usdc=11', 1],
  ['&side=SELL&min_usdc=11.01', 0],
])('a user’s trades in a token have that user’s side, also where the taker traded the other: %s', async (filter, count) => {
  const { yes, no } = await market()
  await alice.call('POST', '/order', limit(yes, 'BUY', '0.60', '50'))
  await bob.call('POST', '/order', limit(no, 'BUY', '0.45', '50'))
  await alice.call('POST', '/order', limit(yes, 'SELL', '0.55', '20'))
  await bob.call('POST', '/order', limit(no, 'SELL', '0.40', '20'))
  const { data } = (await send(running.url, 'GET', `/trades?user=${wallets.alice.address}&asset_id=${yes}${filter}`)).body
  const bought = { asset_id: yes, outcome: 'Yes', outcome_index: 0, side: 'BUY', price: '0.6', size: '50', usdc_size: '30' }
  const sold = { asset_id: yes, outcome: 'Yes', outcome_index: 0, side: 'SELL', price: '0.55', size: '20', usdc_size: '11' }
  const expected = filter.includes('SELL') ? [sold] : filter.includes('BUY') ? [bought] : [sold, bought]
  expect(data).toMatchObject(expected.slice(0, count))
  expect(data).toHaveLength(count)
})

test('a direct match improves the price for the taker, and market orders spend an amount', async () => {
  const { yes, no } = await market()
  await bob.call('POST', '/order', limit(no, 'BUY', '0.50', '100'))
  await alice.call('POST', '/order', limit(yes, 'BUY', '0.50', '100'))
  await alice.call('POST', '/order', limit(yes, 'SELL', '0.60', '40'))
  const { body } = await bob.call('POST', '/order', { tokenId: yes, side: 'BUY', orderType: 'FAK', amount: '12', price: '0.65' })
  expect(body).toMatchObject({ state: 'filled', makingAmount: '12', takingAmount: '20' })
  const sold = await bob.call('POST', '/orders', { tokenId: yes, side: 'SELL', orderType: 'FAK', amount: '5' })
  expect(sold.body).toMatchObject({ code: 'fak_no_match' })
})

test('legs stand each for itself, in the order given', async () => {
  const { yes } = await market()
  const { status, body } = await alice.call('POST', '/orders', [
    limit(yes, 'BUY', '0.10', '10'),
    limit(yes, 'BUY', '0.105', '10'),
    { nonsense: true },
    limit(yes, 'BUY', '0.11', '10'),
    limit('123', 'BUY', '0.11', '10'),
  ])
  expect(status).toBe(200)
  expect(body.map((leg: { success: boolean; code?: string }) => leg.code ?? leg.success)).toEqual([
    true,
    'invalid_price_tick',
    'invalid_payload',
    true,
    'unknown_token',
  ])
  const tooMany = await alice.call('POST', '/orders', Array(16).fill(limit(yes, 'BUY', '0.10', '10')))
  expect([tooMany.status, tooMany.body]).toEqual([
    400,
    { error: 'Too many orders in payload: 16, max allowed: 15', code: 'too_many_items' },
  ])
})

test('books as displayed are the ones of the use case, however they are asked for and whatever of them is ready', async () => {
  const { yes, no } = await market({ tick_size: '0.0001' })
  for (const price of ['0.5305', '0.5301', '0.53', '0.0004']) await alice.call('POST', '/order', limit(yes, 'BUY', price, '10'))
  const asked = [yes, '5', no, yes].map((token_id) => ({ token_id }))
  const known = asked.filter(({ token_id }) => token_id !== '5')
  const { edge } = running.server
  const wanted = (body: object) => edge.run('getBooks', { kind: 'visitor' } as never, { params: undefined, query: undefined, body })
  const answered = async (text: string) => (await send(running.url, 'POST', '/books', text)).body
  const [, body] = [await answered(JSON.stringify(known)), await answered(JSON.stringify(asked))]
  expect(body).toEqual(await wanted(asked))
  await alice.call('POST', '/order', limit(no, 'BUY', '0.2', '10'))
  for (const text of [JSON.stringify(known), JSON.stringify(known, null, 1)]) expect(await answered(text)).toEqual(await wanted(known))
  expect(edge.readyBooks(Buffer.from(JSON.stringify(known)))).not.toBe(null)
  expect(body.map((found: { asset_id: string }) => found.asset_id)).toEqual([yes, '5', no])
  expect(body[0].bids).toEqual([
    { price: '0.53', size: '30' },
    { price: '0.0004', size: '10' },
  ])
  expect(body[2].asks).toEqual([
    { price: '0.47', size: '30' },
    { price: '0.9996', size: '10' },
  ])
  expect(body[1]).toMatchObject({ bids: [], asks: [] })
})

test('both tokens show one book, mirrored', async () => {
  const { yes, no } = await market({ tick_size: '0.001' })
  for (const [token, side, price, size] of [
    [yes, 'BUY', '0.512', '10'],
    [yes, 'BUY', '0.5', '7'],
    [no, 'BUY', '0.4', '12.5'],
    [no, 'BUY', '0.333', '9'],
  ] as const) {
    expect((await alice.place(limit(token, side, price, size))).state).toBe('live')
  }
  expect(await book(yes)).toEqual({
    bids: [{ price: '0.512', size: '10' }, { price: '0.5', size: '7' }],
    asks: [{ price: '0.6', size: '12.5' }, { price: '0.667', size: '9' }],
  }) // biome-ignore format: levels side by side
  expect(await book(no)).toEqual({
    bids: [{ price: '0.4', size: '12.5' }, { price: '0.333', size: '9' }],
    asks: [{ price: '0.488', size: '10' }, { price: '0.5', size: '7' }],
  }) // biome-ignore format: levels side by side
  expect(
    (await send(running.url, 'POST', '/spreads', JSON.stringify([{ token_id: yes }, { token_id: no }, { token_id: '5' }]))).body,
  ).toEqual({ [yes]: '0.088', [no]: '0.088', 5: '0' })
})
