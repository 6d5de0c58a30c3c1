import type { Hex, Outcome, Place, Side } from '@augury/engine/command'
import { describe, expect, test } from 'vitest'
import { NaiveExchange } from '../src/naive.ts'

const NAMES = ['maker', 'second', 'third', 'taker', 'creator', 'referrer']
const id = (name: string, digits: 40 | 64): Hex => `0x${Buffer.from(name).toString('hex').padEnd(digits, '0')}`
const account = (name: string): Hex => id(name, 40)
const CONDITION = id('condition', 64)

function market(terms: { feeBps?: number; rebateBps?: number; affiliateBps?: number } = {}) {
  const naive = new NaiveExchange()
  const rates = { feeBps: 0, rebateBps: 0, affiliateBps: 0, ...terms }
  naive.apply(1000, {
    type: 'register',
    condition: CONDITION,
    creator: account('creator'),
    grid: 100,
    minLots: 1,
    minNotional: 0,
    ...rates,
    event: null,
  })
  for (const name of NAMES) {
    naive.apply(1000, { type: 'deposit', account: account(name), amount: 1_000_000_000, ref: id(`d-${name}`, 64) })
    naive.apply(1000, { type: 'split', account: account(name), condition: CONDITION, lots: 50_000, request: id(`s-${name}`, 64) })
  }
  const order = (name: string, who: string, side: Side, token: 'YES' | 'NO', price: number, lots: number, more: Partial<Place> = {}) =>
    naive.apply(2000, {
      type: 'place',
      orderId: id(name, 64),
      account: account(who),
      condition: CONDITION,
      outcome: (token === 'YES' ? 0 : 1) as Outcome,
      side,
      orderType: 'GTC',
      price,
      lots,
      budget: 0,
      expiration: 0,
      postOnly: false,
      selfTrade: 'expire_maker',
      deployment: null,
      annex: new Uint8Array(0),
      ...more,
    })
  const cash = (name: string) => naive.account(account(name)).cash
  return { naive, order, cash }
}

describe('the reference exchange does the worked examples of the rule book', () => {
  test('a taker meets a minting maker at the better price first, then a seller and a minting maker in the order of their coming', () => {
    const { naive, order, cash } = market({ feeBps: 700 })
    order('M1', 'maker', 'SELL', 'YES', 5500, 4000)
    order('M2', 'second', 'BUY', 'NO', 4500, 3000)
    order('M3', 'third', 'BUY', 'NO', 4600, 5000)
    const before = { taker: cash('taker'), locked: naive.conditions.get(CONDITION)!.locked }
    const { fills } = order('T', 'taker', 'BUY', 'YES', 5600, 10_000)
    expect(fills.map(({ maker, kind, lots, price, fee }) => [maker, kind, lots, price, fee])).toEqual([
      [id('M3', 64), 'mint', 5000, 5400, 869_400],
      [id('M1', 64), 'direct', 4000, 5500, 693_000],
      [id('M2', 64), 'mint', 1000, 5500, 173_250],
    ])
    expect(before.taker - cash('taker')).toBe(54_500_000 + 1_735_650)
    expect(naive.conditions.get(CONDITION)!.locked - before.locked).toBe(60_000_000)
    expect(naive.orders.get(id('M2', 64))!.remaining).toBe(2000)
  })

  test('two sellers of opposite tokens merge, and the improvement goes to the taker', () => {
    const { naive, order, cash } = market()
    order('M', 'maker', 'SELL', 'YES', 5500, 2000)
    const before = { maker: cash('maker'), taker: cash('taker'), locked: naive.conditions.get(CONDITION)!.locked }
    order('T', 'taker', 'SELL', 'NO', 4000, 2000)
    expect(cash('maker') - before.maker).toBe(11_000_000)
    expect(cash('taker') - before.taker).toBe(9_000_000)
    expect(naive.conditions.get(CONDITION)!.locked - before.locked).toBe(-20_000_000)
  })

  test.each([
    [5000, 1_750_000],
    [1000, 630_000],
    [100, 69_300],
  ])('100 shares at %i steps and 700 basis points pay a fee of %i', (price, fee) => {
    const { order } = market({ feeBps: 700 })
    order('M', 'maker', 'SELL', 'YES', price, 10_000)
    expect(order('T', 'taker', 'BUY', 'YES', price, 10_000).placed!.first.fee).toBe(fee)
  })

  test('a fee is shared out whole: makers by their weight, the referrer, and the rest to the creator', () => {
    const { naive, order, cash } = market({ feeBps: 700, rebateBps: 2000, affiliateBps: 1000 })
    naive.apply(1500, {
      type: 'set_account',
      account: account('taker'),
      referrer: account('referrer'),
      tier: null,
      stpGroup: null,
      banned: null,
    })
    order('M1', 'maker', 'SELL', 'YES', 5000, 1)
    order('M2', 'second', 'SELL', 'YES', 5000, 2)
    const before = Object.fromEntries(NAMES.map((name) => [name, cash(name)]))
    order('T', 'taker', 'BUY', 'YES', 5000, 3)
    const gained = NAMES.map((name) => [name, cash(name) - before[name]!])
    expect(gained).toEqual([
      ['maker', 5000 + 35],
      ['second', 10_000 + 70],
      ['third', 0],
      ['taker', -15_000 - 525],
      ['creator', 368],
      ['referrer', 52],
    ])
  })
})
