import { expect, test } from 'vitest'
import { encodeCommand } from '../src/codec.ts'
import type { Command, Hex } from '../src/command.ts'
import { Exchange } from '../src/exchange.ts'

const id = (name: string, digits: 40 | 64): Hex => `0x${Buffer.from(name).toString('hex').padEnd(digits, '0')}`

test('an order past its time is shown, as expired, for as long as it holds money', () => {
  const exchange = new Exchange()
  const apply = (at: number, command: Command) => exchange.applyRow({ at, commands: encodeCommand(command) })
  const account = id('ann', 40)
  const terms = { grid: 100, minLots: 1, minNotional: 0, feeBps: 0, rebateBps: 0, affiliateBps: 0, event: null }
  apply(1000, { type: 'register', condition: id('rain', 64), creator: account, ...terms })
  apply(1000, { type: 'deposit', account, amount: 1_000_000, ref: id('first', 64) })
  apply(2000, {
    ...{ type: 'place', orderId: id('bid', 64), account, condition: id('rain', 64), outcome: 0, side: 'BUY', orderType: 'GTD' },
    ...{ price: 5000, lots: 10, budget: 0, expiration: 60, postOnly: false, selfTrade: 'expire_maker', deployment: null },
    annex: new Uint8Array(0),
  })
  apply(60_000, { type: 'set_mode', mode: 'normal' })
  expect(exchange.balance(account).held).toBe(50_000)
  expect(exchange.openOrders(account).map(({ state, price, remaining }) => [state, price * remaining])).toEqual([['expired', 50_000]])
  apply(60_000, { type: 'sweep', limit: 10 })
  expect(exchange.balance(account).held).toBe(0)
  expect(exchange.openOrders(account)).toEqual([])
})
