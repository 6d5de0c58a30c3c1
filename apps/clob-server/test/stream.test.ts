import { bookChecksum } from '@augury/wire/checksum'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { Listener, type Message } from './listener.ts'
import { funded, limit, registerMarket } from './market.ts'
import { RebuiltBook } from './rebuilt-book.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '100000')
const bob = await funded(running.url, wallets.bob, '100000')
const market = await registerMarket(running, 'streaming', { tick_size: '0.001' })

/** Opens a socket to the public stream. */
const open = (first?: object) => Listener.open(`${running.url.replace('http', 'ws')}/ws/market`, first)

const orderbook = async (token: string) => (await send(running.url, 'GET', `/orderbook?token_id=${token}`)).body
const kind = (event_type: string) => (message: Message) => message.event_type === event_type

test('an acknowledgement, the books as they are, then what changes on both tokens', async () => {
  const listener = await open({ type: 'market', assets_ids: [market.yes, '404'] })
  const subscribed = await listener.until(kind('subscribed'))
  expect(subscribed).toEqual({
    event_type: 'subscribed',
    markets: [market.condition],
    assets_ids: [market.yes],
    unknown: ['404'],
    seq: expect.any(Number),
    epoch: 1,
  })
  const first = await listener.until(kind('book'))
  expect(first).toMatchObject({ asset_id: market.yes, bids: [], asks: [], seq: expect.any(Number), epoch: 1 })

  const { seq } = await alice.place(limit(market.yes, 'BUY', '0.421', '10'))
  const change = await listener.until(kind('price_change'))
  expect(change).toMatchObject({
    market: market.condition,
    seq,
    prev_seq: first.seq,
    epoch: 1,
    price_changes: [
      { asset_id: market.yes, price: '0.421', size: '10', side: 'BUY', best_bid: '0.421', best_ask: '1' },
      { asset_id: market.no, price: '0.579', size: '10', side: 'SELL', best_bid: '0', best_ask: '0.579' },
    ],
    checksum: bookChecksum([{ price: '0.421', size: '10' }], []),
  })

  const fill = await bob.place(limit(market.no, 'BUY', '0.579', '6'))
  expect(await listener.until(kind('last_trade_price'))).toMatchObject({
    asset_id: market.no,
    price: '0.579',
    size: '6',
    side: 'BUY',
    trade_id: fill.tradeIDs[0],
    seq: fill.seq,
    prev_seq: seq,
  })
  const second = await listener.until((message) => message.event_type === 'price_change' && message.seq === fill.seq)
  expect(second.price_changes[0]).toMatchObject({ price: '0.421', size: '4' })
  listener.kill()
  await alice.call('DELETE', '/cancel-all')
})

test('custom features: the top, a new market, and how one ends', async () => {
  const custom = await open({ type: 'market', markets: [market.condition], custom_feature_enabled: true })
  const plain = await open({ type: 'market', markets: [market.condition] })
  const everyone = await open({ type: 'market', assets_ids: [], custom_feature_enabled: true })
  await custom.until((message) => message.event_type === 'book' && message.asset_id === market.no)
  await plain.until((message) => message.event_type === 'book' && message.asset_id === market.no)
  await alice.place(limit(market.yes, 'BUY', '0.2', '10'))
  expect(await custom.until(kind('best_bid_ask'))).toMatchObject({ asset_id: market.yes, best_bid: '0.2', best_ask: '1' })
  const born = await registerMarket(running, 'streaming-born')
  expect(await custom.until(kind('new_market'))).toMatchObject({
    market: born.condition,
    assets_ids: [born.yes, born.no],
    slug: 'streaming-born',
  })

  custom.say({ operation: 'subscribe', markets: [born.condition] })
  await custom.until((message) => message.event_type === 'book' && message.asset_id === born.no)
  const operator = await Caller.of(running.url, wallets.operator, 'venue')
  await operator.call('POST', `/operator/conditions/${born.condition}/close`)
  expect(await custom.until(kind('market_mode'))).toMatchObject({ market: born.condition, mode: 'closed' })
  expect((await operator.call('POST', `/operator/conditions/${born.condition}/resolve`, { weights: [10_000, 0] })).status).toBe(200)
  expect(await custom.until(kind('market_resolved'))).toMatchObject({
    market: born.condition,
    winning_asset_id: born.yes,
    winning_outcome: 'Yes',
  })
  // Also to sockets that follow other markets, or none.
  expect(await everyone.until(kind('market_resolved'))).toMatchObject({ market: born.condition, winning_asset_id: born.yes })
  expect(custom.heard.filter(kind('market_resolved'))).toHaveLength(1)
  everyone.kill()
  await plain.until(kind('price_change'))
  expect(
    plain.heard.filter((message) => ['best_bid_ask', 'new_market', 'market_mode', 'market_resolved'].includes(message.event_type)),
  ).toEqual([])
  custom.kill()
  plain.kill()
})

