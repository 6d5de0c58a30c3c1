import { encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { expect, test } from 'vitest'
import { Books } from '../src/base/books.ts'
import { Feed } from '../src/serve/streams/feed.ts'
import { isOfBook, marketChanges } from '../src/serve/streams/market-changes.ts'
import { MarketStream } from '../src/serve/streams/market-stream.ts'
import { deposit, id, place, register } from './commands.ts'

// Where a reader may go on: after any item that it was told, it has everything up to the position of that item.

const NAMES = ['rain', 'snow', 'hail']
const outlet = { buffered: () => 0, worked: () => {}, close: () => {} }

const onBug = (error: unknown) => {
  throw error
}

/** An exchange with two markets, a third one to come, and its public stream. */
function market(isStandby = () => false) {
  const exchange = new Exchange()
  let now = 0
  const tokens = NAMES.flatMap((name) =>
    [0, 1].map((outcome) => ({ id: `${name}${outcome}`, condition: id(name), outcome: outcome as 0 | 1 })),
  )
  const of = (condition: string) => NAMES.find((name) => id(name) === condition)
  const metadata = { question: '', description: '', event: { slug: '', title: '', rules: '', tags: [] } }
  const markets = {
    count: 2,
    page: () => [{ condition: id('rain') }, { condition: id('snow') }],
    market: (one: string) => of(one) && { condition: one, tokens: [`${of(one)}0`, `${of(one)}1`], outcomes: ['Yes', 'No'], metadata },
    token: (one: string) => tokens.find((token) => token.id === one),
    tokenOf: (one: string, outcome: 0 | 1) => tokens.find((token) => token.condition === one && token.outcome === outcome)!,
    tokensOf: (one: string) => [`${of(one)}0`, `${of(one)}1`],
  }
  const books = new Books(exchange, { seq: 0, at: 0 })
  const stream = new MarketStream({ exchange, epoch: 1, books, markets: markets as never, now: () => now, isStandby, onBug })
  const row = (...commands: Command[]) => {
    const firstSeq = exchange.seq + 1
    const outcomes = exchange.applyRow({ at: exchange.at + 1, commands: Buffer.concat(commands.map(encodeCommand)) })
    const applied = { firstSeq, lastSeq: exchange.seq, at: exchange.at, outcomes }
    const changes = marketChanges(applied)
    for (const [condition, change] of changes) if (isOfBook(change)) books.touch(condition, applied.lastSeq, applied.at)
    stream.publish(applied, changes)
    return exchange.seq
  }
  row(register('rain', { grid: 10 }), register('snow'), deposit('ann', 100_000))
  let orders = 0
  const bid = (name: string, price = 4000) => place(`order ${++orders}`, 'ann', 'BUY', 0, 40, 10, { condition: id(name), price })
  /** Returns the messages to a subscriber of the first two markets, from now on or after a position. */
  const follow = (after?: number) => {
    const gone = new AbortController()
    const point = after === undefined ? undefined : { epoch: 1, position: after }
    let feed!: Feed
    const wanted = { markets: [id('rain'), id('snow')], custom_feature_enabled: true }
    const leave = stream.follow((onCaughtUp) => (feed = new Feed(outlet, onCaughtUp)), wanted, point)
    return async () => {
      const items: { position: number; messages: { event_type: string; seq: number; prev_seq?: number }[] }[] = []
      setTimeout(() => gone.abort(), 200)
      for await (const item of feed.items(gone.signal)) items.push(item as never)
      leave()
      return items
    }
  }
  const pass = (ms: number) => {
    now += ms
  }
  return { row, bid, follow, pass, stream, books, exchange }
}

/** What a reader of these items would never hear if it went on after one of them: frames at a position that it already named. */
const lost = (items: { position: number; messages: { event_type: string; seq: number; prev_seq?: number }[] }[]) =>
  items.flatMap(({ messages }, index) =>
    messages.filter(({ seq, prev_seq }) => index > 0 && prev_seq !== undefined && prev_seq !== seq && seq <= items[index - 1]!.position),
  )

test('what one row says of two markets is one item, however much it is', async () => {
  const { row, bid, follow, stream } = market()
  const told = follow()
  row(...Array.from({ length: 400 }, (_, n) => bid('rain', 10 * (n + 1))), bid('snow'))
  const items = await told()
  expect(items.map(({ messages }) => new Set(messages.map(({ event_type }) => event_type)).size)).toEqual([2, 2])
  expect(lost(items)).toEqual([])
  stream.close()
})

test('a new market is announced after everything up to its row', async () => {
  const { row, bid, follow, stream } = market()
  const told = follow()
  for (let n = 0; n < 30; n++) row(bid('rain'), bid('snow'), ...(n === 10 ? [register('hail')] : []))
  const items = await told()
  expect(items.flatMap(({ messages }) => messages.filter(({ event_type }) => event_type === 'new_market'))).toHaveLength(1)
  expect(lost(items)).toEqual([])
  stream.close()
})

test('the position of a book is that of its last change: what its orders may do, and their fee, is none', async () => {
  const { row, bid, books, stream } = market()
  const seq = row(bid('rain'))
  for (const change of [{ mode: 'paused' as const }, { feeBps: 100 }])
    row({ type: 'set_condition', condition: id('rain'), mode: null, grid: null, feeBps: null, ...change })
  expect(books.version(id('rain')).seq).toBe(seq)
  stream.close()
})

test('who comes from the process that ended goes on in a market that was quiet, also when it moved since', async () => {
  let writer = 'standby'
  const { row, bid, follow, pass, stream } = market(() => writer === 'standby')
  stream.holdAll()
  const heard = row(bid('rain'), bid('snow'))
  pass(3_600_000)
  writer = 'primary'
  const missed = row(bid('rain'))
  const [first] = await follow(heard)()
  expect(first!.messages.map(({ event_type, seq }) => `${event_type} ${seq}`)).toEqual([`subscribed ${missed}`, `price_change ${missed}`])
  stream.close()
})
