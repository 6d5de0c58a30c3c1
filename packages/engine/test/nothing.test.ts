import { describe, expect, test } from 'vitest'
import { encodeCommand } from '../src/codec.ts'
import type { Command, Place } from '../src/command.ts'
import { Exchange } from '../src/exchange.ts'
import { idOf } from './script.ts'

const account = (name: string) => idOf(name, 20)
const hash = (name: string) => idOf(name, 32)
const AT = 1_000_000_000_000

/** An exchange with one market in which bob offers Yes at 0.60, and alice has had an order and nothing is left to her. */
function opened() {
  const exchange = new Exchange()
  const apply = (command: Command) => exchange.applyRow({ at: AT, commands: encodeCommand(command) })[0]!.events[0]!
  const terms = { grid: 100, minLots: 500, minNotional: 0, feeBps: 0, rebateBps: 0, affiliateBps: 0, event: null }
  apply({ type: 'register', condition: hash('rain'), creator: account('maker'), ...terms })
  apply({ type: 'register', condition: hash('dry'), creator: account('maker'), ...terms })
  apply({ type: 'set_condition', condition: hash('dry'), mode: 'closed', grid: null, feeBps: null })
  apply({ type: 'deposit', account: account('bob'), amount: 100_000_000, ref: hash('bob') })
  apply({ type: 'deposit', account: account('alice'), amount: 6_000_000, ref: hash('alice') })
  apply({ ...order('bids', 'bob'), outcome: 1, price: 4000 })
  apply({ ...order('past', 'alice'), lots: 600, price: 5000 })
  apply({ type: 'cancel', account: account('alice'), orderId: hash('past') })
  apply({ type: 'withdraw', account: account('alice'), amount: 6_000_000, ref: hash('out') })
  return { exchange, apply }
}
const order = (name: string, owner: string): Place => ({
  ...{ type: 'place', orderId: hash(name), account: account(owner), condition: hash('rain'), outcome: 0, side: 'BUY', orderType: 'GTC' },
  ...{ price: 3000, lots: 1000, budget: 0, expiration: 0, postOnly: false, selfTrade: 'expire_maker', deployment: null },
  annex: new Uint8Array(),
})
const own = { account: account('alice'), condition: hash('rain'), request: hash('request') }
const a = order('a', 'alice')
const replace = { type: 'replace', cancel: hash('past'), requireCancel: true, onlyIf: 'any', place: a } as const

describe('an account that has nothing', () => {
  test('is one that the exchange never heard of, or to whom nothing is left', () => {
    const { exchange, apply } = opened()
    const have = () => ['alice', 'bob', 'stranger'].map((name) => exchange.hasNothing(account(name)))
    expect(have()).toEqual([true, false, true])
    apply({ type: 'deposit', account: account('alice'), amount: 10_000, ref: hash('again') })
    expect(have()).toEqual([false, false, true])
    apply({ ...own, type: 'split', lots: 1 })
    expect([exchange.balance(account('alice')).free, ...have()]).toEqual([0, false, false, true])
  })

  test.each<[string, Command]>([
    ['an order', a],
    ['an order of a stranger', order('b', 'stranger')],
    ['a sale', { ...a, side: 'SELL' }],
    ['an order of no market', { ...a, condition: hash('fog') }],
    ['an order of a closed market', { ...a, condition: hash('dry') }],
    ['a price off the tick', { ...a, price: 3050 }],
    ['too small an order', { ...a, lots: 1 }],
    ['an order that matches', { ...a, price: 7000 }],
    ['another order under an id that is taken', { ...a, orderId: hash('past') }],
    ['a replacement of what has ended', replace],
    ['a replacement of another account’s order', { ...replace, cancel: hash('bids') }],
    ['a replacement of what never was', { ...replace, cancel: hash('never') }],
    ['a replacement of what may be gone', { ...replace, requireCancel: false }],
    ['a split', { ...own, type: 'split', lots: 100 }],
    ['a merge', { ...own, type: 'merge', lots: 100 }],
    ['a claim', { ...own, type: 'redeem' }],
    ['a smaller order of another account', { type: 'reduce', account: own.account, orderId: hash('bids'), lots: 1 }],
  ])('%s gets the same refusal without a row as with one', (_, command) => {
    const { exchange, apply } = opened()
    const [digest, seq] = [exchange.digest(), exchange.seq]
    const told = exchange.refusalOfNothing(command)
    expect([exchange.digest(), exchange.seq, told?.type]).toEqual([digest, seq, 'refused'])
    expect(told).toEqual(apply(command))
  })

  test.each<[string, Command, string]>([
    ['filled at once or not at all', { ...a, orderType: 'FOK' }, 'insufficient_balance'],
    ['filled as far as possible', { ...a, orderType: 'FAK', lots: 0, budget: 5_000_000 }, 'insufficient_balance'],
    ['that may not match', { ...a, postOnly: true, price: 7000 }, 'insufficient_balance'],
    ['to sell at once', { ...a, side: 'SELL', orderType: 'FAK', price: 9000 }, 'insufficient_shares'],
  ])('is refused an order %s for what it lacks, and not rejected', (_, command, code) => {
    const { exchange, apply } = opened()
    const details = { available: 0, reserved: 0, required: code === 'insufficient_shares' ? 1000 : expect.any(Number) }
    expect(exchange.refusalOfNothing(command)).toEqual({ type: 'refused', code, details, state: null })
    expect(apply(command)).toMatchObject({ type: 'placed', order: { state: 'rejected' } })
  })

  test('is answered by the journal where nothing is refused: the same order again, and what changes nothing', () => {
    const { exchange } = opened()
    const commands: Command[] = [
      { ...order('past', 'alice'), lots: 600, price: 5000 },
      { type: 'cancel_all', account: own.account, condition: null, outcome: null, reason: 'cancel_all' },
      { type: 'reduce', account: own.account, orderId: hash('past'), lots: 1 },
    ]
    expect(commands.map((command) => exchange.refusalOfNothing(command))).toEqual([null, null, null])
  })
})
