import { Cursors } from '@augury/venue/serve/operations/cursors'
import { expect, test } from 'vitest'
import { send } from './caller.ts'
import { Listener } from './listener.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const market = await registerMarket(running, 'lists')
const alice = await funded(running.url, wallets.alice, '10000')
const bob = await funded(running.url, wallets.bob, '10000')

const get = (target: string) => send(running.url, 'GET', target)

test('what was just traded is in everybody’s list as soon as its order is answered', async () => {
  for (let round = 0; round < 5; round++) {
    await alice.call('POST', '/order', limit(market.yes, 'BUY', '0.4', '10'))
    const { body } = await bob.call('POST', '/order', limit(market.no, 'BUY', '0.6', '10'))
    const { data } = (await get(`/trades?market=${market.condition}&limit=1`)).body
    expect(data[0].id).toBe(body.tradeIDs[0])
  }
})

test('a trade has one id: in the answer to its order and to the same order again, in both histories, on the stream', async () => {
  const listener = await Listener.open(`${running.url.replace('http', 'ws')}/ws/market`, { type: 'market', markets: [market.condition] })
  await listener.until((message) => message.event_type === 'book' && message.asset_id === market.no)
  for (const price of ['0.31', '0.32', '0.32']) await alice.call('POST', '/order', limit(market.yes, 'BUY', price, '10'))
  const taking = limit(market.no, 'BUY', '0.69', '30')
  const { body } = await bob.call('POST', '/order', taking)
  const { seq } = body
  expect([body.tradeIDs, body.transactionsHashes.length]).toEqual([[`${seq}-1`, `${seq}-3`], 2])
  const told = (await get(`/trades?market=${market.condition}&limit=2`)).body.data
  expect(told.map(({ id, size }: { id: string; size: string }) => [id, size])).toEqual([
    [`${seq}-3`, '10'],
    [`${seq}-1`, '20'],
  ])
  const own = (await bob.call('GET', `/data/trades?id=${seq}-1`)).body.data
  expect([own[0].transaction_hash, own[0].maker_orders.length]).toEqual([body.transactionsHashes[0], 2])
  const again = await bob.call('POST', '/order', taking)
  expect(again.body).toEqual({ ...body, replayed: true })
  expect((await bob.call('GET', `/data/order/${body.orderId}`)).body.associate_trades).toEqual(body.tradeIDs)
  await listener.until((message) => message.fill_id === `${seq}-3`)
  const fills = listener.heard.filter((message) => message.seq === seq && message.event_type === 'last_trade_price')
  expect(fills.map(({ trade_id, fill_id }) => [trade_id, fill_id])).toEqual([
    [`${seq}-1`, `${seq}-1`],
    [`${seq}-1`, `${seq}-2`],
    [`${seq}-3`, `${seq}-3`],
  ])
  listener.kill()
})

test('trades of several markets are one list', async () => {
  const other = await registerMarket(running, 'others')
  await alice.call('POST', '/order', limit(other.yes, 'BUY', '0.4', '10'))
  await bob.call('POST', '/order', limit(other.no, 'BUY', '0.6', '10'))
  const markets = async (query: string) =>
    (await get(`/trades?limit=2&${query}`)).body.data?.map(({ market }: { market: string }) => market)
  const both = [other.condition, market.condition]
  expect(await markets(`market=${market.condition}`)).toEqual([market.condition, market.condition])
  expect(await markets(`market=${both.join(',')},0x${'1'.repeat(64)}`)).toEqual(both)
  expect(await markets(both.map((id) => `market=${id.toUpperCase()}`).join('&'))).toEqual(both)
  for (const none of ['', ',', `${both[0]},0x1`, both[0] + `,${both[1]}`.repeat(100)])
    expect((await get(`/trades?market=${none}`)).status).toBe(400)
})

