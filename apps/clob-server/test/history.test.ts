import { setTimeout as wait } from 'node:timers/promises'
import { openClob } from '@augury/domain/clob/database'
import { expect, test } from 'vitest'
import { send } from './caller.ts'
import { funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const market = await registerMarket(running, 'history')
const alice = await funded(running.url, wallets.alice, '1000')
const bob = await funded(running.url, wallets.bob, '1000')
const order = (tokenId: string, price: string) => ({ tokenId, side: 'BUY', orderType: 'GTC', price, size: '10' })
await alice.call('POST', '/order', order(market.yes, '0.4'))
await bob.call('POST', '/order', order(market.no, '0.6'))
await alice.call('POST', '/order', order(market.yes, '0.3'))
await alice.call('POST', '/order', order(market.no, '0.3'))
await alice.call('GET', '/data/trades') // history has it now

const get = (target: string) => send(running.url, 'GET', target)
const now = () => Math.floor(Date.now() / 1000)

test('a price history says what was traded, and ends with the price displayed now', async () => {
  const asked = now()
  const { body } = await get(`/prices-history?market=${market.yes}&interval=1d&fidelity=1`)
  const no = await get(`/prices-history?market=${market.no}&interval=max`)
  expect(body.history.at(-1).p).toBe(0.4) // bid .3, ask .7: too wide, so the last trade
  expect(no.body.history.at(-1).p).toBe(0.6)
  expect(body.history.at(-1).t).toBeGreaterThan(asked - 2)
})

test('a market that is quoted and never traded has the prices that lists showed', async () => {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 15_000) await wait(left) // what stands while quotes move is kept where a minute ends
  const quoted = await registerMarket(running, 'history-quoted')
  const quote = async (bid: string, ask: string) => {
    await alice.call('DELETE', '/cancel-market-orders', { market: quoted.condition })
    await alice.call('POST', '/order', { tokenId: quoted.yes, side: 'BUY', orderType: 'GTC', price: bid, size: '10' })
    await alice.call('POST', '/order', { tokenId: quoted.no, side: 'BUY', orderType: 'GTC', price: ask, size: '10' })
    await alice.call('GET', '/data/trades')
  }
  const orm = await openClob(running.settings.clobDatabaseUrl)
  const back = (minutes: number) =>
    orm.em.fork().execute('update shown_price set minute = minute - ? * 60000 where half_steps <> 10000', [minutes])
  await quote('0.2', '0.75') // midpoint of .2 and .25
  await back(30)
  await quote('0.3', '0.66')
  await orm.close()
  const history = async (target: string) => (await get(target)).body.history as { t: number; p: number }[]
  const begin = now() - 45 * 60 // before it was registered there is nothing
  const yes = await history(`/prices-history?market=${quoted.yes}&startTs=${begin}&fidelity=1`)
  const no = await history(`/prices-history?market=${quoted.no}&startTs=${begin}&fidelity=1`)
  expect(yes.map(({ p }) => p)).toEqual([...yes.slice(1).map(() => 0.225), 0.32])
  expect(no.map(({ p }) => p)).toEqual([...no.slice(1).map(() => 0.775), 0.68])
  expect(yes.slice(0, -1).every(({ t }) => t % 60 === 0)).toBe(true)
})

test('of a range that has passed there is what held then', async () => {
  const past = await get(`/prices-history?market=${market.yes}&startTs=0&endTs=1000`)
  expect(past.body).toEqual({ history: [] })
  const one = await get(`/prices-history?market=${market.yes}&startTs=${now() - 3600}&endTs=${now() - 1}&fidelity=1`)
  expect(one.body.history.every(({ p }: { p: number }) => p === 0.4)).toBe(true)
  expect((await get('/prices-history?market=12')).body.code).toBe('unknown_token')
})

test('windows have points on the grid alone, and side by side they are the whole', async () => {
  const [from, middle, to] = [now() - 3601, now() - 1795, now()]
  for (const mount of ['', '/compat']) {
    const window = async (startTs: number, endTs: number) =>
      (await get(`${mount}/prices-history?market=${market.yes}&fidelity=1&startTs=${startTs}&endTs=${endTs}`)).body.history
    const whole = await window(from, to)
    expect(whole.filter(({ t }: { t: number }) => t % 60 !== 0)).toEqual([])
    expect([...(await window(from, middle)), ...(await window(middle + 1, to))]).toEqual(whole)
  }
})

test('several at once: unknown tokens are left out', async () => {
  const body = { markets: [market.yes, market.no, '12', market.yes], interval: '1h' }
  const reply = await send(running.url, 'POST', '/batch-prices-history', JSON.stringify(body))
  expect(Object.keys(reply.body.history).sort()).toEqual([market.yes, market.no].sort())
  const many = { markets: Array.from({ length: 21 }, String) }
  expect((await send(running.url, 'POST', '/batch-prices-history', JSON.stringify(many))).status).toBe(400)
})

test.each(['/markets/live-activity/', '/live-activity/events/'])('%s is the tape of a market', async (path) => {
  const { body } = await get(path + market.condition)
  expect(body).toMatchObject([
    { event_type: 'trade', side: 'BUY', size: '10', price: '0.6', outcome: 'No', user: { address: wallets.bob.address, username: '' } },
  ])
  expect(body[0].timestamp).toBe(String(Math.floor(Date.parse(body[0].timestamp_iso) / 1000)))
  expect((await get(`${path}0x12`)).status).toBe(404)
})

