import { getAddress } from 'viem'
import { afterAll, expect, test } from 'vitest'
import type { Trader } from '../src/serve/access/identity.ts'
import type { Sink } from '../src/serve/streams/sink.ts'
import { type UserSource, UserStream } from '../src/serve/streams/user-stream.ts'

const exchange = { seq: 1 }
const stream = new UserStream({
  ...{ exchange, epoch: 1, venue: { stream: '' }, markets: { market: () => ({}) }, deadMan: {}, keys: { find: () => ({}) } },
  ...{ status: () => ({ writer: 'primary', verified: true }), now: () => 0 },
} as unknown as UserSource)
afterAll(() => stream.close())
const account = `0x${'a1'.repeat(20)}` as const
const trader = { account, scope: 'trade' } as Trader
const sink = { sendJson() {}, write() {}, check() {}, close() {} } as unknown as Sink

/** Follows some markets and goes away: where the chain stood, from which a reader may go on. */
function visit(market: string): number {
  const { ack, leave } = stream.follow(sink, trader, { account, markets: [market], cancelsOnDisconnect: false })
  leave()
  return (ack as { channels: Record<string, number> }).channels[getAddress(account)]!
}

test('a subscriber that returns soon resumes, and endless changes of subscriptions drop the oldest', () => {
  expect(visit('0x01')).toBe(1)
  exchange.seq = 2
  for (let n = 0; n < 19; n++) visit(`0x1${n}`)
  expect(visit('0x01')).toBe(1)
  visit('0x20')
  expect(visit('0x01')).toBe(2)
})

test('what is read stays, however much comes and goes', () => {
  exchange.seq = 3
  const { leave } = stream.follow(sink, trader, { account, markets: ['0x30'], cancelsOnDisconnect: false })
  exchange.seq = 4
  for (let n = 0; n < 100; n++) visit(`0x4${n}`)
  expect(visit('0x30')).toBe(3)
  leave()
})
