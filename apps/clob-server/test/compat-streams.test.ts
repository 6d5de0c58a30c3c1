import { describe, expect, test } from 'vitest'
import { Caller } from './caller.ts'
import { funded, limit, registerMarket, type TestMarket } from './market.ts'
import { listenTo, type Message } from './raw-socket.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const market = await registerMarket(running, 'compat-streams')
const alice = await funded(running.url, wallets.alice, '1000')
const bob = await funded(running.url, wallets.bob, '1000')

const listen = (path: string, ...frames: unknown[]) => listenTo(running.url, path, ...frames)

const bid = (who: Caller, tokenId: string, price: string, size = '10') => who.call('POST', '/order', limit(tokenId, 'BUY', price, size))
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

  test('a finer tick is sent with the books of the new grid; a new market and an end to those with custom features', async () => {
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
