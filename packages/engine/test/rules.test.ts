import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { decodeCommands, encodeCommand } from '../src/codec.ts'
import type { Command, Hex, Place } from '../src/command.ts'
import type { Event } from '../src/event.ts'
import { type Applied, Exchange, type Row } from '../src/exchange.ts'
import { restoreSnapshot, takeSnapshot } from '../src/snapshot.ts'
import { NEWEST_RULES } from '../src/state.ts'
import { History } from './history.ts'

const id = (name: string, digits: 40 | 64): Hex => `0x${Buffer.from(name).toString('hex').padEnd(digits, '0')}`
const TERMS = { grid: 100, minLots: 1, minNotional: 0, feeBps: 0, rebateBps: 0, affiliateBps: 0, event: null }
const row = (at: number, ...commands: Command[]): Row => ({ at, commands: Buffer.concat(commands.map(encodeCommand)) })

const UPGRADE: Command = { type: 'upgrade', rules: 3 }
const OPENING: Command[] = [
  { type: 'register', condition: id('rain', 64), creator: id('ann', 40), ...TERMS },
  { type: 'register', condition: id('snow', 64), creator: id('ann', 40), ...TERMS },
  { type: 'deposit', account: id('ann', 40), amount: 100_000_000, ref: id('first', 64) },
]
const IDLE = [id('bob', 40), id('cyd', 40), id('dan', 40)]
/** Switches of accounts without orders, the last of the list first. */
const arm = (deadline: number): Command[] =>
  IDLE.toReversed().map((account): Command => ({ type: 'dead_man', account, deadline, reason: 'heartbeat' }))
const sweep = (limit: number): Command => ({ type: 'sweep', limit })

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

const armed = (exchange: Exchange): Hex[] => exchange.deadMen().map(({ account }) => account)

test.each([
  [2, [0, 0, 0, 0]],
  [3, [3, 2, 1, 0]],
])('by rules %i sweeps of one leave so many fired switches without orders: %j', (rules, left) => {
  const exchange = new Exchange()
  exchange.applyRow({ ...row(1000, ...OPENING, ...arm(2000)), rules })
  for (const [n, count] of left.entries()) {
    exchange.applyRow(row(2000, sweep(n === 0 ? 0 : 1)))
    expect(armed(exchange)).toHaveLength(count)
  }
  expect(exchange.nextDue()).toBeNull()
})

test('switches of one moment fire in the order in which they were armed', () => {
  const exchange = new Exchange()
  exchange.applyRow(row(1000, ...OPENING, ...arm(2000)))
  exchange.applyRow(row(2000, sweep(1)))
  expect(armed(exchange).toSorted()).toEqual([IDLE[0], IDLE[1]])
})

test.each([
  [2, 1],
  [3, 2],
])('by rules %i the order behind a closed book without orders is gone after %i sweeps of one', (rules, sweeps) => {
  const exchange = new Exchange()
  const orders = [bid({ lots: 10 }), bid({ lots: 10, orderId: id('other', 64), condition: id('snow', 64) })]
  exchange.applyRow({ ...row(1000, ...OPENING, ...orders), rules })
  const close = ['rain', 'snow'].map(
    (name): Command => ({ type: 'set_condition', condition: id(name, 64), mode: 'closed', grid: null, feeBps: null }),
  )
  exchange.applyRow(row(2000, ...close, { type: 'cancel', account: id('ann', 40), orderId: id('bid', 64) }))
  const resolve: Command = { type: 'resolve', condition: id('snow', 64), weight: 0 }
  for (let n = 0; n < sweeps; n++) {
    expect(answer(exchange, row(2000, resolve))).toBe('condition_not_empty')
    exchange.applyRow(row(2000, sweep(1)))
  }
  expect(answer(exchange, row(2000, resolve))).toBe('condition')
})

