import { prng } from '@augury/testing/prng'
import { expect, test } from 'vitest'
import { encodeRow } from '../src/codec.ts'
import type { Command, Hex } from '../src/command.ts'
import { Exchange } from '../src/exchange.ts'
import { restoreSnapshot, takeSnapshot } from '../src/snapshot.ts'

const key = (kind: number, n: number, bytes: number): Hex => `0x${((kind << 16) | n).toString(16).padStart(bytes * 2, '0')}`

const EVENT = key(1, 0, 32)
const MEMBERS = [0, 1, 2, 3, 4].map((n) => key(2, n, 32))
const TRADERS = [0, 1, 2].map((n) => key(3, n, 20))
const DEPOSIT = 50_000_000
const TERMS = { creator: key(3, 9, 20), grid: 100, minLots: 1, minNotional: 0, feeBps: 0, rebateBps: 0, affiliateBps: 0 }

let requests = 0
const apply = (exchange: Exchange, ...commands: Command[]) => exchange.applyRow({ at: 1000, commands: encodeRow(commands) })

/** An event of five in which everybody split and converted at random, as a snapshot. */
function converted(seed: number): Uint8Array {
  const random = prng(seed)
  const exchange = new Exchange()
  apply(
    exchange,
    ...MEMBERS.map((condition): Command => ({ type: 'register', condition, ...TERMS, event: { id: EVENT, size: 5 } })),
    ...TRADERS.map((account, n): Command => ({ type: 'deposit', account, amount: DEPOSIT, ref: key(4, n, 32) })),
  )
  for (let n = 0; n < 60; n++) {
    const lots = random.integer(1, 200)
    const account = random.pick(TRADERS)
    const of = { account, lots, request: key(5, ++requests, 32) }
    if (n < 30) apply(exchange, { type: 'split', condition: random.pick(MEMBERS), ...of })
    else apply(exchange, { type: 'convert', event: EVENT, conditions: MEMBERS.filter(() => random.chance(0.4)), ...of })
  }
  return takeSnapshot(exchange)
}

function orders<Item>(items: Item[]): Item[][] {
  return items.length === 0 ? [[]] : items.flatMap((item) => orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))
}

/** All there is, in millionths: with the traders, behind tokens, and kept for what was converted. */
function money(exchange: Exchange): number {
  const cash = TRADERS.reduce((sum, account) => sum + exchange.balance(account).free, 0)
  return MEMBERS.reduce((sum, id) => sum + exchange.condition(id)!.locked, cash) + exchange.event(EVENT)!.cash
}

test.each([
  ['one winner', [10_000, 0, 0, 0, 0]],
  ['a tie', [5_000, 5_000, 0, 0, 0]],
  ['a void', [2_000, 2_000, 2_000, 2_000, 2_000]],
  ['a void of shares that do not divide', [3_334, 3_333, 3_333, 0, 0]],
])('an event of five pays out exactly what came in, in whatever order it is resolved: %s', (_, weights) => {
  const snapshot = converted(weights[0]!)
  expect(restoreSnapshot(snapshot).event(EVENT)!.converted).toBeGreaterThan(0)
  const random = prng(7)
  for (const order of orders([0, 1, 2, 3, 4])) {
    const exchange = restoreSnapshot(snapshot)
    for (const [n, member] of order.entries()) {
      const conditions = MEMBERS.filter(() => random.chance(0.5))
      apply(exchange, { type: 'convert', account: TRADERS[n % 3]!, event: EVENT, conditions, lots: 1, request: key(6, ++requests, 32) })
      const wrong = n === 4 ? (weights[member]! + 1) % 10_001 : 10_001 // the last makes exactly one USDC of all
      const [refused, resolved] = apply(
        exchange,
        { type: 'resolve', condition: MEMBERS[member]!, weight: wrong },
        { type: 'resolve', condition: MEMBERS[member]!, weight: weights[member]! },
      )
      expect(refused!.events[0]).toMatchObject({ type: 'refused', code: 'invalid_weight' })
      expect(resolved!.events[0]).toMatchObject({ type: 'condition', change: 'resolved' })
      expect(money(exchange)).toBe(TRADERS.length * DEPOSIT)
    }
    apply(exchange, ...MEMBERS.map((condition): Command => ({ type: 'redeem_all', condition, limit: 100 })))
    expect(MEMBERS.map((id) => exchange.condition(id)!.locked)).toEqual([0, 0, 0, 0, 0])
    expect(exchange.event(EVENT)!.cash).toBe(0)
    expect(TRADERS.reduce((sum, account) => sum + exchange.balance(account).free, 0)).toBe(TRADERS.length * DEPOSIT)
  }
})
