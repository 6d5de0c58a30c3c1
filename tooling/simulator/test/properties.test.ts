import type { Command, Hex, Place } from '@augury/engine/command'
import { fc } from '@augury/testing/properties'
import { expect, test } from 'vitest'
import type { Row } from '../src/session.ts'
import { replay } from '../src/shrink.ts'

const id = (name: string, digits: 40 | 64): Hex => `0x${Buffer.from(name).toString('hex').padEnd(digits, '0')}`
const ACCOUNTS = ['ann', 'bob', 'cyd'].map((name) => id(name, 40))
const CONDITIONS = ['rain', 'snow'].map((name) => id(name, 64))
const ORDERS = Array.from({ length: 12 }, (_, n) => id(`order ${n}`, 64))
const EVENT = { id: id('weather', 64), size: CONDITIONS.length }

/** Two conditions of one event with every rate, and little money: refusals for want of it belong to the game. */
const OPENING: Command[] = [
  ...CONDITIONS.map((condition): Command => {
    const terms = { grid: 1000, minLots: 2, minNotional: 20_000, feeBps: 700, rebateBps: 2000, affiliateBps: 1000 }
    return { type: 'register', condition, creator: ACCOUNTS[0]!, ...terms, event: EVENT }
  }),
  ...ACCOUNTS.map((account): Command => ({ type: 'deposit', account, amount: 1_000_000, ref: `${account}${'0'.repeat(24)}` })),
  { type: 'set_account', account: ACCOUNTS[1]!, referrer: ACCOUNTS[2]!, tier: null, stpGroup: null, banned: null },
]

const account = fc.constantFrom(...ACCOUNTS)
const condition = fc.constantFrom(...CONDITIONS)
const orderId = fc.constantFrom(...ORDERS)
const lots = fc.nat(40)
const request = fc.nat(1000).map((n) => id(`request ${n}`, 64))

const place: fc.Arbitrary<Place> = fc.record({
  type: fc.constant('place'),
  orderId,
  account,
  condition,
  outcome: fc.constantFrom(0, 1),
  side: fc.constantFrom('BUY', 'SELL'),
  orderType: fc.constantFrom('GTC', 'GTC', 'GTC', 'GTD', 'FOK', 'FAK'),
  price: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 9 }).map((k) => k * 1000) }, fc.nat(10_000)),
  lots,
  budget: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(200_000)),
  expiration: fc.constantFrom(0, 0, 0, 2, 5, 60),
  postOnly: fc.boolean(),
  selfTrade: fc.constantFrom('expire_maker', 'expire_taker', 'expire_both', 'decrement', 'none'),
  deployment: fc.option(account),
  annex: fc.constant(new Uint8Array(0)),
})

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 12, arbitrary: place },
  fc.record({ type: fc.constantFrom('cancel', 'cancel_in_batch'), account, orderId }),
  fc.record({ type: fc.constant('reduce'), account, orderId, lots }),
  fc.record({
    type: fc.constant('replace'),
    cancel: orderId,
    requireCancel: fc.boolean(),
    place,
    onlyIf: fc.oneof(fc.constantFrom('any', 'unfilled', 'partially_filled'), fc.record({ matched: fc.nat(3) })),
  }),
  fc.record({ type: fc.constantFrom('split', 'merge'), account, condition, lots, request }),
  fc.record({
    type: fc.constant('convert'),
    account,
    event: fc.constant(EVENT.id),
    lots,
    request,
    conditions: fc.subarray(CONDITIONS, { minLength: 1 }),
  }),
  fc.record({ type: fc.constant('set_condition'), condition, mode: fc.constant(null), grid: fc.constant(500), feeBps: fc.constant(null) }),
  fc.record({ type: fc.constant('dead_man'), account, deadline: fc.nat(20_000), reason: fc.constant('heartbeat') }),
  fc.record({ type: fc.constant('sweep'), limit: fc.nat(3) }),
)

/** Commands behind the opening, each some milliseconds after the one before it. */
const scripts = fc
  .array(fc.tuple(fc.constantFrom(0, 0, 1, 700, 5000), command), { minLength: 1, maxLength: 60, size: 'max' })
  .map((steps) => {
    const script: Row[] = [{ at: 1000, commands: OPENING }]
    for (const [pause, next] of steps) script.push({ at: script.at(-1)!.at + pause, commands: [next] })
    return script
  })

test('whatever a few people do in two small markets, the engine and the reference exchange agree on everything', () => {
  fc.assert(
    fc.property(scripts, (script) => {
      expect(replay(script)?.what ?? null).toBeNull()
    }),
    { numRuns: 300 },
  )
})
