import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { fund, funded, unnamedLimit as limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '10000')
const bob = await funded(running.url, wallets.bob, '10000')
const market = await registerMarket(running, 'refusing')

await bob.call('POST', '/order', limit(market.no, 'BUY', '0.40', '10')) // the only order offers Yes at 0.60

const balance = async (query: string) => (await alice.call('GET', `/balance-allowance?${query}`)).body
const usdc = () => balance('asset_type=COLLATERAL')
/** Money, shares and book: what a refusal changes nothing of. */
async function standing() {
  const { bids, asks } = (await send(running.url, 'GET', `/orderbook?token_id=${market.yes}`)).body
  return [await usdc(), await balance(`asset_type=CONDITIONAL&token_id=${market.yes}`), bids, asks]
}

const far = Math.floor(Date.parse('2030-01-01') / 1000)

test.each([
  ['off the tick', { price: '0.555' }, 400, 'invalid_price_tick'],
  ['off every tick', { price: '0.55555' }, 400, 'invalid_price_tick'],
  ['a price of one', { price: '1' }, 400, 'price_out_of_range'],
  ['a price of zero', { price: '0' }, 400, 'price_out_of_range'],
  ['a price of a million', { price: '1000000' }, 400, 'price_out_of_range'],
  ['a price beyond what can be counted', { price: '9999999999999999' }, 400, 'price_out_of_range'],
  ['below the smallest size', { size: '4.99' }, 400, 'size_too_small'],
  ['a size of nothing', { size: '0' }, 400, 'size_too_small'],
  ['a size finer than a lot', { size: '5.001' }, 400, 'invalid_amount_precision'],
  ['a size beyond all', { size: '999999999' }, 400, 'size_too_large'],
  ['a size that is worth more than can be counted', { size: '90000000000000' }, 400, 'size_too_large'],
  ['a size beyond what can be counted', { size: '9999999999999999' }, 400, 'size_too_large'],
  ['an amount beyond what can be counted', { size: undefined, orderType: 'FAK', amount: '9999999999999999' }, 400, 'size_too_large'],
  ['an expiration of an order that has none', { expiration: far }, 400, 'invalid_expiration'],
  ['no expiration of one that must have it', { orderType: 'GTD' }, 400, 'invalid_expiration'],
  ['an expiration in the past', { orderType: 'GTD', expiration: 1_000_000_000 }, 400, 'invalid_expiration'],
  ['a post-only order that must match', { orderType: 'FOK', postOnly: true }, 400, 'post_only_type'],
  ['more than there is', { size: '100000' }, 400, 'insufficient_balance'],
  ['shares the account does not have', { side: 'SELL', price: '0.9' }, 400, 'insufficient_shares'],
  ['an unknown token', { tokenId: '77' }, 404, 'unknown_token'],
  ['all of it or nothing, of nothing', { orderType: 'FOK', price: '0.02' }, 400, 'fok_not_filled'],
  ['what there is, of nothing', { orderType: 'FAK', price: '0.02' }, 400, 'fak_no_match'],
  ['a post-only order that crosses', { price: '0.9', postOnly: true }, 400, 'post_only_would_cross'],
  ['self-trade for everybody', { stp: 'none' }, 403, 'insufficient_scope'],
  ['both size and amount', { amount: '5' }, 400, 'invalid_payload'],
  ['a number where a text belongs', { price: 0.5 }, 400, 'invalid_payload'],
  ['an unknown key', { sizee: '5' }, 400, 'invalid_payload'],
  ['a side that is none', { side: 'HOLD' }, 400, 'invalid_payload'],
  ['an exponent', { price: '5e-1' }, 400, 'invalid_payload'],
  ['a sign', { size: '-5' }, 400, 'invalid_payload'],
])('refused: %s', async (_, changes, status, code) => {
  const before = await standing()
  const reply = await alice.call('POST', '/order', { ...limit(market.yes, 'BUY', '0.5', '10'), ...changes })
  expect([reply.status, reply.body.code]).toEqual([status, code])
  expect(reply.body.error).toEqual(expect.any(String))
  expect(await standing()).toEqual(before)
})

test('a leg of a batch that became an order and ended at once says so, as it does alone', async () => {
  const [killed, refused] = [{ ...limit(market.yes, 'BUY', '0.02', '10'), orderType: 'FOK' }, limit(market.yes, 'BUY', '0.555', '10')]
  const { body } = await alice.call('POST', '/orders', [killed, refused])
  expect(body.map(({ code, state }: { code: string; state?: string }) => [code, state])).toEqual([
    ['fok_not_filled', 'rejected'],
    ['invalid_price_tick', undefined],
  ])
  expect((await alice.call('GET', `/data/order/${body[0].orderID}`)).body.state).toBe('rejected')
})

test.each([
  ['0.555', 'order {id} is invalid. Price (0.555) breaks minimum tick size rule: 0.01'],
  ['0.55555', 'order {id} is invalid. Price (0.55555) breaks minimum tick size rule: 0.01'],
  ['1', 'invalid price (1), min: 0.01 - max: 0.99'],
  ['1.5', 'invalid price (1.5), min: 0.01 - max: 0.99'],
])('an order at %s is refused with the valid prices, and its id', async (price, text) => {
  const { body } = await alice.call('POST', '/order', limit(market.yes, 'BUY', price, '10'))
  expect(body.orderID).toMatch(/^0x[0-9a-f]{64}$/)
  expect(body.error).toBe(text.replace('{id}', body.orderID))
})

