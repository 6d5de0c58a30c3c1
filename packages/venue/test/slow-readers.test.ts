import { EventEmitter } from 'node:events'
import { encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { CLOSE } from '@augury/wire/limits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Books } from '../src/base/books.ts'
import { CompatStreams } from '../src/serve/streams/compat-streams.ts'
import { marketChanges } from '../src/serve/streams/market-changes.ts'
import { MarketStream } from '../src/serve/streams/market-stream.ts'
import { StreamSocket } from '../src/serve/streams/socket.ts'
import { deposit, id, place, register } from './commands.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const KB = 1024
const onBug = (error: unknown) => {
  throw error
}

/** A connection whose reader takes what it gets only when the test says so. */
class Connection extends EventEmitter {
  writableLength = 0
  readonly #read: string[] = []
  #unread: Buffer[] = []
  cork(): void {}
  uncork(): void {}
  write(frame: Buffer): void {
    this.#unread.push(frame)
    this.writableLength += frame.length
  }
  /** Bytes that wait besides what was written: a reader far behind. */
  fill(bytes: number): void {
    this.writableLength += bytes
  }
  /** Reads everything. */
  drain(): void {
    this.#read.push(...this.#unread.map((frame) => frame.subarray(frame[1]! < 126 ? 2 : frame[1] === 126 ? 4 : 10).toString()))
    this.#unread = []
    this.writableLength = 0
    this.emit('drain')
  }
  /** What was read since the last time. */
  // biome-ignore lint/suspicious/noExplicitAny: messages of every shape
  take(): any[] {
    this.drain()
    return this.#read.splice(0).flatMap((text) => JSON.parse(text))
  }
}

/** The WebSocket over it. */
class Socket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  closed: number | null = null
  resume(): void {}
  close(code: number): void {
    this.closed = code
  }
  terminate(): void {
    this.readyState = 3
    this.emit('close')
  }
}

interface Opened {
  ws: Socket
  raw: Connection
  socket: StreamSocket
}

function market() {
  const exchange = new Exchange()
  const applied = (command: Command) => exchange.applyRow({ at: exchange.at + 1, commands: encodeCommand(command) })
  applied(register('rain'))
  applied(deposit('ann', 1000))
  const condition = id('rain')
  const tokens = [0, 1].map((outcome) => ({ id: `${outcome}`, condition, outcome: outcome as 0 | 1 }))
  const known = new Set<string>([condition])
  const markets = {
    market: (one: string) =>
      known.has(one) ? { condition: one, tokens: ['0', '1'], metadata: { event: { tags: [] } }, outcomes: ['Yes', 'No'] } : undefined,
    token: (one: string) => tokens[Number(one)],
    page: () => [{ condition }],
    tokenOf: (_: string, outcome: 0 | 1) => tokens[outcome]!,
    tokensOf: () => ['0', '1'],
  }
  const books = new Books(exchange, { seq: exchange.seq, at: exchange.at })
  const stream = new MarketStream({ exchange, epoch: 1, books, markets: markets as never, now: () => 0, isStandby: () => false, onBug })
  const status = () => ({ writer: 'primary', verified: true })
  const established = new CompatStreams({
    exchange,
    books,
    markets,
    venue: { stream: 'main' },
    keys: { find: () => null },
    status,
  } as never)
  const apply = (command: Command) => {
    const outcomes = applied(command)
    const row = { firstSeq: exchange.seq, lastSeq: exchange.seq, at: exchange.at, outcomes }
    const changes = marketChanges(row)
    for (const changed of changes.keys()) books.touch(changed, row.lastSeq, row.at)
    stream.publish(row, changes)
    established.publish(row, changes)
  }
  let orders = 0
  const bid = () => apply(place(`order ${++orders}`, 'ann', 'BUY', 0, 40, 10))
  /** All that no book tells of: the end of trading, another market, and the end of this one. */
  const news = () => {
    apply({ type: 'set_condition', condition, mode: 'closed', grid: null, feeBps: null })
    apply({ type: 'sweep', limit: 10 })
    known.add(id('snow'))
    apply(register('snow'))
    apply({ type: 'resolve', condition, weight: 10_000 })
  }
  const open = (custom_feature_enabled?: boolean) => {
    const [socket, raw] = [new Socket(), new Connection()]
    stream.accept(socket as never, raw as never)
    socket.emit('message', Buffer.from(JSON.stringify({ type: 'market', markets: [condition], custom_feature_enabled })), false)
    raw.take()
    return { socket, raw }
  }
  const openEstablished = (custom_feature_enabled?: boolean) => {
    const [socket, raw] = [new Socket(), new Connection()]
    established.market.accept(socket as never, raw as never)
    const say = (assets_ids: string[]) =>
      socket.emit('message', Buffer.from(JSON.stringify({ type: 'market', assets_ids, custom_feature_enabled })), false)
    return { raw, say }
  }
  const openLive = () => {
    const [socket, raw] = [new Socket(), new Connection()]
    established.live.accept(socket as never, raw as never)
    const subscriptions = [{ topic: 'clob_market', type: '*', filters: ['0'] }]
    socket.emit('message', Buffer.from(JSON.stringify({ action: 'subscribe', subscriptions })), false)
    return { socket, raw }
  }
  return { bid, news, open, openEstablished, openLive, stream, established, condition, exchange }
}

