import { expect, test } from 'vitest'
import type { BookView } from '../src/lib/book/book-view.ts'
import { budgetWithin, farThrough, guarded, isWithin, lotsWithin, previewOrder } from '../src/lib/ticket/order-preview.ts'

const book: BookView = {
  bids: [
    { price: 5000, lots: 10_000 },
    { price: 4800, lots: 10_000 },
  ],
  asks: [
    { price: 5200, lots: 5_000 },
    { price: 5300, lots: 5_000 },
    { price: 6000, lots: 10_000 },
  ],
  last: 5100,
  grid: 100,
}

test('a budget buys whole lots level by level, and its fee comes on top', () => {
  expect(previewOrder(book, { side: 'BUY', limit: 9900, lots: null, budget: 60_000_000 }, 400)).toEqual({
    fills: [
      { price: 5200, lots: 5_000 },
      { price: 5300, lots: 5_000 },
      { price: 6000, lots: 1_250 },
    ],
    lots: 11_250,
    cost: 60_000_000,
    fee: Math.round((5_000 * 5200 * 4800 + 5_000 * 5300 * 4700 + 1_250 * 6000 * 4000) * 400 * 1e-8),
    average: 533_333,
    worst: 6000,
    slippage: (5333.33 - 5200) / 5200,
    left: 0,
  })
})

test.each([
  [
    '100 shares at 50¢ and 7 % pay 1.75',
    { side: 'SELL', limit: 100, lots: 10_000, budget: null },
    700,
    { cost: 50_000_000, fee: 1_750_000, left: 0 },
  ],
  [
    'more than the book holds is left',
    { side: 'SELL', limit: 100, lots: 30_000, budget: null },
    0,
    { lots: 20_000, left: 10_000, worst: 4800 },
  ],
  [
    'a limit keeps worse levels away',
    { side: 'BUY', limit: 5300, lots: 20_000, budget: null },
    0,
    { lots: 10_000, left: 10_000, worst: 5300 },
  ],
  [
    'a budget too small for a lot buys nothing',
    { side: 'BUY', limit: 9900, lots: null, budget: 5_199 },
    400,
    { lots: 0, average: null, left: 5_199 },
  ],
] as const)('%s', (_, intent, bps, expected) => {
  expect(previewOrder(book, intent, bps)).toMatchObject(expected)
})

test('the worst price leaves a fiftieth of room, at least one step, inside of the market', () => {
  expect([
    guarded('BUY', 5300, 100),
    guarded('BUY', 200, 100),
    guarded('BUY', 9900, 100),
    guarded('SELL', 5000, 100),
    guarded('SELL', 100, 100),
  ]).toEqual([5500, 300, 9900, 4900, 100])
})

test.each([0, 200, 700])('what is typed is what leaves the account, the fee of %s bps inside, to less than a lot', (bps) => {
  for (const spend of [10_000_000, 25_000_000, 52_000_000, 80_000_000]) {
    const budget = budgetWithin(book, spend, 9900, bps)
    const { cost, fee, left } = previewOrder(book, { side: 'BUY', limit: 9900, lots: null, budget }, bps)
    expect(cost + left + fee).toBeLessThanOrEqual(spend)
    expect(spend - cost - fee).toBeLessThan(10_000)
  }
})

test('what the book cannot fill has room for its own fee', () => {
  const spend = 500_000_000
  const budget = budgetWithin(book, spend, 9900, 700)
  const deeper = { ...book, asks: [...book.asks, { price: 6000, lots: 1_000_000 }] }
  const { cost, fee, left } = previewOrder(deeper, { side: 'BUY', limit: 9900, lots: null, budget }, 700)
  expect(left).toBeLessThan(6000)
  expect(cost + fee).toBeLessThanOrEqual(spend)
  expect(spend - cost - fee).toBeLessThan(10_000)
})

test.each([
  ['waits in the book and pays no fee', 5100, 10_000_000, 1_960],
  ['fills in part, with its fee, and waits with the rest', 5200, 52_000_000, 9_832],
  ['fills whole, below its limit', 5300, 10_000_000, 1_860],
  ['is too small for a lot', 5300, 5_199, 0],
])('a limit order by money %s', (_, limit, spend, lots) => {
  expect(lotsWithin(book, spend, limit, 700)).toBe(lots)
})

test.each([
  ['BUY', 9000, 3800],
  ['BUY', 5300, 0],
  ['BUY', 5000, 0],
  ['SELL', 1000, 4000],
  ['SELL', 4900, 0],
  ['SELL', 6000, 0],
] as const)('a limit to %s at %s is %s steps too far through the market', (side, limit, steps) => {
  expect(farThrough(book, side, limit)).toBe(steps)
})

test.each([
  ['BUY', 5300, 5300, true],
  ['BUY', 5400, 5300, false],
  ['SELL', 4800, 4800, true],
  ['SELL', 4700, 4800, false],
  ['BUY', null, 5300, true],
  ['BUY', 5300, null, true],
] as const)('to %s at %s is within %s that was agreed to: %s', (side, worst, agreed, is) => {
  expect(isWithin(side, worst, agreed)).toBe(is)
})