test('a finer tick is announced for both tokens, and whole books follow', async () => {
  const coarse = await registerMarket(running, 'streaming-coarse')
  const listener = await open({ type: 'market', markets: [coarse.condition] })
  await listener.until((message) => message.event_type === 'book' && message.asset_id === coarse.no)
  const operator = await Caller.of(running.url, wallets.operator, 'venue')
  expect((await operator.call('PATCH', `/operator/conditions/${coarse.condition}`, { tick_size: '0.001' })).status).toBe(200)
  expect(await listener.until(kind('tick_size_change'))).toMatchObject({
    asset_id: coarse.yes,
    old_tick_size: '0.01',
    new_tick_size: '0.001',
  })
  expect(
    await listener.until((message) => message.event_type === 'book' && message.tick_size === '0.001' && message.asset_id === coarse.no),
  ).toBeTruthy()
  // the same again, as after a lost answer, changes nothing and is not broadcast
  const seq = async () => (await send(running.url, 'GET', '/status')).body.seq
  const before = await seq()
  const terms = { tick_size: '0.001', mode: 'open', fee_rate_bps: 0 }
  expect((await operator.call('PATCH', `/operator/conditions/${coarse.condition}`, terms)).status).toBe(200)
  expect(await seq()).toBe(before)
  listener.kill()
})

test('a book that is asked for has the position of the stream, also once its market is closed', async () => {
  const { condition, yes } = await registerMarket(running, 'streaming-closed')
  await alice.place(limit(yes, 'BUY', '0.4', '10'))
  await alice.call('DELETE', '/cancel-all')
  const operator = await Caller.of(running.url, wallets.operator, 'venue')
  const before = await open({ type: 'market', assets_ids: [yes] })
  const book = await before.until(kind('book'))
  expect((await operator.call('POST', `/operator/conditions/${condition}/close`)).status).toBe(200)
  const { seq } = await orderbook(yes)
  const after = await open({ type: 'market', assets_ids: [yes] })
  expect(await after.until(kind('book'))).toEqual(book)
  expect(seq).toBe(book.seq)
  for (const listener of [before, after]) listener.kill()
})

test('a book rebuilt from the stream, with sockets killed and resumed at random, equals the one that is asked for', async () => {
  const { yes, no, condition } = await registerMarket(running, 'streaming-rebuilt', { tick_size: '0.001' })
  let random = 17
  const next = (below: number) => {
    random = (random * 48_271) % 2_147_483_647
    return random % below
  }
  const books = [new RebuiltBook(yes), new RebuiltBook(no)]
  const absorb = (listener: Listener) => {
    for (const message of listener.heard.splice(0)) for (const book of books) book.apply(message)
  }
  let listener = await open({ type: 'market', markets: [condition] })
  await listener.until((message) => message.event_type === 'book' && message.asset_id === no)
  absorb(listener)

  for (let round = 0; round < 12; round++) {
    const orders = Array.from({ length: 15 }, () => {
      const caller = next(2) ? alice : bob
      return caller.place(limit(next(2) ? yes : no, 'BUY', `0.${String(300 + next(300))}`, String(5 + next(20))))
    })
    if (next(3) === 0) {
      absorb(listener)
      listener.kill()
      await Promise.all(orders)
      listener = await open({ operation: 'resume', market: condition, seq: books[0]!.seq, epoch: 1 })
      await listener.until(kind('subscribed'))
    } else await Promise.all(orders)
    const { seq } = await orderbook(yes)
    await listener
      .until((message) => message.seq >= seq && message.event_type !== 'subscribed' && message.event_type !== 'heartbeat')
      .catch(() => {})
    absorb(listener)
    for (const book of books) {
      const { bids, asks, seq: at } = await orderbook(book.token)
      expect([round, book.seq, book.levels()]).toEqual([round, at, { bids, asks }])
    }
  }
  listener.kill()
})

test('a stream goes on from a token too, and from nothing else', async () => {
  const first = await open({ type: 'market', assets_ids: [market.no] })
  const { seq, epoch } = await first.until(kind('book'))
  first.kill()
  const { orderId } = await alice.place(limit(market.no, 'BUY', '0.11', '7'))
  const listener = await open({ operation: 'resume', asset_id: market.no, seq, epoch })
  expect(await listener.until(kind('subscribed'))).toMatchObject({ assets_ids: [market.no] })
  expect(await listener.until(kind('price_change'))).toMatchObject({ prev_seq: seq })
  listener.kill()
  for (const wish of [{}, { asset_id: market.no, market: market.condition }]) {
    const elsewhere = await open({ operation: 'resume', ...wish, seq, epoch })
    expect(await elsewhere.until(kind('error'))).toMatchObject({ code: 'invalid_payload' })
    elsewhere.kill()
  }
  await alice.call('DELETE', '/order', { orderId })
})