test('who was filled is notified until the notification is dropped, also after a restart', async () => {
  const { body } = await alice.call('GET', '/notifications?signature_type=0')
  const filled = body.filter(({ type }: { type: number }) => type === 2)
  expect(filled).toMatchObject([{ type: 2, owner: alice.key.key, payload: { state: 'filled', price: '0.4' } }])
  const [{ payload }] = filled
  expect(payload.associate_trades).toHaveLength(1)
  expect(payload).toEqual((await alice.call('GET', `/data/order/${payload.id}`)).body)
  expect((await alice.call('DELETE', `/notifications?ids=${body.map(({ id }: { id: number }) => id)},x`)).body).toBe('OK')
  await running.restart()
  expect((await alice.call('GET', '/notifications')).body).toEqual([])
  expect((await bob.call('GET', '/notifications')).body).toHaveLength(1)
})

test('an order that its owner cancelled is among the notifications', async () => {
  const { body: placed } = await alice.call('POST', '/order', {
    tokenId: market.yes,
    side: 'BUY',
    orderType: 'GTC',
    price: '0.01',
    size: '10',
  })
  await alice.call('DELETE', '/order', { orderId: placed.orderId })
  const { body } = await alice.call('GET', '/notifications')
  expect(body.slice(0, 1)).toMatchObject([{ type: 1, owner: alice.key.key, payload: { id: placed.orderId } }])
  await alice.call('DELETE', '/notifications')
})

test('of ids that are no notification of the account nothing is kept', async () => {
  const { body } = await bob.call('GET', '/notifications')
  const ids = [body[0].id + 1_000_000, Number.MAX_SAFE_INTEGER, ...Array.from({ length: 400 }, (_, n) => n + 1)]
  const others = ids.filter((id) => id !== body[0].id)
  const orm = await openClob(running.settings.clobDatabaseUrl)
  const kept = async () => (await orm.em.fork().execute('select account, id from dropped_notification')).length
  const before = await kept()
  expect((await bob.call('DELETE', `/notifications?ids=${others}`)).body).toBe('OK')
  expect(await kept()).toBe(before)
  await orm.close()
  expect((await bob.call('GET', '/notifications')).body).toHaveLength(1)
})

const none = { limit: 100, count: 0, next_cursor: 'LTE=', data: [] }
test.each([
  ['GET', '/data/pre-migration-orders', undefined, none],
  ['GET', '/order-scoring?order_id=0x12', undefined, { scoring: false }],
  ['POST', '/orders-scoring', ['0x12'], { '0x12': false }],
  ['GET', '/rewards/user?date=2026-01-01&next_cursor=MA==', undefined, none],
  ['GET', '/rewards/user/total?date=2026-01-01', undefined, []],
  ['GET', '/rewards/user/markets?date=2026-01-01&order_by=x&no_competition=true', undefined, none],
  ['GET', '/rewards/user/percentages', undefined, {}],
  ['GET', '/rewards/markets/current', undefined, none],
  ['GET', '/rewards/markets/0x12', undefined, none],
  ['GET', '/builder/trades?builder_code=0x01&next_cursor=MA==', undefined, none],
  ['GET', '/fees/builder-fees/0x12', undefined, { builder_maker_fee_rate_bps: 0, builder_taker_fee_rate_bps: 0 }],
])('%s %s has a short answer', async (method, target, body, answer) => {
  const reply = await alice.call(method, target, body)
  expect([reply.status, reply.body]).toEqual([200, answer])
})

test.each([
  ['POST', '/auth/builder-api-key'],
  ['GET', '/auth/builder-api-key'],
  ['DELETE', '/auth/builder-api-key'],
  ['POST', '/rfq/request'],
  ['GET', '/rfq/data/best-quote'],
])('%s %s is of another venue', async (method, target) => {
  const reply = await send(running.url, method, target)
  expect([reply.status, reply.body]).toEqual([501, { error: 'not supported by this venue', code: 'unsupported' }])
})

test('an order names the trades it had a part in, as taker and as maker, open or filled', async () => {
  const order = (side: 'BUY' | 'SELL', tokenId: string, price: string, size: string) => ({ tokenId, side, orderType: 'GTC', price, size })
  const maker = await alice.call('POST', '/order', order('BUY', market.yes, '0.45', '10'))
  const taker = await bob.call('POST', '/order', order('BUY', market.no, '0.55', '6'))
  const mine = await alice.call('GET', '/data/orders')
  const own = mine.body.data.find(({ id }: { id: string }) => id === maker.body.orderId)
  expect(own).toMatchObject({ state: 'partially_filled', associate_trades: taker.body.tradeIDs })
  const his = await bob.call('GET', `/data/order/${taker.body.orderId}`)
  expect(his.body).toMatchObject({ state: 'filled', associate_trades: taker.body.tradeIDs })
  const looked = await alice.call('POST', '/data/orders', [maker.body.orderId, taker.body.orderId])
  expect(looked.body.map(({ status, order }: { status: number; order?: object }) => [status, order])).toEqual([
    [200, own],
    [403, undefined],
  ])
})
