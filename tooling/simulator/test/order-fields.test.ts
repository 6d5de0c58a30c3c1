import { encodeCommand } from '@augury/engine/codec'
import type { Command, Hex, Place } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { ORDER_FIELDS, type OrderField } from '@augury/engine/order-fields'
import { describe, expect, test } from 'vitest'
import { CHANGEABLE, changedPlace } from '../src/changed-place.ts'
import { NaiveExchange } from '../src/naive.ts'
import { Workload } from '../src/workload.ts'

const id = (name: string, digits: 40 | 64): Hex => `0x${Buffer.from(name).toString('hex').padEnd(digits, '0')}`
const account = id('ann', 40)
const condition = id('rain', 64)
const TERMS = { grid: 1, minLots: 1, minNotional: 0, feeBps: 0, rebateBps: 0, affiliateBps: 0, event: null }
const OPENING: Command[] = [
  { type: 'register', condition, creator: account, ...TERMS },
  { type: 'deposit', account, amount: 1_000_000_000, ref: id('deposit', 64) },
]
const limit: Place = {
  ...{ type: 'place', orderId: id('order', 64), account, condition, outcome: 0, side: 'BUY', orderType: 'GTC', price: 5000, lots: 1000 },
  ...{ budget: 0, expiration: 0, postOnly: false, selfTrade: 'expire_maker', deployment: null, annex: Uint8Array.of(7) },
}
const market: Place = { ...limit, orderType: 'FAK', lots: 0, budget: 5_000_000 }

/** What the engine and the naive model answer to the last of some commands: that it came again, or with what it is refused. */
function answers(...commands: Command[]): [engine: string, naive: string] {
  const engine = new Exchange()
  const naive = new NaiveExchange()
  const [answer] = commands.map((command) => engine.applyRow({ at: 1000, commands: encodeCommand(command) })[0]!.events[0]!).slice(-1)
  const result = commands.map((command) => naive.apply(1000, command)).at(-1)!
  const byEngine = answer?.type === 'refused' ? answer.code : answer?.type === 'placed' && answer.again ? 'again' : 'placed'
  return [byEngine, result.refused ?? (result.placed?.again ? 'again' : 'placed')]
}

const ANSWERS = { id: 'placed', same: 'duplicate_order', free: 'again' }

describe.each([
  ['an order by size', limit],
  ['an order by budget', market],
])('%s comes again', (_, place) => {
  test('as it was', () => {
    expect(answers(...OPENING, place, place)).toEqual(['again', 'again'])
  })

  test.each(Object.entries(ORDER_FIELDS) as [OrderField, keyof typeof ANSWERS][])('with another %s: %s', (field, kind) => {
    expect(answers(...OPENING, place, changedPlace(place, field))).toEqual([ANSWERS[kind], ANSWERS[kind]])
  })
})

test('every field of an order is generated with several values, and changed alone', () => {
  const values = new Map<string, Set<string>>(Object.keys(ORDER_FIELDS).map((field) => [field, new Set()]))
  const changed = new Set<string>()
  const known = new Map<Hex, Place>()
  for (let seed = 1; seed <= 20; seed++) {
    const work = new Workload(seed, { hostile: 0.5 })
    for (let n = 0; n < 2000; n++) {
      const command = work.next(1000 + n)
      if (command.type !== 'place') continue
      for (const [field, seen] of values) seen.add(String(command[field as OrderField]))
      const before = known.get(command.orderId)
      known.set(command.orderId, command)
      const differing = before && CHANGEABLE.filter((field) => String(before[field]) !== String(command[field]))
      if (differing?.length === 1) changed.add(differing[0]!)
    }
  }
  expect([...values].filter(([, seen]) => seen.size < 2).map(([field]) => field)).toEqual([])
  expect(CHANGEABLE.filter((field) => ORDER_FIELDS[field] === 'same' && !changed.has(field))).toEqual([])
})