test('deltas stop for a slow reader; once caught up, it restarts from the current books', () => {
  const { bid, open, stream, condition, exchange } = market()
  const [slow, healthy] = [open(), open()]
  slow.raw.fill(257 * KB)
  bid() // is written, and found to be too much
  const { length } = [bid(), bid(), bid()]
  expect(healthy.raw.take().length).toBe(1 + length)
  const [first, notice, ...books] = slow.raw.take().concat(slow.raw.take())
  expect(first).toMatchObject({ event_type: 'price_change', seq: exchange.seq - length })
  expect(notice).toEqual({ event_type: 'resync', market: condition, seq: exchange.seq, epoch: 1 })
  expect(books.map(({ event_type, asset_id, seq }) => [event_type, asset_id, seq])).toEqual([
    ['book', '0', exchange.seq],
    ['book', '1', exchange.seq],
  ])
  expect(books[0].bids).toEqual([{ price: '0.4', size: '40' }])
  const before = exchange.seq
  bid()
  expect(slow.raw.take()).toMatchObject([{ event_type: 'price_change', prev_seq: before, seq: exchange.seq }])
  stream.close()
})

test('what books do not contain is sent later to its subscriber: the mode, the end, and another market', () => {
  const { bid, news, open, openEstablished, stream, established, condition, exchange } = market()
  const [slow, plain] = [open(true), open()]
  const [theirs, theirsPlain] = [openEstablished(true), openEstablished()]
  for (const { say, raw } of [theirs, theirsPlain]) {
    say(['0', '1'])
    raw.take()
  }
  const readers = [slow, plain, theirs, theirsPlain].map(({ raw }) => raw)
  for (const raw of readers) raw.fill(257 * KB)
  bid()
  news()
  const [late, latePlain, lateTheirs, lateTheirsPlain] = readers.map((raw) => {
    raw.drain()
    return raw.take().filter(({ event_type }) => !['price_change', 'best_bid_ask'].includes(event_type))
  })
  const told = (messages: { event_type: string }[] = []) => messages.map(({ event_type }) => event_type)
  const anew = ['resync', 'book', 'book']
  expect(told(late)).toEqual([...anew, 'market_mode', 'market_resolved', 'new_market'])
  expect([told(latePlain), told(lateTheirsPlain)]).toEqual([anew, anew.slice(1)])
  expect(told(lateTheirs)).toEqual([...anew.slice(1), 'new_market', 'market_resolved'])
  const { seq } = exchange
  expect(late![3]).toMatchObject({ market: condition, mode: 'resolved', seq, prev_seq: seq, epoch: 1 })
  expect(late![4]).toMatchObject({ market: condition, winning_outcome: 'Yes', seq, prev_seq: seq })
  expect(late![5]).toMatchObject({ market: id('snow'), seq: seq - 1 })
  for (const raw of readers) expect(raw.take()).toEqual([])
  stream.close()
  established.close()
})

test('who is slow for 10 s, or a megabyte behind, is disconnected with 4008; the others are not', () => {
  const { bid, open, stream } = market()
  const [late, far, healthy] = [open(), open(), open()]
  late.raw.fill(300 * KB)
  far.raw.fill(1100 * KB)
  bid()
  healthy.raw.drain()
  vi.advanceTimersByTime(1000)
  expect([late.socket.closed, far.socket.closed]).toEqual([null, CLOSE.slow])
  vi.advanceTimersByTime(10_000)
  expect([late.socket.closed, healthy.socket.closed]).toEqual([CLOSE.slow, null])
  vi.advanceTimersByTime(1000)
  expect(stream.size).toBe(1) // who does not even answer the close is cut off
  stream.close()
})

test('who asked for the books of many markets has 10 s to read them, and not a megabyte more than they are', () => {
  const [hasTime, late, far] = [0, 1, 2].map(() => {
    const [ws, raw] = [new Socket(), new Connection()]
    return { ws, raw, socket: new StreamSocket(ws as never, raw as never, () => {}) }
  }) as [Opened, Opened, Opened]
  for (const { socket } of [hasTime, late, far]) socket.write(Buffer.alloc(3000 * KB))
  hasTime.raw.fill(1000 * KB)
  far.raw.fill(1100 * KB)
  for (const { socket } of [hasTime, far]) socket.check()
  vi.advanceTimersByTime(10_001)
  late.socket.check()
  expect([hasTime, late, far].map(({ ws }) => ws.closed)).toEqual([null, CLOSE.slow, CLOSE.slow])
})

test('a market without followers makes no frames for a reader that left', () => {
  const { bid, open, stream } = market()
  const { socket, raw } = open()
  socket.terminate()
  bid()
  expect([raw.take(), stream.size]).toEqual([[], 0])
  stream.close()
})

test('in the established dialect a reader that has caught up gets the books that changed meanwhile, once, and those alone', () => {
  const { bid, openEstablished, established } = market()
  const { raw, say } = openEstablished()
  const told = () => raw.take().flatMap(({ event_type, asset_id }) => (event_type === 'subscribed' ? [] : [[event_type, asset_id]]))
  raw.fill(257 * KB)
  say(['0', '1', '0', '0'])
  const first = [
    ['book', '0'],
    ['book', '1'],
  ]
  expect(told()).toEqual(first)
  expect(told()).toEqual([]) // nothing happened meanwhile
  raw.fill(257 * KB)
  bid()
  bid()
  expect(told().map(([type]) => type)).toEqual(['price_change'])
  expect(told()).toEqual(first)
  expect(told()).toEqual([])
  established.close()
})

test('the live-data path has no books to replace skipped messages: a slow reader gets every message, or is disconnected', () => {
  const { bid, openLive, established } = market()
  const { socket, raw } = openLive()
  raw.fill(257 * KB)
  for (let n = 0; n < 3; n++) bid()
  expect(raw.take().flatMap(({ type }) => type ?? [])).toEqual(['price_change', 'price_change', 'price_change'])
  raw.fill(1025 * KB)
  bid()
  vi.advanceTimersByTime(1000)
  expect(socket.closed).toBe(CLOSE.slow)
  established.close()
})
