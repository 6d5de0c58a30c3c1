import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encodeCommand } from '../src/codec.ts'
import type { Command, Hex, Place } from '../src/command.ts'
import { Exchange, type Row } from '../src/exchange.ts'
import { restoreSnapshot, takeSnapshot } from '../src/snapshot.ts'
import { NEWEST_RULES } from '../src/state.ts'
import { History } from './history.ts'

const id = (name: string, digits: 40 | 64): Hex => `0x${Buffer.from(name).toString('hex').padEnd(digits, '0')}`
const TERMS = { grid: 100, minLots: 1, minNotional: 0, feeBps: 0, rebateBps: 0, affiliateBps: 0, event: null }
const row = (at: number, ...commands: Command[]): Row => ({ at, commands: Buffer.concat(commands.map(encodeCommand)) })

const UPGRADE: Command = { type: 'upgrade', rules: 2 }
const OPENING: Command[] = [
  { type: 'register', condition: id('rain', 64), creator: id('ann', 40), ...TERMS },
  { type: 'deposit', account: id('ann', 40), amount: 100_000_000, ref: id('first', 64) },
]

const bid = (terms: Partial<Place>): Place => ({
  ...{ type: 'place', orderId: id('bid', 64), account: id('ann', 40), condition: id('rain', 64), outcome: 0, side: 'BUY' },
  ...{ orderType: 'GTC', price: 5000, lots: 0, budget: 0, expiration: 0, postOnly: false, selfTrade: 'expire_maker', deployment: null },
  ...{ annex: new Uint8Array(0), ...terms },
})

/** What a placement under a known id is answered. */
function answer(exchange: Exchange, applied: Row): string {
  const event = exchange.applyRow(applied).at(-1)!.events[0]!
  return event.type === 'refused' ? event.code : event.type === 'placed' && event.again ? 'again' : event.type
}

// In each pair both orders have the same 16 bits, which is all that rules 1 looked at.
describe.each<[string, Partial<Place>, Partial<Place>]>([
  ['price and size', { lots: 100 }, { price: 4700, lots: 200 }],
  ['size alone', { lots: 10 }, { lots: 65_531 }],
  ['the budget', { budget: 20_000, orderType: 'FAK' }, { budget: 85_521, orderType: 'FAK' }],
  ['price and budget', { budget: 20_000, orderType: 'FAK' }, { budget: 20_050, price: 4900, orderType: 'FAK' }],
])('an order under a known id that differs in %s', (_, first, second) => {
  test.each([
    [1, 'again'],
    [2, 'duplicate_order'],
  ])('by rules %i: %s', (rules, expected) => {
    const exchange = new Exchange()
    exchange.applyRow({ ...row(1000, ...OPENING, bid(first)), rules })
    expect(answer(exchange, row(2000, bid(first)))).toBe('again')
    expect(answer(exchange, row(3000, bid(second)))).toBe(expected)
  })
})

test('an order made smaller since is still the one that was asked for', () => {
  const exchange = new Exchange()
  exchange.applyRow(row(1000, ...OPENING, bid({ lots: 100 })))
  exchange.applyRow(row(2000, { type: 'reduce', account: id('ann', 40), orderId: id('bid', 64), lots: 40 }))
  expect(answer(exchange, row(3000, bid({ lots: 100 })))).toBe('again')
  expect(answer(exchange, row(3000, bid({ lots: 40 })))).toBe('duplicate_order')
})

test('new rules begin with the row after their upgrade, and never end', () => {
  const exchange = new Exchange()
  exchange.applyRow({ ...row(1000, ...OPENING, bid({ lots: 100 })), rules: 1 })
  const alike = bid({ price: 4700, lots: 200 })
  expect(answer(exchange, row(2000, UPGRADE, alike))).toBe('again')
  expect(exchange.rules).toBe(1)
  expect(answer(exchange, row(3000, alike))).toBe('duplicate_order')
  expect(exchange.rules).toBe(2)
  expect(answer(exchange, row(4000, { type: 'upgrade', rules: 1 }))).toBe('invalid_amount')
})

test('an empty exchange begins with the newest rules, or with those of a journal that began before', () => {
  expect(new Exchange().rules).toBe(NEWEST_RULES)
  const exchange = new Exchange()
  exchange.applyRow({ ...row(1000, ...OPENING), rules: 1 })
  exchange.applyRow({ ...row(1000), rules: NEWEST_RULES })
  expect(exchange.rules).toBe(1)
})

test.each([0, NEWEST_RULES + 1])('a row of rules %i, which nobody here knows, is not applied', (rules) => {
  const exchange = new Exchange()
  expect(() => exchange.applyRow({ ...row(1000, ...OPENING), rules })).toThrow(RangeError)
  expect(exchange.seq).toBe(0)
})

/** A life of rules 1 with orders that only rules 2 tells apart, and an upgrade in its middle. */
function upgraded(seed: number, rows: number): Row[] {
  const history = new History(seed)
  const journal: Row[] = [{ ...history.begin(), rules: 1 }]
  for (let n = 1; n < rows; n++) {
    const { at, commands } = history.next()
    const more = n === 1 ? OPENING : n === rows / 2 ? [UPGRADE] : [bid({ lots: 100 }), bid({ price: 4700, lots: 200 })]
    journal.push({ at, commands: Buffer.concat([commands, ...more.map(encodeCommand)]) })
  }
  return journal
}

test.each([1, 2, 3])('a journal with an upgrade in its middle is replayed as it was written, also from a snapshot (SEED=%i)', (seed) => {
  const journal = upgraded(seed, 60)
  const exchange = new Exchange()
  const answers = journal.map((applied) => exchange.applyRow(applied))
  for (const from of [10, 30, 31, 50]) {
    const replayed = new Exchange()
    expect(journal.slice(0, from).map((applied) => replayed.applyRow(applied))).toEqual(answers.slice(0, from))
    const restored = restoreSnapshot(takeSnapshot(replayed))
    expect(journal.slice(from).map((applied) => restored.applyRow(applied))).toEqual(answers.slice(from))
    expect(restored.digest()).toBe(exchange.digest())
    expect(Buffer.compare(takeSnapshot(restored), takeSnapshot(exchange))).toBe(0)
  }
  const last = (n: number) => answers[n]!.at(-1)!.events[0]!.type
  expect([last(29), last(31)]).toEqual(['placed', 'refused'])
})

// Made by the engine that knew rules 1 only.
test.each([
  [1, '03fc961ff872c42a', 'e9d99ebb6e7bb4bc'],
  [2, '55ebb20d97da439d', '43c19f243243f5e3'],
  [3, '4c99fe18c7106bdd', '3de56e74dea917bd'],
])('rules 1 make of a history of long ago what they made then (SEED=%i)', (seed, digest, answers) => {
  const exchange = new Exchange()
  const hash = createHash('sha256')
  for (const applied of upgraded(seed, 400).slice(0, 200)) hash.update(JSON.stringify(exchange.applyRow(applied)))
  expect(exchange.digest()).toBe(digest)
  expect(hash.digest('hex').slice(0, 16)).toBe(answers)
})
