import { expect, test } from 'vitest'
import { encodeCommand } from '../src/codec.ts'
import type { Command, Hex, Place } from '../src/command.ts'
import { Exchange } from '../src/exchange.ts'

const id = (name: string, digits: 40 | 64): Hex => `0x${Buffer.from(name).toString('hex').padEnd(digits, '0')}`

const TERMS = { grid: 100, minLots: 1, minNotional: 0, feeBps: 0, rebateBps: 0, affiliateBps: 0, event: null }

/** An exchange with one condition and ann, who has one USDC. */
function market() {
  const exchange = new Exchange()
  const account = id('ann', 40)
  const apply = (at: number, command: Command) => exchange.applyRow({ at, commands: encodeCommand(command) })[0]!.events
  apply(1000, { type: 'register', condition: id('rain', 64), creator: account, ...TERMS })
  apply(1000, { type: 'deposit', account, amount: 1_000_000, ref: id('first', 64) })
  const place = (more: Partial<Place>) =>
    apply(2000, {
      ...{ type: 'place', orderId: id('bid', 64), account, condition: id('rain', 64), outcome: 0, side: 'BUY', orderType: 'GTC' },
      ...{ price: 5000, lots: 0, budget: 0, expiration: 0, postOnly: false, selfTrade: 'expire_maker', deployment: null },
      ...{ annex: new Uint8Array(0), ...more },
    })
  return { exchange, account, apply, place }
}

test.each<[string, Partial<Place>]>([
  ['that would rest', { budget: 20_000, orderType: 'GTC' }],
  ['that sells', { budget: 20_000, orderType: 'FAK', side: 'SELL' }],
  ['that also names its size', { budget: 20_000, lots: 4, orderType: 'FAK' }],
])('an order by budget %s is refused', (_, order) => {
  const { exchange, account, place } = market()
  expect(place(order)[0]).toMatchObject({ type: 'refused', code: 'invalid_amount' })
  expect(exchange.balance(account)).toEqual({ free: 1_000_000, held: 0, withdrawing: 0 })
})

test('an order past its time is shown, as expired, for as long as it holds money', () => {
  const { exchange, account, apply, place } = market()
  place({ orderType: 'GTD', lots: 10, expiration: 60 })
  apply(60_000, { type: 'set_mode', mode: 'normal' })
  expect(exchange.balance(account).held).toBe(50_000)
  expect(Array.from(exchange.openOrders(account), ({ state, price, remaining }) => [state, price * remaining])).toEqual([
    ['expired', 50_000],
  ])
  apply(60_000, { type: 'sweep', limit: 10 })
  expect(exchange.balance(account).held).toBe(0)
  expect([...exchange.openOrders(account)]).toEqual([])
})