test('an order worth too little is refused with the minimum', async () => {
  const { yes, no } = await registerMarket(running, 'no-small-change', { min_notional: '1000000' })
  await alice.call('POST', '/order', limit(yes, 'BUY', '0.5', '40'))
  const { body } = await bob.call('POST', '/order', { tokenId: no, side: 'BUY', orderType: 'FAK', amount: '0.84' })
  expect(body).toMatchObject({ code: 'amount_too_small', error: 'invalid amount for a marketable BUY order ($0.84), min size: $1' })
  const { body: limited } = await bob.call('POST', '/order', { ...limit(no, 'BUY', '0.5', '1.5'), orderType: 'FAK' })
  expect(limited.error).toBe('invalid amount for a marketable BUY order ($0.75), min size: $1')
  const { body: nothing } = await bob.call('POST', '/order', {
    tokenId: market.no,
    side: 'BUY',
    orderType: 'FAK',
    amount: '0.004',
    price: '0.5',
  })
  expect(nothing.error).toBe('invalid amount for a marketable BUY order ($0.004), min size: $0.005')
})

test('lack of funds says what there is, in millionths', async () => {
  await alice.call('POST', '/order', limit(market.yes, 'BUY', '0.1', '10'))
  const { balance, available, reserved } = await usdc()
  expect(reserved).not.toBe('0')
  const { body } = await alice.call('POST', '/order', limit(market.yes, 'BUY', '0.5', '50000'))
  expect(body).toEqual({
    error: `not enough balance / allowance: the balance is not enough -> balance: ${balance}, sum of active orders: ${reserved}, sum of matched orders: 0, order amount (inc. fees): 25000000000`,
    code: 'insufficient_balance',
    details: { available, reserved, required: '25000000000' },
    orderID: expect.any(String),
    orderId: expect.any(String),
  })
})

test('of what an account without anything asks for, nothing is written down; with money it is', async () => {
  const carol = await Caller.of(running.url, wallets.carol)
  const written = async () => (await send(running.url, 'GET', '/status')).body.seq
  const before = await written()
  const order = limit(market.yes, 'BUY', '0.5', '10')
  const asked = (path: string, body: unknown, method = 'POST') =>
    carol.call(method, path, body).then(({ status, body: { code } }) => [status, code])
  expect(await asked('/order', order)).toEqual([400, 'insufficient_balance'])
  expect(await asked('/order', { ...order, orderType: 'FOK', price: '0.02' })).toEqual([400, 'insufficient_balance'])
  expect(await asked('/order', { ...order, side: 'SELL' })).toEqual([400, 'insufficient_shares'])
  expect(await asked('/order', { ...order, price: '0.555' })).toEqual([400, 'invalid_price_tick'])
  expect(await asked('/order/replace', { cancel: `0x${'1'.repeat(64)}`, order })).toEqual([404, 'order_not_found'])
  expect(await asked('/positions/split', { market: market.condition, amount: '5' })).toEqual([400, 'insufficient_balance'])
  expect(await asked('/positions/merge', { market: market.condition, amount: '5' })).toEqual([400, 'insufficient_shares'])
  expect(await asked('/cancel-all', undefined, 'DELETE')).toEqual([200, undefined])
  const unknown = `0x${'2'.repeat(64)}`
  const { orderId: theirs } = await alice.place({ ...order, price: '0.02' })
  const between = await written()
  expect(await asked('/order', { orderId: unknown }, 'DELETE')).toEqual([404, 'order_not_found'])
  expect(await asked('/order', { orderId: theirs }, 'DELETE')).toEqual([403, 'order_not_owned'])
  expect((await carol.call('DELETE', '/orders', [unknown, theirs])).body).toMatchObject({
    ...{ canceled: [], not_canceled: { [unknown]: 'Order not found', [theirs]: expect.any(String) } },
  })
  for (const timeout_ms of [2000, 3000, 0]) expect(await asked('/cancel-after', { timeout_ms })).toEqual([200, undefined])
  expect(await asked('/v1/heartbeats', {})).toEqual([200, undefined])
  expect(await asked('/cancel-after', { timeout_ms: 0 })).toEqual([200, undefined])
  expect(await written()).toBe(between)
  await alice.call('DELETE', `/orders/${theirs}`)
  const legs = (await carol.call('POST', '/orders', [order, order])).body
  expect(legs.map(({ code }: { code: string }) => code)).toEqual(['insufficient_balance', 'insufficient_balance'])
  expect(await written()).toBe(before + 2) // what alice did
  await fund(running.url, wallets.carol.address, '1')
  expect(await asked('/order', order)).toEqual([400, 'insufficient_balance'])
  expect(await asked('/order', { orderId: unknown }, 'DELETE')).toEqual([404, 'order_not_found'])
  expect(await written()).toBe(before + 5)
})
