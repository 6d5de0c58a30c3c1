import { CLOSE, MALFORMED_FRAMES } from '@augury/wire/limits'
import { tradingOperations } from '@augury/wire/trade-stream'
import { expect, test } from 'vitest'
import { Caller } from './caller.ts'
import { funded, limit, registerMarket, unnamedLimit } from './market.ts'
import { runningServer, wallets } from './running-server.ts'
import { TradeClient } from './trade-client.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '1000')
const bob = await funded(running.url, wallets.bob, '1000')
const market = await registerMarket(running, 'fast')

test('every operation that has a word is answered as REST answers it', async () => {
  const socket = await TradeClient.of(alice)
  const placed = await socket.ask('place', limit(market.yes, 'BUY', '0.4', '30'))
  expect(placed).toMatchObject({ status: 200, body: { success: true, state: 'live', seq: placed.seq } })
  const { orderId } = placed.body
  expect(await alice.order(orderId)).toMatchObject({ state: 'live', price: '0.4' })
  const amended = await socket.ask('amend', { orderId, size: '20' })
  expect(amended).toMatchObject({ status: 200, body: { original_size: '20' } })
  const replaced = await socket.ask('replace', { cancel: orderId, order: limit(market.yes, 'BUY', '0.41', '20') })
  expect(replaced).toMatchObject({ status: 200, body: { canceled: [orderId], order: { state: 'live' } } })
  const legs = await socket.ask('places', [limit(market.yes, 'BUY', '0.2', '10'), limit('7', 'BUY', '0.2', '10')])
  expect(legs).toMatchObject({ status: 200, body: [{ success: true }, { success: false, code: 'unknown_token' }] })
  const one = await socket.ask('cancel', { orderId: replaced.body.order.orderId })
  expect(one).toMatchObject({ status: 200, body: { success: true, canceled: [replaced.body.order.orderId] } })
  const some = await socket.ask('cancels', [legs.body[0].orderId, `0x${'0'.repeat(64)}`])
  expect(some).toMatchObject({
    status: 200,
    body: { canceled: [legs.body[0].orderId], not_canceled: { [`0x${'0'.repeat(64)}`]: 'Order not found' } },
  })
  await socket.ask('place', limit(market.yes, 'BUY', '0.3', '10'))
  expect((await socket.ask('cancel-market', { market: market.condition })).body.canceled).toHaveLength(1)
  expect((await socket.ask('cancel-all')).body).toEqual({ canceled: [], not_canceled: {} })
  const beat = await socket.ask('heartbeat', { heartbeat_id: null })
  expect(beat).toMatchObject({ status: 200, body: { heartbeat_id: expect.any(String) } })
  expect(await socket.ask('cancel-after', { timeout_ms: 0 })).toMatchObject({ status: 200, body: { timeout_ms: 0, cancels_at: null } })
  const words = new Set(socket.listener.heard.map(({ op }) => op))
  expect([...words].sort()).toEqual(['login', ...Object.values(tradingOperations).map(({ trading }) => trading)].sort())
  socket.kill()
})

test('what REST refuses is refused here with the same status, code and body', async () => {
  const socket = await TradeClient.of(alice)
  const cases: [word: string, method: string, path: string, body: object][] = [
    ['place', 'POST', '/order', limit(market.yes, 'BUY', '0.4', '1')],
    ['place', 'POST', '/order', limit(market.yes, 'BUY', '0.45678', '10')],
    ['place', 'POST', '/order', { tokenId: market.yes, sied: 'BUY' }],
    ['places', 'POST', '/orders', Array.from({ length: 16 }, () => ({}))],
    ['place', 'POST', '/order', limit(market.yes, 'BUY', '0.9', '100000')],
    ['amend', 'PATCH', '/order', { orderId: '0x12', size: '5' }],
    ['replace', 'POST', '/order/replace', { cancel: 'none', order: limit(market.yes, 'BUY', '0.4', '10') }],
    ['cancel', 'DELETE', '/order', { orderId: '0x12' }],
    ['cancel', 'DELETE', '/order', {}],
    ['cancels', 'DELETE', '/orders', { orderId: '0x12' }],
    ['cancel-market', 'DELETE', '/cancel-market-orders', {}],
    ['heartbeat', 'POST', '/v1/heartbeats', { heartbeat_id: 'old' }],
    ['cancel-after', 'POST', '/cancel-after', { timeout_ms: 5 }],
  ]
  for (const [word, method, path, body] of cases) {
    const [there, here] = [await alice.call(method, path, body), await socket.ask(word, body)]
    expect([here.status, here.body], `${word} ${JSON.stringify(body)}`).toEqual([there.status, there.body])
    expect(here.status).toBeGreaterThanOrEqual(400)
  }
  socket.kill()
})

