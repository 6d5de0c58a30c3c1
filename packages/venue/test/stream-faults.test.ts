import { encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { CLOSE, HEARTBEAT_MS } from '@augury/wire/limits'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { Books } from '../src/base/books.ts'
import type { AppliedRow } from '../src/record/log/applied-row.ts'
import type { Trader } from '../src/serve/access/identity.ts'
import { type FrameBatch, frameText } from '../src/serve/streams/frames.ts'
import { openStreams } from '../src/serve/streams/open-streams.ts'
import type { Sink } from '../src/serve/streams/sink.ts'
import { address, deposit, id, place, register } from './commands.ts'

// A row is committed before the streams tell of it: what goes wrong there ends sockets, and not the exchange.

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A reader that notes what it was told, and why it was closed. It may be `slow`, until it has `caughtUp`. */
function reader() {
  // biome-ignore lint/suspicious/noExplicitAny: messages of every shape
  const told: any[] = []
  const closed: number[] = []
  const write = (frame: Buffer) => void told.push(...[JSON.parse(frameText(frame))].flat())
  const sink = {
    ...{
      slow: false,
      write,
      writeAll: ({ frames }: FrameBatch) => frames.forEach(write),
      sendJson: (message: object) => void told.push(...[message].flat()),
    },
    ...{ cork() {}, flush() {}, check() {}, close: (code: number) => void closed.push(code) },
  }
  return { told, closed, sink, caughtUp: () => {}, kinds: () => told.splice(0).map(({ event_type }) => event_type) }
}

/** An exchange with one market and its streams, followed by a reader of the market and by one of the account `ann`. */
function followed() {
  const exchange = new Exchange()
  const applied = (command: Command) => exchange.applyRow({ at: exchange.at + 1, commands: encodeCommand(command) })
  for (const command of [register('rain'), deposit('ann', 1000)]) applied(command)
  const condition = id('rain')
  const token = (outcome: 0 | 1) => ({ id: `${outcome}`, condition, outcome })
  const markets = {
    market: () => ({ condition, tokens: ['0', '1'], outcomes: ['Yes', 'No'], metadata: { event: {} } }),
    tokenOf: (_: string, outcome: 0 | 1) => token(outcome),
    tokensOf: () => ['0', '1'],
  }
  let publish = (_: AppliedRow) => {}
  const venue = {
    ...{ exchange, timeline: 1, stream: 'main', status: () => ({ writer: 'primary', verified: true }), now: () => exchange.at },
    onRow: (listener: typeof publish) => {
      publish = listener
      return () => {}
    },
  }
  const keys = { find: vi.fn(() => ({})) }
  const bugs: unknown[] = []
  const books = new Books(exchange, { seq: exchange.seq, at: exchange.at })
  const onBug = (error: unknown) => void bugs.push(error)
  const streams = openStreams({ venue, books, keys, markets, gateway: {}, deadMan: {}, onBug } as never)
  onTestFinished(() => streams.close())
  let orders = 0
  const bid = () => {
    const outcomes = applied(place(`order ${++orders}`, 'ann', 'BUY', 0, 40, 10))
    publish({ firstSeq: exchange.seq, lastSeq: exchange.seq, at: exchange.at, outcomes })
  }
  const follow = (position?: number) => {
    const one = reader()
    const open = (onCaughtUp: () => void): Sink => Object.assign(one, { caughtUp: onCaughtUp }).sink
    streams.stream.follow(open, { markets: [condition] }, position === undefined ? undefined : { epoch: 1, position })
    return one
  }
  const owner = reader()
  const trader = { account: address('ann'), scope: 'trade', key: 'key' } as Trader
  streams.userStream.follow(owner.sink, trader, { account: trader.account, markets: [], cancelsOnDisconnect: false })
  return { exchange, keys, bugs, bid, follow, owner, public: follow() }
}

const bug = () => {
  throw new Error('a bug')
}

test('a fault in telling of a market ends the sockets of the market stream, and who comes back begins anew', () => {
  const { exchange, bugs, bid, follow, owner, public: one } = followed()
  bid()
  expect([one.kinds(), owner.kinds()]).toEqual([['subscribed', 'book', 'book', 'price_change'], ['order']])
  const last = exchange.seq
  vi.spyOn(exchange, 'depth').mockImplementationOnce(bug)
  bid()
  expect([bugs.map(String), one.closed, owner.closed, owner.kinds()]).toEqual([['Error: a bug'], [CLOSE.failed], [], ['order']])
  const back = follow(last)
  expect(back.kinds()).toEqual(['subscribed', 'resync', 'book', 'book'])
  bid()
  expect(back.told).toMatchObject([{ event_type: 'price_change', prev_seq: exchange.seq - 1, seq: exchange.seq }])
})

test('a fault in a private message ends the private sockets, and the market messages still go out', () => {
  const { keys, bugs, bid, owner, public: one } = followed()
  keys.find.mockImplementationOnce(bug)
  bid()
  expect([bugs.map(String), one.closed, owner.closed]).toEqual([['Error: a bug'], [], [CLOSE.failed]])
  expect(one.kinds()).toEqual(['subscribed', 'book', 'book', 'price_change'])
})

test.each(['write', 'sendJson'] as const)('a fault in a heartbeat ends the sockets of its stream: %s', (method) => {
  const { bugs, owner, public: one } = followed()
  const [broken, whole] = method === 'write' ? [one, owner] : [owner, one]
  vi.spyOn(broken.sink, method).mockImplementationOnce(bug)
  vi.advanceTimersByTime(HEARTBEAT_MS)
  expect([bugs.map(String), broken.closed, whole.closed]).toEqual([['Error: a bug'], [CLOSE.failed], []])
  expect(whole.kinds().at(-1)).toBe('heartbeat')
})

test('a fault in telling a slow reader what it missed ends this reader', () => {
  const { bugs, bid, exchange, follow, public: one } = followed()
  const slow = follow()
  slow.sink.slow = true
  bid()
  slow.sink.slow = false
  vi.spyOn(exchange, 'depth').mockImplementationOnce(bug)
  slow.caughtUp()
  expect([bugs.map(String), slow.closed, one.closed]).toEqual([['Error: a bug'], [CLOSE.failed], []])
})
