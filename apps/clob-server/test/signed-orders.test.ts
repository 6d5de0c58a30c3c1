import { signOrder } from '@augury/client/orders'
import { auguryOrderDomain, establishedOrderDomain } from '@augury/signing/order-domains'
import { type OrderFields, orderTypedData } from '@augury/signing/order-fields'
import { conditionRequest } from '@augury/testing/condition-request'
import { eventually } from '@augury/testing/eventually'
import { ServiceError } from '@augury/wire/service-error'
import { expect, test, vi } from 'vitest'
import { funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '10000')
const market = await registerMarket(running, 'signed')
const { metadata } = conditionRequest('signed-neg-risk')
const negRisk = await registerMarket(running, 'signed-neg-risk', { neg_risk_event: { slug: metadata.event.slug, size: 2 } })

const ZERO = `0x${'00'.repeat(20)}` as const
const EMPTY = `0x${'00'.repeat(32)}` as const
let salts = 1

/** A BUY of 10 shares at 0.42 in version 2, signed in some domain. */
async function v2(
  changes: Record<string, unknown> = {},
  domain = auguryOrderDomain(running.settings.chainId),
  envelope: Record<string, unknown> = {},
) {
  const order = {
    ...{ salt: String(salts++), maker: wallets.alice.address, signer: wallets.alice.address, tokenId: market.yes },
    ...{ makerAmount: '4200000', takerAmount: '10000000', side: 'BUY', signatureType: 0 },
    ...{ timestamp: String(Date.now()), metadata: EMPTY, builder: EMPTY },
    ...changes,
  } as unknown as OrderFields
  const signature = await wallets.alice.signTypedData(orderTypedData(order, domain) as never)
  return { order: { ...order, salt: Number(order.salt), expiration: '0', signature }, owner: alice.key.key, orderType: 'GTC', ...envelope }
}

const established = (version: 1 | 2 | 3, isNegRisk = false, chainId = running.settings.chainId) =>
  establishedOrderDomain(chainId, version, isNegRisk)!

test('an order of our own domain has the id that its signer computed', async () => {
  const context = { wallet: wallets.alice, chainId: running.settings.chainId, apiKey: alice.key.key, tickSize: '0.01' }
  const { body, orderId } = await signOrder({ tokenId: market.yes, side: 'BUY', orderType: 'GTC', price: '0.42', size: '10' }, context)
  const reply = await alice.call('POST', '/order', body)
  expect([reply.status, reply.body.orderID, reply.body.state]).toEqual([200, orderId, 'live'])
  const again = await alice.call('POST', '/order', body)
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([{ ...reply.body, replayed: true }, 'true'])
  const other = await alice.call('POST', '/order', { ...body, postOnly: true })
  expect([other.status, other.body.code]).toEqual([409, 'duplicate_order'])
})

test('an order that was turned away leaves its client order id to the next one', async () => {
  const { venue } = running.server.edge.context
  const submit = venue.submit.bind(venue)
  const named = (makerAmount: string) => v2({ makerAmount }, undefined, { clientOrderId: 'asked-anew' })
  for (const turnAway of [await named('4100000'), { cancel: '0x1', order: await named('4000000'), mode: 'allow_failure' }]) {
    venue.submit = () => Promise.reject(new ServiceError('overloaded', { retryAfter: 1 }))
    const { status, body } = await alice.call('POST', 'cancel' in turnAway ? '/order/replace' : '/order', turnAway)
    Object.assign(venue, { submit })
    expect([status, body.code]).toEqual([503, 'overloaded'])
  }
  const next = await alice.call('POST', '/order', await named('3900000'))
  expect([next.status, next.body.clientOrderId]).toEqual([200, 'asked-anew'])
})

test.each([
  ['version 2', 2, false],
  ['version 3', 3, false],
  ['version 2 on a neg-risk market', 2, true],
] as const)('the established domain of %s is accepted', async (_, version, isNegRisk) => {
  const body = await v2(isNegRisk ? { tokenId: negRisk.yes } : {}, established(version, isNegRisk))
  const reply = await alice.call('POST', '/order', body)
  expect([reply.status, reply.body.state]).toEqual([200, 'live'])
})

test.each([80002, 137])('a sandbox accepts orders of the established domains of chain %i', async (chain) => {
  const reply = await alice.call('POST', '/order', await v2({}, established(2, false, chain)))
  expect([reply.status, reply.body.state]).toEqual([200, 'live'])
})