test('an order under a client order ID is one order on both transports; unnamed ones of one socket are many', async () => {
  const socket = await TradeClient.of(alice)
  const order = limit(market.yes, 'BUY', '0.1', '10')
  const [here, there] = [await socket.ask('place', order), await alice.place(order)]
  expect(there).toMatchObject({ replayed: true, orderId: here.body.orderId })
  const again = await socket.ask('place', order)
  expect(again).toMatchObject({ headers: { 'Idempotent-Replayed': 'true' }, body: { replayed: true, orderId: here.body.orderId } })
  const unnamed = unnamedLimit(market.yes, 'BUY', '0.1', '10')
  const ids = await Promise.all([1, 2, 3].map(async () => (await socket.ask('place', unnamed)).body.orderId))
  expect(new Set(ids).size).toBe(3)
  await socket.ask('cancel-all')
  socket.kill()
})

test('many frames are under way at once, and are executed in the order in which they were sent', async () => {
  const socket = await TradeClient.of(alice)
  const names = Array.from({ length: 200 }, () => crypto.randomUUID() as string)
  const sent = names.map((clientOrderId, n) =>
    n % 20 === 19
      ? socket.send('cancel', { clientOrderId: names[n - 1] })
      : socket.send('place', limit(market.yes, 'BUY', '0.05', '5', { clientOrderId })),
  )
  const answers = await Promise.all(sent.map((id) => socket.answer(id)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const positions = answers.flatMap(({ op, body }) => (op === 'place' ? [body.seq] : []))
  expect(positions).toEqual(positions.toSorted((one, other) => one - other))
  expect((await socket.ask('cancel-all')).body.canceled).toHaveLength(180)
  socket.kill()
})

test('frames may follow the login at once; a login by the headers of the upgrade is greeted', async () => {
  const socket = await TradeClient.open(running.url)
  const login = socket.send('login', await alice.streamAuth(0, '/ws/trade'))
  const placed = socket.send('place', limit(market.yes, 'BUY', '0.1', '10'))
  expect(await socket.answer(login)).toMatchObject({
    status: 200,
    body: { account: wallets.alice.address, epoch: 1, cancel_on_disconnect: false },
  })
  expect(await socket.answer(placed)).toMatchObject({ status: 200 })
  const signed = await TradeClient.open(running.url, '', await alice.headers('GET', '/ws/trade'))
  expect(await signed.answer(null)).toMatchObject({ op: 'login', status: 200, body: { account: wallets.alice.address } })
  expect((await signed.ask('cancel-all')).body.canceled).toHaveLength(1)
  expect(await signed.ask('login', await alice.streamAuth(0, '/ws/trade'))).toMatchObject({
    status: 400,
    body: { code: 'invalid_payload' },
  })
  expect(await signed.ask('cancel-all')).toMatchObject({ status: 200 })
  for (const each of [socket, signed]) each.kill()
})

test.each([
  ['no login', async () => ['place', {}], 'bad_headers'],
  ['a login that is none', async () => ['login', { key: 'x' }], 'invalid_payload'],
  ['a login for another stream', async () => ['login', await alice.streamAuth()], 'bad_signature'],
  ['an old signature', async () => ['login', await alice.streamAuth(-31, '/ws/trade')], 'stale_timestamp'],
  ['another account', async () => ['login', { ...(await alice.streamAuth(0, '/ws/trade')), address: wallets.bob.address }], 'unknown_key'],
  ['a misspelt wish', async () => ['login', { ...(await alice.streamAuth(0, '/ws/trade')), cancelOnDisconnect: true }], 'invalid_payload'],
] as [string, () => Promise<[string, object]>, string][])('4001: %s', async (_, first, code) => {
  const socket = await TradeClient.open(running.url)
  expect(await socket.ask(...(await first()))).toMatchObject({ body: { code } })
  expect(await socket.listener.untilClosed()).toBe(CLOSE.unauthenticated)
})

test('headers that prove nothing, and a query that is misspelt, close the socket', async () => {
  const forged = { ...(await alice.headers('GET', '/ws/trade')), SVC_PASSPHRASE: 'other' }
  const [wrong, misspelt] = [await TradeClient.open(running.url, '', forged), await TradeClient.open(running.url, '?cancel=true')]
  expect(await wrong.answer(null)).toMatchObject({ status: 401, body: { code: 'bad_passphrase' } })
  expect(await misspelt.answer(null)).toMatchObject({ status: 400, body: { code: 'invalid_payload' } })
  for (const { listener } of [wrong, misspelt]) expect(await listener.untilClosed()).toBe(CLOSE.unauthenticated)
})

test('a read-only key does not trade, and a revoked one is sent away', async () => {
  const reader = await TradeClient.open(running.url)
  const key = await Caller.of(running.url, wallets.bob, 'read', 6n)
  expect(await reader.ask('login', await key.streamAuth(0, '/ws/trade'))).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope' },
  })
  expect(await reader.listener.untilClosed()).toBe(CLOSE.unauthenticated)
  const revoked = await Caller.of(running.url, wallets.bob, undefined, 7n)
  const [busy, silent] = [await TradeClient.of(revoked), await TradeClient.of(revoked)]
  await revoked.call('DELETE', '/auth/api-key')
  busy.send('cancel-all')
  for (const { listener } of [busy, silent])
    expect(await listener.until(({ status }) => status === 401)).toMatchObject({ body: { code: 'unknown_key' } })
  for (const { listener } of [busy, silent]) expect(await listener.untilClosed()).toBe(CLOSE.unauthenticated)
})

