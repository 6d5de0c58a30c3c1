import { describe, expect, test } from 'vitest'
import { Caller } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { listenTo } from './raw-socket.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const market = await registerMarket(running, 'compat-live')
const alice = await funded(running.url, wallets.alice, '1000')
const bob = await funded(running.url, wallets.bob, '1000')

const listen = (path: string, ...frames: unknown[]) => listenTo(running.url, path, ...frames)

const bid = (who: Caller, tokenId: string, price: string, size = '10') => who.call('POST', '/order', limit(tokenId, 'BUY', price, size))

describe('/compat/live', () => {
  test('answers nothing but payloads, and pings clients that never answer', async () => {
    const filters = JSON.stringify([market.yes])
    const subscriptions = [
      { topic: 'clob_market', type: '*', filters },
      { topic: 'activity', type: 'trades', filters: JSON.stringify({ market_slug: 'compat-live' }) },
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

  test('ends with unknown secrets', async () => {
    const clob_auth = { key: bob.key.key, secret: bob.key.secret, passphrase: 'x' }
    const one = await listen('/compat/live', { action: 'subscribe', subscriptions: [{ topic: 'clob_user', type: '*', clob_auth }] })
    expect(await one.closed).toBe(4001)
  })
})