/** The body of a signed order of version 1. */
async function v1(changes: object = {}) {
  const order = {
    ...{ salt: String(salts++), maker: wallets.alice.address, signer: wallets.alice.address, taker: ZERO, tokenId: market.yes },
    ...{ makerAmount: '4200000', takerAmount: '10000000', expiration: '0', nonce: '0', feeRateBps: '0', side: 'BUY', signatureType: 0 },
    ...changes,
  } as OrderFields
  const signature = await wallets.alice.signTypedData(orderTypedData(order, established(1)) as never)
  return { order: { ...order, salt: Number(order.salt), signature }, owner: alice.key.key, orderType: 'GTC', deferExec: false }
}

test.each([
  ['a fee rate that covers the market’s', { feeRateBps: '150' }, [200, undefined]],
  ['a fee rate below the market’s', { feeRateBps: '99' }, [400, 'feeRateBps must be 0 or at least the market’s fee rate, 100']],
  ['a nonce', { nonce: '1' }, [400, 'nonce must be 0']],
])('version 1 with %s', async (_what, changes, expected) => {
  const { yes } = await registerMarket(running, `fee-${salts}`, { fee_rate_bps: 100 })
  const { status, body } = await alice.call('POST', '/order', await v1({ tokenId: yes, ...changes }))
  expect([status, body.error]).toEqual(expected)
})

test('version 1 is accepted, and an old one is looked up in history', async () => {
  const body = await v1()
  const reply = await alice.call('POST', '/order', body)
  expect([reply.status, reply.body.state]).toEqual([200, 'live'])
  await running.restart()
  const again = await alice.call('POST', '/order', body)
  expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([200, { ...reply.body, replayed: true }, 'true'])
})

test('a name is one order’s, signed or plain; one that was refused has taken none', async () => {
  const named = (clientOrderId: string, changes = {}) => v2(changes, undefined, { clientOrderId })
  const first = await alice.call('POST', '/order', await named('name-1'))
  expect(first.body).toMatchObject({ state: 'live', clientOrderId: 'name-1' })
  const conflict = await alice.call('POST', '/order', await named('name-1'))
  expect([conflict.status, conflict.body.code]).toEqual([409, 'client_order_id_conflict'])
  const plain = { tokenId: market.yes, side: 'BUY', orderType: 'GTC', price: '0.42', size: '10' }
  expect((await alice.place({ ...plain, clientOrderId: 'name-1' })).code).toBe('client_order_id_conflict')
  expect((await alice.call('POST', '/order', { ...plain, clientOrderId: 'name-2' })).status).toBe(200)
  expect((await alice.place(await named('name-2'))).code).toBe('client_order_id_conflict')
  const poor = await named('name-3', { makerAmount: '42000000000', takerAmount: '100000000000' })
  expect((await alice.place(poor)).code).toBe('insufficient_balance')
  expect((await alice.call('POST', '/order', await named('name-3'))).status).toBe(200)
  await running.restart()
  const areTaken = async () => {
    for (const name of ['name-1', 'name-2']) expect((await alice.place(await named(name))).code).toBe('client_order_id_conflict')
    expect((await alice.place({ ...plain, clientOrderId: 'name-1' })).code).toBe('client_order_id_conflict')
  }
  await areTaken()
  // So they are when all names of history were read, and history is asked about no new one any more.
  const { orderNames, lookUps } = running.server.edge.context
  await eventually(() => expect(orderNames.isNew(`0x${'00'.repeat(32)}`)).toBe(true))
  await areTaken()
  const asked = [vi.spyOn(lookUps, 'order'), vi.spyOn(lookUps, 'named')]
  expect((await alice.call('POST', '/order', { ...plain, clientOrderId: 'name-4' })).status).toBe(200)
  expect((await alice.call('POST', '/order', await named('name-5'))).status).toBe(200)
  for (const asks of asked) expect(asks).not.toHaveBeenCalled()
})

test('a market BUY spends its budget', async () => {
  const bob = await funded(running.url, wallets.bob, '1000')
  await bob.call('POST', '/order', { tokenId: market.no, side: 'BUY', orderType: 'GTC', price: '0.44', size: '300' })
  // What the established client signs for $100 at 0.56: truncation puts the implied price just above the tick.
  const body = await v2({ makerAmount: '100000000', takerAmount: '178571400' }, undefined, { orderType: 'FOK' })
  const reply = await alice.call('POST', '/order', body)
  expect(reply.body).toMatchObject({
    state: 'filled',
    status: 'matched',
    takingAmount: '178.57',
    makingAmount: '99.9992',
    avg_price: '0.56',
  })
})