test.each<[string, Partial<Place>, Partial<Place>]>([
  ['price and size', { lots: 100 }, { price: 4700, lots: 200 }],
  ['size alone', { lots: 10 }, { lots: 65_531 }],
  ['the budget', { budget: 20_000, orderType: 'FAK' }, { budget: 85_521, orderType: 'FAK' }],
  ['price and budget', { budget: 20_000, orderType: 'FAK' }, { budget: 20_050, price: 4900, orderType: 'FAK' }],
])('an order under a known id that differs in %s is another one', (_, first, second) => {
  const exchange = new Exchange()
  exchange.applyRow(row(1000, ...OPENING, bid(first)))
  expect(answer(exchange, row(2000, bid(first)))).toBe('again')
  expect(answer(exchange, row(3000, bid(second)))).toBe('duplicate_order')
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
  exchange.applyRow({ ...row(1000, ...OPENING, ...arm(2000)), rules: 2 })
  exchange.applyRow(row(2000, UPGRADE, sweep(1)))
  expect([exchange.rules, armed(exchange).length]).toEqual([2, 0])
  exchange.applyRow(row(3000, ...arm(3000), sweep(1)))
  expect([exchange.rules, armed(exchange).length]).toEqual([3, 2])
  expect(answer(exchange, row(4000, { type: 'upgrade', rules: 2 }))).toBe('invalid_amount')
})

test('an empty exchange begins with the newest rules, or with those of a journal that began before', () => {
  expect(new Exchange().rules).toBe(NEWEST_RULES)
  const exchange = new Exchange()
  exchange.applyRow({ ...row(1000, ...OPENING), rules: 2 })
  exchange.applyRow({ ...row(1000), rules: NEWEST_RULES })
  expect(exchange.rules).toBe(2)
})

test.each([0, 1, NEWEST_RULES + 1])('a row of rules %i, which this engine does not know, is not applied', (rules) => {
  const exchange = new Exchange()
  expect(() => exchange.applyRow({ ...row(1000, ...OPENING), rules })).toThrow(RangeError)
  expect(exchange.seq).toBe(0)
})

/** A life of rules 2 with switches and sweeps that rules 3 handle otherwise, and an upgrade in its middle. */
function upgraded(seed: number, rows: number): Row[] {
  const history = new History(seed)
  const journal: Row[] = [{ ...history.begin(), rules: 2 }]
  for (let n = 1; n < rows; n++) {
    const { at, commands } = history.next()
    const more = n === 1 ? OPENING : n === rows / 2 ? [UPGRADE] : [sweep(1), ...arm(at + 1)]
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
  expect(exchange.rules).toBe(3)
})

/**
 * The text of what a row did, without what events have only since then: the fee of a fill, what was lacking where it was not an order, and the
 * budget of an order.
 */
function asThen({ commands }: Row, applied: readonly Applied[]): string {
  const then = (event: Event, by: Command): Event => {
    if (event.type === 'fill') return { ...event, feeBps: undefined as never }
    return event.type === 'refused' && by.type !== 'place' && by.type !== 'replace' ? { ...event, details: null } : event
  }
  const by = decodeCommands(commands)
  const told = applied.map(({ seq, events }, n) => ({ seq, events: events.map((event) => then(event, by[n]!)) }))
  return JSON.stringify(told, (key, value) => (key === 'budget' ? undefined : value))
}

// Made by the engine that knew rules 2 and no newer ones.
test.each([
  [1, 'fe1b670290caab32', '06bcad0a901eb1a5'],
  [2, 'ec3f9aafae57c545', '2a33725148f99a11'],
  [3, '2e5f981b042a3f94', 'a1488a808d29c7b6'],
])('rules 2 make of a history of long ago what they made then (SEED=%i)', (seed, digest, answers) => {
  const exchange = new Exchange()
  const hash = createHash('sha256')
  for (const applied of upgraded(seed, 400).slice(0, 200)) hash.update(asThen(applied, exchange.applyRow(applied)))
  expect([exchange.digest(), hash.digest('hex').slice(0, 16)]).toEqual([digest, answers])
})
