import { EventEmitter } from 'node:events'
import { encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { SOCKET_CONDITIONS } from '@augury/wire/limits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Trader } from '../src/serve/access/identity.ts'
import { CompatStreams } from '../src/serve/streams/compat-streams.ts'
import { LiveFeed } from '../src/serve/streams/live-feed.ts'
import { marketChanges } from '../src/serve/streams/market-changes.ts'
import { deposit, id, place, register } from './commands.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const trade = { eventSlug: 'weather', slug: 'rain', conditionId: '0xaa' }
const subscribed = (topic: string, type: string, ...filters: (string | undefined)[]) => {
  const feed = new LiveFeed()
  for (const filter of filters) feed.subscribe({ topic, type, filters: filter })
  return feed
}

test.each([
  [undefined, true],
  ['', true],
  ['{}', true],
  ['null', true],
  ['7', true],
  ['{"event_slug":"weather"}', true],
  ['{"market_slug":"rain","condition_id":"0xaa"}', true],
  ['{"event_slug":"weather","market_slug":"rain","condition_id":"0xaa"}', true],
  ['{"event_slug":"weather","market_slug":"snow"}', false],
  ['{"condition_id":null}', false],
  ['{"condition_id":7}', false],
  ['{"other":"field"}', true],
  ['["rain"]', false],
  ['no JSON', false],
])('a trade passes the filter %s: %s', (filters, passes) => {
  for (const type of ['trades', '*']) expect(subscribed('activity', type, filters).wantsTrade('trades', trade)).toBe(passes)
  expect(subscribed('activity', 'orders_matched', filters).wantsTrade('trades', trade)).toBe(false)
  expect(subscribed('clob_market', '*', filters).wantsTrade('trades', trade)).toBe(false)
})

test.each([
  ['["1","2"]', 'price_change', ['2', '3'], true],
  ['[2]', 'price_change', ['2'], true],
  ['["1"]', 'price_change', ['2'], false],
  ['["1"]', 'market_created', null, true],
  [undefined, 'price_change', ['2'], false],
  [undefined, 'market_created', ['2'], true],
  ['{}', 'market_resolved', ['2'], true],
])('of markets the filter %s wants %s of %j: %s', (filters, type, assets, wants) => {
  for (const named of [type, '*']) expect(subscribed('clob_market', named, filters).wantsMarket(type, assets)).toBe(wants)
  expect(subscribed('clob_market', 'other', filters).wantsMarket(type, assets)).toBe(false)
})

test('a key is heard for what it asked for until it takes that back', () => {
  const [one, other] = ['one', 'other'].map((key) => ({ key })) as [Trader, Trader]
  const feed = new LiveFeed()
  for (const trader of [one, other]) feed.subscribe({ topic: 'clob_user', type: 'trade' }, trader)
  feed.subscribe({ topic: 'clob_user', type: '*', filters: 'x' }, one)
  expect([feed.traders(), feed.wantsUser('order', one), feed.wantsUser('order', other)]).toEqual([[one, other], true, false])
  feed.unsubscribe({ topic: 'clob_user', type: '*' }, 'other')
  expect([feed.traders(), feed.wantsUser('trade', one), feed.wantsUser('trade', other)]).toEqual([[one], true, false])
})

test('what happens is looked up, however many subscriptions a socket has', () => {
  const feed = new LiveFeed()
  for (let n = 0; n < SOCKET_CONDITIONS / 2; n++) {
    expect(feed.subscribe({ topic: 'activity', type: '*', filters: `{"market_slug":"${n}"}` })).toBe(true)
    expect(feed.subscribe({ topic: 'clob_market', type: '*', filters: `["${n}"]` })).toBe(true)
  }
  let looks = 0
  const look = <Value>(value: Value): Value => {
    looks++
    return value
  }
  const watched = new Proxy(trade, { get: (target, name) => look(Reflect.get(target, name)) })
  const assets = Object.assign(['none'], { some: (test: (id: string) => boolean) => look(['none'].some(test)) })
  expect([feed.wantsTrade('trades', watched), feed.wantsMarket('price_change', assets)]).toEqual([false, false])
  expect(looks).toBeLessThan(10)
})

/** The WebSocket of a client that only says something. */
class Socket extends EventEmitter {
  readonly OPEN = 1
  readonly readyState = 1
  close(): void {}
  resume(): void {}
}

test('sockets of the live path without subscriptions cause no walk over all markets', () => {
  let walks = 0
  const page = () => {
    walks++
    return []
  }
  const streams = new CompatStreams({ markets: { count: 0, page }, status: () => ({ writer: 'primary', verified: true }) } as never)
  const open = () => {
    const socket = new Socket()
    streams.live.accept(socket as never, Object.assign(new EventEmitter(), { write: () => {}, writableLength: 0 }) as never)
    return socket
  }
  const sockets = Array.from({ length: 100 }, open)
  expect(walks).toBe(0)
  const say = () => sockets[0]!.emit('message', '{"action":"subscribe","subscriptions":[{"topic":"activity","type":"*"}]}')
  say()
  say()
  expect(walks).toBe(1)
  streams.close()
})

/** A market, whose books are counted as they are made, and the established streams of it. */
function streamsOfMarket() {
  const exchange = new Exchange()
  const applied = (command: Command) => exchange.applyRow({ at: exchange.at + 1, commands: encodeCommand(command) })
  for (const command of [register('rain'), deposit('ann', 1000), deposit('bob', 1000)]) applied(command)
  const condition = id('rain')
  const tokens = [0, 1].map((outcome) => ({ id: `${outcome}`, condition, outcome }))
  const metadata = { question: 'Rain?', icon: '', event: { slug: 'weather', tags: [] } }
  const market = { condition, tokens: ['0', '1'], metadata, outcomes: ['Yes', 'No'], questionSlug: 'rain' }
  const markets = {
    ...{ market: () => market, token: (one: string) => tokens[Number(one)], page: () => [market], count: 1 },
    ...{ tokenOf: (_: string, outcome: number) => tokens[outcome], tokensOf: () => market.tokens },
  }
  let made = 0
  const book = () => {
    made++
    return { hash: 'hash' }
  }
  const status = () => ({ writer: 'primary', verified: true })
  const venue = { stream: 'main' }
  const streams = new CompatStreams({ exchange, markets, books: { book }, venue, keys: { find: () => null }, status } as never)
  const apply = (command: Command) => {
    const outcomes = applied(command)
    const row = { firstSeq: exchange.seq, lastSeq: exchange.seq, at: exchange.at, outcomes }
    streams.publish(row, marketChanges(row))
  }
  const listen = (stream: 'live' | 'market', said: object) => {
    const [socket, heard] = [new Socket(), [] as string[]]
    const told = (frame: Buffer) => /"(?:type|event_type)":"(\w+)"/.exec(frame.toString())?.[1] ?? 'subscribed'
    const write = (frame: Buffer) => heard.push(...[told(frame)].filter((type) => type !== 'subscribed'))
    streams[stream].accept(socket as never, Object.assign(new EventEmitter(), { write, writableLength: 0 }) as never)
    socket.emit('message', JSON.stringify(said))
    return heard
  }
  return { streams, apply, listen, madeBooks: () => made }
}

test('who follows all markets for trades and for new ones has no books made; who follows a market hears of its book', () => {
  const { streams, apply, listen, madeBooks } = streamsOfMarket()
  const live = (topic: string, filters?: string[]) => ({ action: 'subscribe', subscriptions: [{ topic, type: '*', filters }] })
  const tape = listen('live', live('activity'))
  const news = listen('market', { operation: 'subscribe', assets_ids: [], custom_feature_enabled: true })
  news.length = 0
  apply(place('one', 'ann', 'BUY', 0, 40, 10))
  apply(place('two', 'bob', 'SELL', 0, 60, 10))
  expect([madeBooks(), tape, news]).toEqual([0, [], []])
  const followed = listen('live', live('clob_market', ['0', '1']))
  const custom = listen('market', { operation: 'subscribe', assets_ids: ['0'], custom_feature_enabled: true, initial_dump: false })
  apply(place('three', 'ann', 'BUY', 0, 41, 10))
  expect(followed).toEqual(['price_change'])
  expect(custom).toEqual(['price_change', 'best_bid_ask'])
  apply(place('four', 'bob', 'BUY', 1, 59, 10))
  expect([...new Set(followed)].sort()).toEqual(['agg_orderbook', 'last_trade_price', 'price_change'])
  expect(tape).toEqual(['trades', 'orders_matched'])
  apply({ type: 'set_condition', condition: id('rain'), mode: 'closed', grid: null, feeBps: null })
  apply({ type: 'sweep', limit: 10 })
  apply({ type: 'resolve', condition: id('rain'), weight: 10_000 })
  expect([followed.at(-1), custom.at(-1)]).toEqual(['market_resolved', 'market_resolved'])
  expect([news, tape]).toEqual([['market_resolved'], ['trades', 'orders_matched']])
  streams.close()
})