test.each([
  ['signed for the other kind of market', () => v2({}, established(2, true)), 400, 'wrong_exchange_domain'],
  ['signed for another chain', () => v2({}, { ...established(2), chainId: 1 }), 400, 'bad_order_signature'],
  ['changed after it was signed', async () => tampered(), 400, 'bad_order_signature'],
  ['of another owner', async () => ({ ...(await v2()), owner: '5f0c1a5e-0000-4000-8000-000000000000' }), 400, 'owner_mismatch'],
  ['of another signer', () => v2({ signer: wallets.bob.address, maker: wallets.bob.address }), 400, 'signer_mismatch'],
  ['of an unregistered wallet', () => v2({ maker: wallets.bob.address, signatureType: 2 }), 403, 'proxy_wallet_missing'],
  ['off the tick', () => v2({ makerAmount: '4250000' }), 400, 'invalid_price_tick'],
  ['finer than a lot', () => v2({ makerAmount: '4200420', takerAmount: '10001000' }), 400, 'invalid_amount_precision'],
  ['of nothing', () => v2({ makerAmount: '0' }), 400, 'invalid_amount'],
  ['at more than one', () => v2({ makerAmount: '11000000' }), 400, 'price_out_of_range'],
  ['signed a day and more ago', () => v2({ timestamp: String(Date.now() - 90_000_000) }), 400, 'invalid_payload'],
  ['signed tomorrow', () => v2({ timestamp: String(Date.now() + 120_000) }), 400, 'invalid_payload'],
  ['with an expiration that a GTC has not', async () => expiring(), 400, 'invalid_expiration'],
  ['for an unknown token', () => v2({ tokenId: '12345' }), 404, 'unknown_token'],
])('refused: %s', async (_, make, status, code) => {
  const before = await alice.cash()
  const reply = await alice.call('POST', '/order', await make())
  expect([reply.status, reply.body.code]).toEqual([status, code])
  expect(await alice.cash()).toEqual(before)
})

test.each([
  ['off the tick', { makerAmount: '4250000' }, 'GTC', 'order {id} is invalid. Price (0.425) breaks minimum tick size rule: 0.01'],
  ['between all steps', { makerAmount: '3333333' }, 'GTC', 'order {id} is invalid. Price (0.3333333) breaks minimum tick size rule: 0.01'],
  ['a millionth beside', { makerAmount: '4200001' }, 'GTC', 'order {id} is invalid. Price (0.4200001) breaks minimum tick size rule: 0.01'],
  ['at one', { makerAmount: '10000000' }, 'GTC', 'invalid price (1), min: 0.01 - max: 0.99'],
  ['at more than one', { makerAmount: '11000000' }, 'GTC', 'invalid price (1.1), min: 0.01 - max: 0.99'],
  ['at more than can be counted', { makerAmount: '9'.repeat(60) }, 'GTC', `invalid price (${'9'.repeat(53)}), min: 0.01 - max: 0.99`],
  [
    'for less than a lot',
    { makerAmount: '4200420', takerAmount: '10001000' },
    'GTC',
    'invalid amounts, the limit buy orders maker amount supports a max accuracy of 4 decimals, taker amount a max of 2 decimals',
  ],
  [
    'for a part of a cent',
    { makerAmount: '5000100' },
    'FOK',
    'invalid amounts, the market buy orders maker amount supports a max accuracy of 2 decimals, taker amount a max of 4 decimals',
  ],
  [
    'to sell a part of a lot at once',
    { side: 'SELL', makerAmount: '19691000', takerAmount: '4332020' },
    'FAK',
    'invalid amounts, the market sell orders maker amount supports a max accuracy of 2 decimals, taker amount a max of 4 decimals',
  ],
])('an order %s is refused with the reason and its id', async (_, amounts, orderType, text) => {
  const { body } = await alice.call('POST', '/order', await v2(amounts, undefined, { orderType }))
  expect(body.orderID).toMatch(/^0x[0-9a-f]{64}$/)
  expect([body.orderId, body.error]).toEqual([body.orderID, text.replace('{id}', body.orderID)])
})

async function tampered() {
  const body = await v2()
  return { ...body, order: { ...body.order, makerAmount: '4300000' } }
}

async function expiring() {
  const body = await v2()
  return { ...body, order: { ...body.order, expiration: '1900000000' } }
}
