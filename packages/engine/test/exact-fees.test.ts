import { prng } from '@augury/testing/prng'
import { expect, test } from 'vitest'
import { encodeCommand } from '../src/codec.ts'
import type { Command, Hex, Outcome, Place, Side } from '../src/command.ts'
import type { Event } from '../src/event.ts'
import { Exchange } from '../src/exchange.ts'
import { idOf } from './script.ts'

const account = (name: string): Hex => idOf(name, 20)
const rain = idOf('rain', 32)
const MAKERS = ['ann', 'bea', 'cid']
const EVERYBODY = [...MAKERS, 'taker', 'referrer', 'shop', 'creator']

/** The first and last prices and those around the peak of the curve; the smallest lots, odd ones, and the largest order. Two basis points make a tie. */
const PRICES = [1, 2, 7, 3333, 4999, 5000, 5001, 9993, 9998, 9999]
const SIZES = [1, 2, 3, 7, 999, 123_457, 1_000_000_000, 3_999_999_998]
const RATES = [0, 1, 2, 37, 700, 1000, 9999, 10_000]
const SHARES = [
  [0, 0],
  [2000, 1000],
  [3333, 3333],
  [10_000, 0],
  [0, 10_000],
  [3333, 6667],
] as const

type FillEvent = Extract<Event, { type: 'fill' }>
const isFill = (event: Event): event is FillEvent => event.type === 'fill'
const share = (whole: bigint, part: bigint, of: bigint): bigint => (whole * part) / of
const weight = ({ lots, maker: { price } }: FillEvent): bigint => BigInt(lots) * BigInt(price) * BigInt(10_000 - price)
const total = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n)

/** An exchange with one market, makers who own plenty of both tokens, and a taker who was referred. */
function market(fees: { feeBps: number; rebateBps: number; affiliateBps: number }) {
  const exchange = new Exchange()
  let at = 1_000_000_000_000
  let n = 0
  const apply = (...commands: Command[]): Event[] =>
    exchange.applyRow({ at: at++, commands: Buffer.concat(commands.map(encodeCommand)) }).flatMap(({ events }) => events)
  const terms = { grid: 1, minLots: 1, minNotional: 0, event: null }
  apply({ type: 'register', condition: rain, creator: account('creator'), ...terms, ...fees })
  for (const name of [...MAKERS, 'taker']) {
    apply({ type: 'deposit', account: account(name), amount: 900_000_000_000_000, ref: idOf(`deposit ${name}`, 32) })
    apply({ type: 'split', account: account(name), condition: rain, lots: 20_000_000_000, request: idOf(`split ${name}`, 32) })
  }
  const marks = { tier: null, stpGroup: null, banned: null }
  apply({ type: 'set_account', account: account('taker'), referrer: account('referrer'), ...marks })
  const place = (name: string, outcome: Outcome, side: Side, price: number, more: Partial<Place>): Event[] =>
    apply({
      ...{ type: 'place', orderId: idOf(`order ${n++}`, 32), account: account(name), condition: rain, outcome, side, orderType: 'GTC' },
      ...{ price, lots: 0, budget: 0, expiration: 0, postOnly: false, selfTrade: 'expire_maker', deployment: account('shop') },
      ...{ annex: new Uint8Array(), ...more },
    })
  const cash = () => new Map(EVERYBODY.map((name) => [name, exchange.balance(account(name)).free + exchange.balance(account(name)).held]))
  return { place, cash }
}

test.each(Array.from({ length: 200 }, (_, seed) => seed))(
  'a fee and its parts are exact to the millionth at any price and size (%i)',
  (seed) => {
    const random = prng(seed)
    const { pick, integer, chance } = random
    const [feeBps, [rebateBps, affiliateBps]] = [pick(RATES), pick(SHARES)]
    const { place, cash } = market({ feeBps, rebateBps, affiliateBps })
    const outcome = integer(0, 1) as Outcome
    const side = pick(['BUY', 'SELL'] as const)
    // Makers who buy the other token of what is bought mint it; those who sell the same give it.
    for (let order = integer(1, 6); order > 0; order--) {
      const price = pick(PRICES)
      const isMirror = chance(0.5)
      const makerSide = isMirror ? side : side === 'BUY' ? 'SELL' : 'BUY'
      const token = (isMirror ? 1 - outcome : outcome) as Outcome
      place(pick(MAKERS), token, makerSide, isMirror ? 10_000 - price : price, { lots: pick(SIZES) })
    }
    const before = cash()
    const byBudget = side === 'BUY' && chance(0.3)
    const size = byBudget ? { budget: pick([1, 9999, 10_000, 77_777_777, 20_000_000_000_000]) } : { lots: pick(SIZES) }
    const events = place('taker', outcome, side, side === 'BUY' ? 9999 : 1, { orderType: 'FAK', ...size })
    const fills = events.filter(isFill)
    const after = cash()
    const gained = (name: string) => BigInt(after.get(name)! - before.get(name)!)

    const fee = (2n * total(fills.map(weight)) * BigInt(feeBps) + 100_000_000n) / 200_000_000n
    expect(total(fills.map((fill) => BigInt(fill.fee)))).toBe(fee)
    expect(fills.every((fill) => fill.fee >= 0)).toBe(true)
    const cost = total(fills.map(({ lots, taker: { price } }) => BigInt(lots) * BigInt(price)))
    expect(gained('taker')).toBe((side === 'BUY' ? -cost : cost) - fee)

    const all = total(fills.map(weight))
    let left = fee
    for (const name of MAKERS) {
      const own = fills.filter(({ maker }) => maker.account === account(name))
      const rebate = all === 0n ? 0n : share(share(fee, BigInt(rebateBps), 10_000n), total(own.map(weight)), all)
      const traded = total(own.map(({ lots, maker }) => BigInt(lots) * BigInt(maker.side === 'BUY' ? -maker.price : maker.price)))
      expect(gained(name), name).toBe(traded + rebate)
      left -= rebate
    }
    const reward = share(fee, BigInt(affiliateBps), 10_000n)
    expect(gained('referrer')).toBe(reward)
    expect(gained('shop')).toBe(left - reward)
    expect(left - reward >= 0n).toBe(true)
    expect(gained('creator')).toBe(0n)
  },
)

test('an order cut into many saves at most half a millionth each, whatever the price', () => {
  for (const price of PRICES) {
    for (const feeBps of RATES) {
      const each = (lots: bigint) => (2n * lots * BigInt(price) * BigInt(10_000 - price) * BigInt(feeBps) + 100_000_000n) / 200_000_000n
      const { place } = market({ feeBps, rebateBps: 0, affiliateBps: 0 })
      place('ann', 0, 'SELL', price, { lots: 100 })
      let paid = 0n
      for (let lot = 0; lot < 100; lot++)
        paid += total(
          place('taker', 0, 'BUY', price, { orderType: 'FAK', lots: 1 })
            .filter(isFill)
            .map((fill) => BigInt(fill.fee)),
        )
      expect(paid).toBe(100n * each(1n))
      expect(2n * (each(100n) - paid) <= 101n).toBe(true)
    }
  }
})
