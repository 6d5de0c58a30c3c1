import { expect, test } from 'vitest'
import { send } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const compat = `${running.url}/compat`
const market = await registerMarket(running, 'misspelt')
const alice = await funded(running.url, wallets.alice, '100')
const user = `user=${wallets.alice.address}`
const cut = market.condition.slice(0, -1)

const refusedFor = (path: string) => ({
  status: 400,
  body: { error: 'Invalid payload', code: 'invalid_payload', details: [{ path, problem: expect.any(String) }] },
})

test.each([
  ['/trades?user=zz', 'user'],
  ['/trades?user=', 'user'],
  ['/trades?side=buys', 'side'],
  ['/trades?asset_id=0x12', 'asset_id'],
  [`/trades?market=${cut}`, 'market.0'],
  [`/trades?market=${market.condition},${cut}`, 'market.1'],
  ['/trades?market=', 'market'],
  ['/holders?market=', 'market'],
  ['/oi?market=', 'market'],
  ['/live-volume?market=', 'market'],
  [`/positions?${user}&market=`, 'market'],
  [`/closed-positions?${user}&market=${cut}`, 'market.0'],
  [`/activity?${user}&type=sold`, 'type.0'],
  ['/last-trades-prices?token_id=', 'token_id'],
  ['/midpoints?token_ids=', 'token_id'],
  ['/gamma/events?id=rain', 'id.0'],
  ['/gamma/markets?tag_id=sports', 'tag_id.0'],
])('GET %s is refused, and %s named', async (target, path) => {
  expect(await send(running.url, 'GET', target)).toMatchObject(refusedFor(path))
})

test.each([
  ['/data/orders?maker=alice', 'maker'],
  ['/data/trades?market=rain', 'market'],
  ['/data/trades?asset_id=yes', 'asset_id'],
  [`/events?after=0&market=${cut}`, 'market.0'],
])('signed, GET %s is refused, and %s named', async (target, path) => {
  expect(await alice.call('GET', target)).toMatchObject(refusedFor(path))
})

test.each([
  ['market', { market: cut }],
  ['asset_id', { asset_id: 'yes' }],
])('who cancels all orders of a misspelt %s is not told that there are none', async (path, body) => {
  const { orderId } = await alice.place(limit(market.yes, 'BUY', '0.2', '10'))
  expect(await alice.call('DELETE', '/cancel-market-orders', body)).toMatchObject(refusedFor(path))
  expect((await alice.call('DELETE', '/order', { orderId })).status).toBe(200)
})

test('a side that is none is refused; an empty one is both', async () => {
  const prices = (side: string) => send(running.url, 'POST', '/prices', JSON.stringify([{ token_id: market.yes, side }]))
  expect(await prices('BYU')).toMatchObject(refusedFor('0.side'))
  expect((await prices('')).body[market.yes]).toEqual({ BUY: null, SELL: null })
  expect((await prices('buy')).body[market.yes]).toEqual({ BUY: null })
})

test('an empty side has no price; in the established dialect it has 0', async () => {
  const price = async (url: string, side: string) => (await send(url, 'GET', `/price?token_id=${market.yes}&side=${side}`)).body
  for (const side of ['BUY', 'SELL']) {
    expect(await price(running.url, side)).toEqual({ price: null, best_bid: null, best_ask: null })
    expect(await price(compat, side)).toEqual({ price: '0', best_bid: '0', best_ask: '0' })
  }
  const last = async (url: string) => (await send(url, 'GET', `/last-trade-price?token_id=${market.yes}`)).body
  expect([await last(running.url), await last(compat)]).toEqual([
    { price: null, side: '' },
    { price: '0.5', side: '' },
  ])
})

test('an unknown account or token has an empty list', async () => {
  const unknownUser = `0x${'12'.repeat(20)}`
  const unknown = `0x${'12'.repeat(32)}`
  for (const target of [`/trades?user=${unknownUser}`, `/trades?market=${unknown}`, '/trades?asset_id=12'])
    expect((await send(running.url, 'GET', target)).body).toEqual({ data: [], next_cursor: 'LTE=' })
  for (const target of [
    `/data/orders?market=${unknown}`,
    '/data/orders?market=rain',
    '/data/orders?asset_id=12',
    `/data/trades?market=${unknown}`,
  ])
    expect((await alice.call('GET', target)).body.data).toEqual([])
  expect((await send(running.url, 'GET', '/gamma/events?id=999999')).body).toEqual([])
})

test.each([
  ['/trades?user=zz', 400, 'Invalid user'],
  [`/trades?market=${cut}`, 400, 'Invalid market'],
  ['/trades?side=buys', 400, 'Invalid side'],
  ['/trades?eventId=rain', 400, 'Invalid eventId'],
  [`/positions?${user}&eventId=`, 400, 'Invalid eventId'],
  ['/gamma/events?id=rain', 422, 'id is invalid'],
])('in the established dialect, GET %s is refused with %i in its words', async (target, status, error) => {
  const reply = await send(compat, 'GET', target)
  expect([reply.status, reply.body.error, reply.body.code]).toEqual([status, error, 'invalid_payload'])
})

test('kinds of activity that only the established service has are no mistake there', async () => {
  expect((await send(compat, 'GET', `/activity?${user}&type=REWARD`)).body).toEqual([])
})
