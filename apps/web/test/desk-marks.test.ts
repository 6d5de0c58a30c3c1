import type { Activity } from '@augury/wire/data'
import type { OpenOrder } from '@augury/wire/platform/trading'
import { expect, test } from 'vitest'
import { fillMarks, lotsByPrice, orderLines } from '../src/lib/ticket/desk-marks.ts'

const order = (side: 'buy' | 'sell', price: number, index: 0 | 1, market = '0xa') =>
  ({
    ...{ id: `${side} ${price}`, side, price, outcome: { index }, market: { condition_id: market } },
    ...{ maker_amount: '1000000', taker_amount: '2000000', size_matched: '500000' },
  }) as unknown as OpenOrder
const fill = (side: 'BUY' | 'SELL', price: number, outcomeIndex: 0 | 1, conditionId = '0xa') =>
  ({ conditionId, timestamp: 7, side, price, size: 2.5, outcomeIndex }) as Activity

test('an order of the other outcome is the opposite one at the complementary price', () => {
  const orders = [order('buy', 0.3, 0), order('buy', 0.6, 1), order('sell', 0.9, 1), order('buy', 0.3, 0, '0xb')]
  expect(orderLines(orders, { conditionId: '0xa', shown: 0 })).toEqual([
    { id: 'buy 0.3', price: 3000, words: 'Buy 1.5', buys: true },
    { id: 'buy 0.6', price: 4000, words: 'Sell 1.5', buys: false },
    { id: 'sell 0.9', price: 1000, words: 'Buy 0.5', buys: true },
  ])
  expect(orderLines(orders, { conditionId: '0xa', shown: 1 }).map(({ price, buys }) => [price, buys])).toEqual([
    [7000, false],
    [6000, true],
    [9000, false],
  ])
})

test('fills of both outcomes count at their price of the shown one', () => {
  const fills = fillMarks([fill('BUY', 0.4, 0), fill('SELL', 0.6, 1), fill('BUY', 0.4, 0, '0xb')], { conditionId: '0xa', shown: 0 })
  expect(fills).toEqual([
    { t: 7, lots: 250, price: 4000, buys: true },
    { t: 7, lots: 250, price: 4000, buys: true },
  ])
  expect([...lotsByPrice(fills)]).toEqual([[4000, 500]])
})