test('resuming one market sends that one, however many others are followed', async () => {
  const other = await registerMarket(running, 'streaming-beside')
  const listener = await open({ type: 'market', markets: [other.condition], initial_dump: false })
  await listener.until(kind('subscribed'))
  const { seq } = await orderbook(market.no)
  listener.say({ operation: 'resume', market: market.condition, seq, epoch: 1 })
  const told = (one: string) => listener.until((message) => message.event_type === 'subscribed' && message.markets.includes(one))
  expect(await told(market.condition)).toMatchObject({ markets: [market.condition], assets_ids: [market.yes, market.no] })
  listener.say({ operation: 'unsubscribe', assets_ids: [market.no] })
  expect(await listener.until((message) => message.markets?.length === 2)).toMatchObject({ assets_ids: [other.yes, other.no, market.yes] })
  listener.kill()
})

test('what was missed too long ago begins anew', async () => {
  const listener = await open({ operation: 'resume', market: market.condition, seq: 1, epoch: 1 })
  expect(await listener.until(kind('resync'))).toMatchObject({ market: market.condition })
  expect(await listener.until((message) => message.event_type === 'book' && message.asset_id === market.no)).toBeTruthy()
  const { seq } = await orderbook(market.yes)
  for (const point of [
    { seq: 1, epoch: 99 }, // of another timeline
    { seq, epoch: 99 },
    { seq: seq + 1000, epoch: 1 }, // of the future
  ]) {
    const elsewhere = await open({ operation: 'resume', market: market.condition, ...point })
    expect(await elsewhere.until(kind('resync'))).toMatchObject({ market: market.condition, seq })
    expect(await elsewhere.until(kind('book'))).toMatchObject({ seq, epoch: 1 })
    elsewhere.kill()
  }
  const nowhere = await open({ operation: 'resume', market: 'nowhere', seq: 1, epoch: 1 })
  expect(await nowhere.until(kind('subscribed'))).toMatchObject({ markets: [], unknown: ['nowhere'] })
  nowhere.kill()
  listener.kill()
})

test('a follower of both tokens who resumes one too late gets both books anew', async () => {
  const listener = await open({ type: 'market', markets: [market.condition] })
  await listener.until(kind('book'))
  listener.say({ operation: 'resume', asset_id: market.no, seq: 1, epoch: 1 })
  await listener.until(kind('resync')) // it throws away the books of the market, not of one token
  await listener.until((message) => message.event_type === 'book' && message.asset_id === market.no)
  const anew = listener.heard.slice(listener.heard.findIndex(kind('resync')))
  expect(anew.filter(kind('book')).map(({ asset_id }) => asset_id)).toEqual([market.yes, market.no])
  listener.kill()
})

test('PING is answered, nonsense is named, too much is the end', async () => {
  const listener = await open()
  listener.say('PING')
  expect(await listener.until((message) => message === 'PONG')).toBe('PONG')
  listener.say({ type: 'market', assets_ids: [7] })
  const problem = { path: 'assets_ids.0', problem: 'Invalid input: expected string, received number' }
  expect(await listener.until(kind('error'))).toEqual({
    event_type: 'error',
    error: 'Invalid payload',
    code: 'invalid_payload',
    details: [problem],
  })
  listener.say('not JSON')
  const unread = await listener.until((message) => message.code === 'invalid_json')
  expect(unread).toEqual({ event_type: 'error', error: 'Invalid JSON', code: 'invalid_json' })
  listener.say({ type: 'market', assets_ids: [market.yes] })
  await listener.until(kind('book'))
  listener.say({ operation: 'unsubscribe', assets_ids: [market.yes] })
  await listener.until((message) => message.event_type === 'subscribed' && message.markets.length === 0)
  expect(listener.heard.filter(kind('error'))).toHaveLength(2)
  listener.say('x'.repeat(70_000))
  expect(await listener.untilClosed()).toBe(1009)
})

test('heartbeats say where the followed channels stand', async () => {
  const listener = await open({ type: 'market', assets_ids: [market.yes], initial_dump: false })
  const beat = await listener.until(kind('heartbeat'))
  const { seq } = await orderbook(market.yes)
  expect(beat).toEqual({
    event_type: 'heartbeat',
    timestamp: expect.stringMatching(/^\d{13}$/),
    seq: expect.any(Number),
    epoch: 1,
    channels: { [market.condition]: seq },
  })
  expect(listener.heard.filter(kind('book'))).toEqual([])
  listener.kill()
})

test('a socket gets a close frame when the service stops', async () => {
  const listener = await open({ type: 'market', assets_ids: [market.yes] })
  await listener.until(kind('book'))
  await running.restart()
  expect(await listener.untilClosed()).toBe(1013)
})