test('frames that are none are refused under their id where it can be read; too many without one close the socket', async () => {
  const socket = await TradeClient.of(bob)
  const { listener } = socket
  const refusedAs = async (text: string | Uint8Array, id: string | null, code: string) => {
    listener.heard.length = 0
    listener.say(text)
    expect(await listener.until(() => true), String(text)).toMatchObject({ id, body: { code } })
  }
  await refusedAs('{"id":"a","op":"steal"}', 'a', 'not_found')
  await refusedAs('{"id":"a","op":"place","body":{},"more":1}', 'a', 'invalid_payload')
  await refusedAs('{"id":"a","op":"place","op":"cancel-all"}', 'a', 'invalid_payload')
  await refusedAs(`{"id":"a","op":"cancel-all","body":${'['.repeat(9)}${']'.repeat(9)}}`, 'a', 'invalid_json')
  await refusedAs('{"id":"a","op":"cancel","body":{"__proto__":1}}', 'a', 'invalid_payload')
  await refusedAs('{"op":"cancel-all"}', null, 'invalid_payload')
  await refusedAs('{"id":-1,"op":"cancel-all"}', null, 'invalid_payload')
  await refusedAs(new Uint8Array([0xff, 0xfe]), null, 'invalid_json')
  await refusedAs(JSON.stringify({ id: 'a', op: 'cancel', body: { orderId: 'x'.repeat(70_000) } }), 'a', 'payload_too_large')
  listener.say('PING')
  await listener.until((message) => message === 'PONG')
  for (let n = 0; n < MALFORMED_FRAMES; n++) listener.say('{')
  expect(await listener.untilClosed()).toBe(CLOSE.malformed)
  const tooLong = await TradeClient.of(bob)
  tooLong.listener.say('x'.repeat(200_000))
  expect(await tooLong.listener.untilClosed()).toBe(1009)
})

test('an id that is under way may not be used again until it is answered', async () => {
  const socket = await TradeClient.of(alice)
  const frame = (clientOrderId: string) => ({ id: 'same', op: 'place', body: limit(market.yes, 'BUY', '0.1', '10', { clientOrderId }) })
  for (const name of ['first', 'second']) socket.listener.say(frame(`${name}-${Date.now()}`))
  await socket.listener.until(() => socket.listener.heard.filter(({ id }) => id === 'same').length === 2)
  const told = socket.listener.heard.filter(({ id }) => id === 'same').map(({ status }) => status)
  expect(told).toEqual([400, 200])
  socket.listener.heard.length = 0
  socket.listener.say({ id: 'same', op: 'cancel-all' })
  expect(await socket.answer('same')).toMatchObject({ status: 200, body: { canceled: [expect.any(String)] } })
  socket.kill()
})