test('a cursor goes on in the list that handed it out, and in no other', async () => {
  const first = (await get(`/trades?market=${market.condition}&limit=2`)).body
  const cursor = encodeURIComponent(first.next_cursor)
  const second = (await get(`/trades?limit=3&market=${market.condition}&next_cursor=${cursor}`)).body
  expect(second.data).toHaveLength(3)
  expect(second.data.some(({ id }: { id: string }) => first.data.some((one: { id: string }) => one.id === id))).toBe(false)
  const events = (await alice.call('GET', '/events?limit=1')).body.next_cursor
  for (const [caller, target] of [
    [null, `/trades?next_cursor=${cursor}`],
    [null, `/trades?market=${market.condition}&side=BUY&next_cursor=${cursor}`],
    [null, `/markets?next_cursor=${cursor}`],
    [null, '/markets?next_cursor=MTAw'],
    [alice, `/data/trades?next_cursor=${cursor}`],
    [alice, `/data/orders?next_cursor=${encodeURIComponent(events)}`],
    [bob, `/events?next_cursor=${encodeURIComponent(events)}`],
    [alice, `/events?market=${market.condition}&next_cursor=${encodeURIComponent(events)}`],
  ] as const) {
    const { status, body } = caller ? await caller.call('GET', target) : await get(target)
    expect([target, status, body.code]).toEqual([target, 400, 'invalid_payload'])
  }
  for (const target of ['/trades?next_cursor=LTE=', '/markets?next_cursor=LTE=']) {
    expect((await get(target)).body).toMatchObject({ data: [], next_cursor: 'LTE=' })
  }
})

test.each(['9999999999', '9007199254740991', '9007199254740992', '9999999999999999'])('no list fails at place %s', async (place) => {
  const lists: [list: string, filters: object, target: string][] = [
    ['state-roots', {}, '/proof/roots'],
    ['markets', {}, '/markets'],
    ['events', { account: wallets.alice.address.toLowerCase() }, '/events'],
    ['orders', { account: wallets.alice.address.toLowerCase() }, '/data/orders'],
  ]
  for (const [list, filters, target] of lists) {
    const { status, body } = await alice.call('GET', `${target}?next_cursor=${new Cursors(list, filters).at(place)}`)
    const answer = status === 200 ? body.data : body.code
    expect([target, answer]).toEqual([target, Number.isSafeInteger(Number(place)) ? [] : 'invalid_payload'])
  }
})

test('a leg that fails unexpectedly takes no answer from the others', async () => {
  const { context } = running.server.edge
  const submit = context.venue.submit.bind(context.venue)
  const broken = limit(market.yes, 'BUY', '0.2', '10')
  context.venue.submit = async (command) => {
    if (command.type === 'place' && command.lots === 1100) throw new TypeError('a bug')
    return submit(command)
  }
  const { status, body } = await alice.call('POST', '/orders', [
    broken,
    limit(market.yes, 'BUY', '0.2', '11'),
    limit(market.yes, 'BUY', '0.2', '12'),
  ])
  context.venue.submit = submit
  expect([status, body.map(({ success, code }: { success: boolean; code?: string }) => code ?? success)]).toEqual([
    200,
    [true, 'internal_error', true],
  ])
})

test('a long page of events is made in turns, however many orders one command changed', async () => {
  const { seq } = (await get('/status')).body
  const legs = () => Array.from({ length: 15 }, () => limit(market.yes, 'BUY', '0.1', '10'))
  for (let batch = 0; batch < 8; batch++) await alice.call('POST', '/orders', legs())
  await alice.call('DELETE', '/cancel-all')
  const { markets } = running.server.edge.context
  const find = markets.market.bind(markets)
  let turn = 0
  let isOver = false
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  count()
  const shown = new Map<number, number>()
  markets.market = (condition) => {
    shown.set(turn, (shown.get(turn) ?? 0) + 1)
    return find(condition)
  }
  const { body } = await alice.call('GET', `/events?after=${seq}&limit=500`)
  isOver = true
  markets.market = find
  const types = Map.groupBy(body.data, ({ type }: { type: string }) => type)
  expect([types.get('PLACEMENT')?.length, body.data.slice(-120).every(({ type }: { type: string }) => type === 'CANCELLATION')]).toEqual([
    120,
    true,
  ])
  expect(Math.max(...shown.values())).toBeLessThanOrEqual(50)
})
