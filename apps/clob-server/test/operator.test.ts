import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer({ OPERATOR_ADDRESSES: `${wallets.operator.address},${wallets.carol.address}` })
const venue = await Caller.of(running.url, wallets.operator, 'venue')
const alice = await funded(running.url, wallets.alice, '1000')

test('modes: cancel-only takes no order, paused no split either, and both let orders out', async () => {
  const market = await registerMarket(running, 'modes')
  const order = { tokenId: market.yes, side: 'BUY', orderType: 'GTC', price: '0.1', size: '5' }
  const { orderId } = await alice.place({ ...order, clientOrderId: 'modes' })
  const { orderId: second } = await alice.place({ ...order, clientOrderId: 'modes-2' })
  expect((await venue.call('POST', '/operator/cancel-only')).body.mode).toBe('cancel_only')
  const refused = await alice.call('POST', '/order', order)
  expect([refused.status, refused.body]).toMatchObject([
    503,
    { code: 'cancel_only', error: 'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.' },
  ])
  expect((await alice.call('DELETE', '/order', { orderId })).status).toBe(200)
  const split = { market: market.condition, amount: '1' }
  expect((await alice.call('POST', '/positions/split', split)).status).toBe(200)
  const { since } = (await send(running.url, 'GET', '/status')).body
  const paused = (await venue.call('POST', '/operator/pause')).body
  expect([paused.mode, paused.since > since]).toEqual(['paused', true])
  expect((await alice.place(order)).code).toBe('venue_paused')
  const another = { ...split, amount: '2' } // the same again within the second would be the same request
  expect((await alice.call('POST', '/positions/split', another)).body.code).toBe('venue_paused')
  expect((await alice.call('POST', '/positions/merge', split)).status).toBe(200)
  expect((await alice.call('DELETE', '/order', { orderId: second })).status).toBe(200)
  expect((await venue.call('POST', '/operator/resume')).body.mode).toBe('normal')
  expect((await alice.call('POST', '/order', order)).status).toBe(200)
})

test('rules: the venue’s operator applies the newest, which are in force already where the journal began with them', async () => {
  expect((await alice.call('POST', '/operator/rules')).body.code).toBe('insufficient_scope')
  expect((await venue.call('POST', '/operator/rules')).body).toEqual({ rules: expect.any(Number) })
  await running.restart()
  const market = await registerMarket(running, 'after-rules')
  const order = { tokenId: market.yes, side: 'BUY', orderType: 'GTC', price: '0.1', size: '5' }
  expect((await alice.call('POST', '/order', order)).status).toBe(200)
})

test('accounts: a referrer is the first one, a ban is the venue’s, a tier raises budgets', async () => {
  const carol = await Caller.of(running.url, wallets.carol, 'operator')
  const path = `/operator/accounts/${wallets.bob.address}`
  expect((await carol.call('PUT', path, { referrer: wallets.carol.address })).body.code).toBe('insufficient_scope') // it referred no account
  expect((await venue.call('PUT', path, { referrer: wallets.alice.address })).body).toEqual({
    ...{ address: wallets.bob.address, referrer: wallets.alice.address, tier: 'standard', stp_group: null, banned: false },
  })
  expect((await venue.call('PUT', path, { referrer: wallets.carol.address })).body.referrer).toBe(wallets.alice.address)
  expect((await carol.call('PUT', path, { banned: true })).body.code).toBe('insufficient_scope')
  expect((await venue.call('PUT', path, { banned: true, tier: 'maker' })).body).toMatchObject({ banned: true, tier: 'maker' })
  const bob = await Caller.of(running.url, wallets.bob)
  const market = await registerMarket(running, 'banned')
  const refused = await bob.call('POST', '/order', { tokenId: market.yes, side: 'BUY', orderType: 'GTC', price: '0.1', size: '5' })
  expect([refused.status, refused.body]).toMatchObject([403, { error: `'${wallets.bob.address}' address banned`, code: 'account_banned' }])
  const cancel = await bob.call('DELETE', '/order', { orderId: `0x${'12'.repeat(32)}` })
  expect(cancel.headers.get('ratelimit-limit')).toBe('6000')
})

test('a server of our own reads books without limit, for any visitor', async () => {
  await venue.call('PUT', `/operator/accounts/${wallets.operator.address}`, { tier: 'internal' })
  const replies = await Promise.all(
    Array.from({ length: 120 }, () => venue.call('POST', '/books', [], { headers: { 'x-client-address': '198.51.100.9' } })),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(120).fill(200))
  // An address named by another peer is ignored, and so is one with a wrong signature.
  const claimed = await alice.call('POST', '/books', [], { headers: { 'x-client-address': '198.51.100.9' } })
  const forged = await venue.call('POST', '/books', [], { skew: -60 })
  expect([claimed.headers.get('ratelimit-remaining'), forged.headers.get('ratelimit-remaining')]).toEqual(['99', '98'])
})

test('what the service says of itself', async () => {
  const get = async (path: string) => (await send(running.url, 'GET', path)).body
  expect([await get('/'), await get('/ok'), await get('/version'), await get('/healthz'), await get('/readyz')]).toEqual([
    'OK',
    'OK',
    { version: 2 },
    { status: 'ok' },
    { status: 'ok', history: 'following' },
  ])
  const asked = Date.now() / 1000
  const time = await get('/time')
  expect(time > asked - 2 && time < Date.now() / 1000 + 2).toBe(true) // in seconds, by a clock that may lag a little
  expect(await get('/status')).toMatchObject({
    mode: 'normal',
    writer: 'primary',
    epoch: 1,
    sandbox: true,
    chain_id: 80002,
    seq: running.server.venue.exchange.seq,
  })
})
