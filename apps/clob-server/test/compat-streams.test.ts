import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Caller } from './caller.ts'
import { funded, registerMarket, type TestMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const market = await registerMarket(running, 'compat-streams')
const alice = await funded(running.url, wallets.alice, '1000')
const bob = await funded(running.url, wallets.bob, '1000')

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
type Message = any

/** A raw socket and all that it heard. */
async function listen(path: string, ...frames: unknown[]) {
  const socket = new WebSocket(running.url.replace('http', 'ws') + path)
  const heard: Message[] = []
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  const replies: Message[] = [] // what is said of the requests themselves
  socket.on('message', (data) => {
    const message = read(data.toString())
    const isReply = ['subscribed', 'error'].includes(message.event_type)
    ;(isReply ? replies : heard).push(message)
  })
  let pings = 0
  socket.on('ping', () => pings++)
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  const say = (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  frames.forEach(say)
  return { socket, heard, replies, closed, say, pings: () => pings, events: () => heard.flatMap((one) => one.event_type ?? []) }
}

function read(text: string): Message {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

let names = 0
const bid = (who: Caller, tokenId: string, price: string, size = '10') =>
  who.call('POST', '/order', { tokenId, side: 'BUY', orderType: 'GTC', price, size, clientOrderId: `bid-${names++}` })
const auth = ({ key }: Caller) => ({ apiKey: key.key, secret: key.secret, passphrase: key.passphrase })

describe('/compat/ws/market', () => {
  test('begins with an array of whole books, then tells changes on both tokens with the hashes of their books', async () => {
    const one = await listen('/compat/ws/market', { type: 'market', assets_ids: [market.yes, market.no, '12'] })
    await expect.poll(() => one.heard.length).toBe(1)
    expect(one.heard[0].map(({ event_type, asset_id }: Message) => [event_type, asset_id])).toEqual([
      ['book', market.yes],
      ['book', market.no],
    ])
    const { body } = await bid(alice, market.yes, '0.4')
    await expect.poll(() => one.heard.length).toBe(2)
    const { price_changes, market: condition, ...rest } = one.heard[1]
    expect([condition, rest]).toEqual([market.condition, { event_type: 'price_change', timestamp: expect.any(String) }])
    const books = await Promise.all(
      [market.yes, market.no].map((id) => fetch(`${running.url}/book?token_id=${id}`).then((reply) => reply.json())),
    )
    expect(price_changes).toEqual([
      { asset_id: market.yes, price: '0.4', size: '10', side: 'BUY', hash: books[0].hash, best_bid: '0.4', best_ask: '1' },
      { asset_id: market.no, price: '0.6', size: '10', side: 'SELL', hash: books[1].hash, best_bid: '0', best_ask: '0.6' },
    ])
    await alice.call('DELETE', '/order', { orderId: body.orderID })
    one.socket.terminate()
  })

  test('tells trades, and what only custom features show to who asked for them', async () => {
    const plain = await listen('/compat/ws/market', { type: 'Market', assets_ids: [market.yes], initial_dump: false })
    const custom = await listen('/compat/ws/market', { type: 'market', assets_ids: [market.yes], custom_feature_enabled: true })
    await expect.poll(() => custom.heard.length).toBe(1)
    await bid(alice, market.yes, '0.4')
    await bid(bob, market.no, '0.6')
    await expect.poll(plain.events).toEqual(['price_change', 'book', 'price_change'])
    await expect.poll(custom.events).toEqual(['price_change', 'best_bid_ask', 'book', 'price_change', 'best_bid_ask'])
    const trade = await listen('/compat/ws/market', { type: 'market', assets_ids: [market.no], initial_dump: false })
    plain.say({ operation: 'unsubscribe', assets_ids: [market.yes] })
    plain.say('PING')
    await expect.poll(() => plain.heard.at(-1)).toBe('PONG')
    await bid(alice, market.yes, '0.4')
    await bid(bob, market.no, '0.6')
    await expect
      .poll(() => trade.heard.find(({ event_type }) => event_type === 'last_trade_price'))
      .toMatchObject({ price: '0.6', size: '10', side: 'BUY', asset_id: market.no })
    expect(plain.heard.at(-1)).toBe('PONG')
    plain.say('nonsense')
    await expect.poll(() => plain.heard.at(-1)).toBe('INVALID OPERATION')
    for (const { socket } of [plain, custom, trade]) socket.terminate()
  })

  test('a finer tick is told with the books of the new grid; a new market and an end to those with custom features', async () => {
    const operator = await Caller.of(running.url, wallets.operator, 'venue')
    const there = await registerMarket(running, 'compat-grid')
    const one = await listen('/compat/ws/market', {
      type: 'market',
      assets_ids: [there.yes],
      custom_feature_enabled: true,
      initial_dump: false,
    })
    one.say('PING')
    await expect.poll(() => one.heard).toHaveLength(1)
    await operator.call('PATCH', `/operator/conditions/${there.condition}`, { tick_size: '0.001' })
    await expect.poll(one.events).toEqual(['tick_size_change', 'book'])
    expect(one.heard[1]).toMatchObject({ old_tick_size: '0.01', new_tick_size: '0.001', asset_id: there.yes })
    const born = await registerMarket(running, 'compat-new')
    await expect.poll(one.events).toEqual(['tick_size_change', 'book', 'new_market'])
    one.say({ operation: 'subscribe', assets_ids: [born.yes], initial_dump: false })
    const resolved = async ({ condition }: TestMarket, weights: number[]) => {
      await operator.call('POST', `/operator/conditions/${condition}/close`)
      const resolve = () => operator.call('POST', `/operator/conditions/${condition}/resolve`, { weights })
      await expect.poll(async () => (await resolve()).status).toBe(200)
      await expect.poll(() => one.heard.at(-1)).toMatchObject({ event_type: 'market_resolved', market: condition })
      return one.heard.at(-1)
    }
    expect(await resolved(there, [10_000, 0])).toMatchObject({ winning_asset_id: there.yes, winning_outcome: 'Yes' })
    const tie = { winning_asset_id: '', winning_outcome: '', payouts: ['0.5', '0.5'] } // texts, which is all that some clients read
    expect(await resolved(born, [5000, 5000])).toMatchObject(tie)
    one.socket.terminate()
  })
})

describe('/compat/ws/market replies', () => {
  test('say what is followed and which ids are no tokens', async () => {
    const one = await listen('/compat/ws/market', { type: 'market', assets_ids: [market.yes, market.condition, '12'] })
    await expect
      .poll(() => one.replies)
      .toEqual([
        { event_type: 'subscribed', markets: [market.condition], assets_ids: [market.yes] },
        { event_type: 'error', error: expect.any(String), code: 'unknown_token', details: { unknown: [market.condition, '12'] } },
      ])
    const none = await listen('/compat/ws/market', { type: 'market', assets_ids: [] })
    await expect.poll(() => none.replies.map(({ code }) => code)).toEqual([undefined, 'invalid_payload'])
    for (const { socket } of [one, none]) socket.terminate()
  })
})

describe('/compat/ws/user', () => {
  test('tells who holds the secrets of a key what becomes of its orders, in the markets asked for', async () => {
    const one = await listen('/compat/ws/user', { type: 'user', auth: auth(alice) })
    const other = await listen('/compat/ws/user', { type: 'user', auth: auth(alice), markets: [`0x${'12'.repeat(32)}`] })
    for (const each of [one, other]) each.say('PING')
    await expect.poll(() => [one.heard, other.heard]).toEqual([['PONG'], ['PONG']])
    await bid(alice, market.yes, '0.4')
    await bid(bob, market.no, '0.6', '5')
    await alice.call('DELETE', '/cancel-all')
    await expect
      .poll(() => one.heard.slice(1).map(({ event_type, type, status }) => [event_type, type, status]))
      .toEqual([
        ['order', 'PLACEMENT', 'LIVE'],
        ...['MATCHED', 'MINED', 'CONFIRMED'].map((status) => ['trade', 'TRADE', status]),
        ['order', 'UPDATE', 'LIVE'],
        ['order', 'CANCELLATION', 'CANCELED'],
      ])
    const steps = one.heard.filter(({ event_type }) => event_type === 'trade')
    for (const step of steps) expect([step.id, step.transaction_hash]).toEqual([steps[0].id, steps[0].transaction_hash])
    expect(new Set(one.heard.slice(1).map(({ event_id }) => event_id)).size).toBe(6)
    expect(other.heard).toEqual(['PONG'])
    for (const { socket } of [one, other]) socket.terminate()
  })

  test('who follows all markets and asks for none besides still follows all', async () => {
    const one = await listen('/compat/ws/user', { type: 'user', auth: auth(alice) }, { operation: 'subscribe', markets: [] }, 'PING')
    await expect.poll(() => one.heard).toEqual(['PONG'])
    await bid(alice, market.yes, '0.11')
    await expect.poll(one.events).toEqual(['order'])
    await alice.call('DELETE', '/cancel-all')
    one.socket.terminate()
  })

  test('follows 200 markets, names those beyond them, and keeps the 200', async () => {
    const some = (from: number) => Array.from({ length: 150 }, (_, n) => `0x${`${from + n}`.padStart(64, '0')}`)
    const one = await listen('/compat/ws/user', { type: 'user', auth: auth(alice), markets: [market.condition] })
    one.say({ operation: 'subscribe', markets: some(0) })
    one.say({ operation: 'subscribe', markets: some(49) })
    await expect.poll(() => one.replies.at(-1)).toMatchObject({ code: 'unknown_market' })
    one.say({ operation: 'subscribe', markets: some(50) })
    await expect.poll(() => one.replies.at(-1)).toMatchObject({ code: 'too_many_subscriptions', details: { refused: some(50).slice(-1) } })
    await bid(alice, market.yes, '0.11')
    await expect.poll(one.events).toEqual(['order'])
    await alice.call('DELETE', '/cancel-all')
    one.socket.terminate()
  })

  test('says what it follows, and which of the markets that were named are none', async () => {
    const unknown = `0x${'12'.repeat(32)}`
    const one = await listen('/compat/ws/user', { type: 'user', auth: auth(alice), markets: [market.condition, market.yes, '', unknown] })
    await expect
      .poll(() => one.replies)
      .toEqual([
        { event_type: 'subscribed', markets: [market.condition, unknown] },
        { event_type: 'error', error: expect.any(String), code: 'unknown_market', details: { unknown: [market.yes, '', unknown] } },
      ])
    const early = await listen('/compat/ws/user', { operation: 'subscribe', markets: [market.condition] })
    await expect.poll(() => early.replies).toMatchObject([{ event_type: 'error', code: 'bad_headers' }])
    for (const { socket } of [one, early]) socket.terminate()
  })

  test.each([
    ['another secret', { secret: `${'A'.repeat(43)}=` }],
    ['a secret that is none', { secret: '!' }],
    ['another passphrase', { passphrase: 'x' }],
    ['another key', { apiKey: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' }],
  ])('ends with %s', async (_, change) => {
    const one = await listen('/compat/ws/user', { type: 'user', auth: { ...auth(alice), ...change } })
    expect(await one.closed).toBe(4001)
    expect(one.heard).toEqual([])
  })

  test('ends when the key is revoked', async () => {
    const carol = await Caller.of(running.url, wallets.carol)
    const one = await listen(
      '/compat/ws/user',
      { type: 'USER', auth: { apikey: carol.key.key, secret: carol.key.secret, passphrase: carol.key.passphrase } },
      'PING',
    )
    await expect.poll(() => one.heard).toEqual(['PONG'])
    await carol.call('DELETE', '/auth/api-key')
    expect(await one.closed).toBe(4001)
  })

  test('secrets in a frame are of no use at /ws/user', async () => {
    const one = await listen('/ws/user', { type: 'user', auth: auth(alice) })
    expect(await one.closed).toBe(4001)
  })
})

describe('/compat/live', () => {
  test('answers nothing but payloads, and pings whoever never answers', async () => {
    const filters = JSON.stringify([market.yes])
    const subscriptions = [
      { topic: 'clob_market', type: '*', filters },
      { topic: 'activity', type: 'trades', filters: JSON.stringify({ market_slug: 'compat-streams' }) },
      { topic: 'activity', type: 'trades', filters: JSON.stringify({ event_slug: 'another' }) },
      { topic: 'clob_user', type: 'order', clob_auth: { key: bob.key.key, secret: bob.key.secret, passphrase: bob.key.passphrase } },
      { topic: 'comments', type: '*' },
    ]
    const one = await listen('/compat/live', 'ping', { action: 'subscribe', subscriptions })
    await new Promise((resolve) => setTimeout(resolve, 1000)) // nothing answers a subscription
    await bid(alice, market.yes, '0.3')
    await bid(bob, market.no, '0.7')
    const told = () => one.heard.map(({ topic, type }) => `${topic} ${type}`)
    await expect
      .poll(told)
      .toEqual(['clob_market price_change', 'clob_market agg_orderbook', 'clob_market price_change', 'activity trades', 'clob_user order'])
    expect(one.heard[0]).toMatchObject({
      timestamp: expect.any(Number),
      connection_id: expect.any(String),
      payload: { m: market.condition },
    })
    expect(one.heard[0].payload.pc[0]).toMatchObject({
      a: market.yes,
      p: '0.3',
      s: 'BUY',
      si: '10',
      ba: '1',
      bb: '0.3',
      h: expect.any(String),
    })
    expect(one.heard[3].payload).toMatchObject({ proxyWallet: wallets.bob.address, price: 0.7, size: 10, side: 'BUY', asset: market.no })
    one.say({ action: 'unsubscribe', subscriptions: subscriptions.slice(0, 2) })
    await bid(alice, market.yes, '0.2')
    await bid(bob, market.yes, '0.2')
    await expect.poll(told).toHaveLength(6)
    expect(told().at(-1)).toBe('clob_user order')
    await expect.poll(one.pings).toBeGreaterThan(0)
    one.socket.terminate()
  })

  test('tells what each key on a socket asked for, be they of one account or of several', async () => {
    const another = await Caller.of(running.url, wallets.bob, undefined, 1n)
    const of = (type: string, { key: { key, secret, passphrase } }: Caller) => ({
      ...{ topic: 'clob_user', type, clob_auth: { key, secret, passphrase } },
    })
    const subscriptions = [of('trade', bob), of('order', another), of('order', alice)]
    const one = await listen('/compat/live', { action: 'subscribe', subscriptions }, 'PING')
    await expect.poll(() => one.heard).toEqual(['PONG'])
    const names: Record<string, string> = Object.fromEntries(Object.entries({ alice, bob }).map(([name, { key }]) => [key.address, name]))
    const told = () =>
      one.heard
        .splice(0)
        .map(({ type, payload }) => `${names[payload.account]} ${type} ${payload.type}`)
        .sort()
    const within = async (...expected: string[]) => {
      const all: string[] = []
      await expect.poll(() => all.push(...told()) && all.sort()).toEqual(expected.sort())
    }
    one.heard.length = 0
    await bid(alice, market.yes, '0.3')
    await bid(bob, market.no, '0.7')
    const trades = Array(3).fill('bob trade TRADE')
    await within('alice order PLACEMENT', 'alice order UPDATE', 'bob order PLACEMENT', ...trades)
    one.say({ action: 'unsubscribe', subscriptions: [of('order', another)] })
    one.say('PING')
    await expect.poll(() => one.heard.splice(0)).toEqual(['PONG'])
    await bid(bob, market.no, '0.7')
    await bid(alice, market.yes, '0.3')
    await within('alice order PLACEMENT', ...trades)
    one.socket.terminate()
  })

  test('refuses more subscriptions than a socket may have, and longer filters, and keeps the others', async () => {
    const named = (n: number, filters: string) => ({ topic: 'activity', type: 'trades', filters: `{"market_slug":"${n}${filters}"}` })
    const many = (from: number, count: number) => Array.from({ length: count }, (_, n) => named(from + n, ''))
    const one = await listen('/compat/live', ...[0, 100].map((from) => ({ action: 'subscribe', subscriptions: many(from, 100) })))
    one.say({ action: 'subscribe', subscriptions: many(199, 1) }) // has it already
    one.say({ action: 'unsubscribe', subscriptions: many(0, 1) })
    one.say({ action: 'subscribe', subscriptions: many(200, 2) })
    const tooMany = { event_type: 'error', error: expect.any(String), code: 'too_many_subscriptions' }
    await expect.poll(() => one.replies.filter(({ event_type }) => event_type === 'error')).toMatchObject([tooMany])
    expect(one.replies.at(-1).payload.subscriptions).toHaveLength(200)
    const long = 'x'.repeat(60_000)
    const two = await listen('/compat/live', ...[1, 2, 3, 4, 5].map((n) => ({ action: 'subscribe', subscriptions: [named(n, long)] })))
    await expect.poll(() => two.replies.filter(({ event_type }) => event_type === 'error')).toMatchObject([tooMany])
    for (const { socket } of [one, two]) socket.terminate()
  })

  test('refuses what can never come, and says why', async () => {
    const wanted = [
      { topic: 'crypto_prices', type: 'update' },
      { topic: 'toString', type: '*' },
      { topic: 'clob_market', type: 'prices' },
      { topic: 'clob_user', type: '*' },
      { topic: 'activity', type: '*', filters: 'no JSON' },
      { topic: 'activity', type: '*', filters: ['rain'] },
      { topic: 'clob_market', type: '*', filters: ['12'] },
    ]
    const one = await listen('/compat/live', { action: 'subscribe', subscriptions: wanted }, { action: 'follow' }, 'ping')
    await expect.poll(() => one.replies).toHaveLength(wanted.length + 2)
    expect(one.replies.map(({ code }) => code)).toEqual([...Array(6).fill('unsupported'), 'unknown_token', undefined, 'unsupported'])
    expect(one.replies[0].error).toBe('this exchange does not send the topic crypto_prices; it sends activity, clob_market, clob_user')
    expect(one.replies[7]).toEqual({ event_type: 'subscribed', payload: { subscriptions: [] } })
    one.socket.terminate()
  })

  test('ends with secrets of nobody', async () => {
    const clob_auth = { key: bob.key.key, secret: bob.key.secret, passphrase: 'x' }
    const one = await listen('/compat/live', { action: 'subscribe', subscriptions: [{ topic: 'clob_user', type: '*', clob_auth }] })
    expect(await one.closed).toBe(4001)
  })
})
