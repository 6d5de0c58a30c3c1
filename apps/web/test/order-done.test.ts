import type { PlainOrder } from '@augury/wire/order-body'
import type { OrderResult } from '@augury/wire/order-result'
import { expect, test } from 'vitest'
import { doneSentences } from '../src/lib/ticket/order-done.ts'

const result = (given: Partial<OrderResult>) =>
  ({
    state: 'cancelled',
    size_matched: '0',
    remaining_size: '0',
    avg_price: null,
    fee: '0',
    makingAmount: '0',
    takingAmount: '0',
    ...given,
  }) as OrderResult
const order = (given: Partial<PlainOrder> & { spend?: number }) =>
  ({ tokenId: '1', side: 'BUY', orderType: 'FAK', price: '0.42', ...given }) as PlainOrder

const filled = { size_matched: '20', avg_price: '0.4', makingAmount: '8' }

test.each<[what: string, order: PlainOrder, result: OrderResult, sentences: string[]]>([
  [
    'all of it traded, for a fee',
    order({ size: '20' }),
    result({ ...filled, state: 'filled', fee: '0.192001' }),
    ['Bought 20 Yes at 40¢ on average.', 'You paid $8.19, $0.19 of it as the fee.'],
  ],
  [
    'a market order by shares was cut short',
    order({ side: 'SELL', size: '30' }),
    result({ ...filled, makingAmount: '20', takingAmount: '8', fee: '0.19', remaining_size: '10' }),
    ['Sold 20 Yes at 40¢ on average.', 'You received $7.81, after a fee of $0.19.', '10 shares found no match and were cancelled.'],
  ],
  [
    'a market order by money was cut short',
    order({ amount: '10', spend: 10_400_000 }),
    result({ ...filled, fee: '0.32' }),
    [
      'Bought 20 Yes at 40¢ on average.',
      'You paid $8.32, $0.32 of it as the fee.',
      'Nothing more was on offer at that price: $2.08 stays in your account.',
    ],
  ],
  [
    'what is left of the money buys no lot',
    order({ amount: '8', spend: 8_003_900 }),
    result({ ...filled, state: 'filled' }),
    ['Bought 20 Yes at 40¢ on average.', 'You paid $8.00.'],
  ],
  [
    'a limit order waits with its rest',
    order({ orderType: 'GTC', size: '30' }),
    result({ ...filled, state: 'partially_filled', remaining_size: '10' }),
    ['Bought 20 Yes at 40¢ on average.', 'You paid $8.00.', '10 shares wait in the book at 42¢.'],
  ],
  [
    'a limit order met one of its owner',
    order({ orderType: 'GTC', size: '30' }),
    result({ state: 'cancelled', remaining_size: '30' }),
    ['30 shares found no match and were cancelled.'],
  ],
])('%s', (_, sent, answered, sentences) => {
  expect(doneSentences(answered, sent, 'Yes')).toEqual(sentences)
})
