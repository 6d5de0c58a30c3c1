import type { ChangedOrder } from '@augury/wire/platform/portfolio'
import { expect, test } from 'vitest'
import { type ChangeObstacle, changedSentences, previewChange, type Standing } from '../src/lib/ticket/order-change.ts'

const level = (price: number, lots: number) => ({ price, lots })
/** Who wants 100 shares at 30¢ and has 40 of them; 10 are offered at 35¢, 10 at 36¢. */
const bid: Standing = {
  ...{ side: 'BUY', price: 3000, lots: 10_000, filled: 4000, minLots: 500, feeBps: 0, postOnly: false },
  book: { bids: [level(3000, 6000), level(2900, 100)], asks: [level(3500, 1000), level(3600, 1000)], last: 3000, grid: 100 },
}
const ask: Standing = { ...bid, side: 'SELL', price: 3600, book: { ...bid.book, asks: [level(3600, 6000)] } }

test.each<[what: string, standing: Standing, price: number, lots: number, facts: object]>([
  ['less', bid, 3000, 7000, { keepsPlace: true, held: 18_000_000, holds: 9_000_000, waits: 3000, takes: -9_000_000 }],
  ['a lower price', bid, 2500, 10_000, { keepsPlace: false, holds: 15_000_000, waits: 6000, takes: -3_000_000 }],
  ['more at the same price', bid, 3000, 12_000, { keepsPlace: false, holds: 24_000_000, waits: 8000, takes: 6_000_000 }],
  ['a price that crosses the book', bid, 3500, 10_000, { waits: 5000, holds: 17_500_000, takes: 17_500_000 + 3_500_000 - 18_000_000 }],
  ['less of a sale', ask, 3600, 5000, { keepsPlace: true, held: 6000, holds: 1000, waits: 1000, takes: 0 }],
  ['a sale that crosses the book', ask, 3000, 10_000, { keepsPlace: false, holds: 0, waits: 0, takes: 0 }],
])('a change to %s', (_, standing, price, lots, facts) => {
  expect(previewChange(standing, price, lots, null)).toMatchObject({ obstacle: null, ...facts })
})

test('an immediate trade is previewed with its fee, in the hold as well', () => {
  const { now, takes } = previewChange({ ...bid, feeBps: 400 }, 3500, 10_000, null)
  expect(now).toMatchObject({ lots: 1000, average: 350_000, fee: 91_000 })
  expect(takes).toBe(17_500_000 + 3_500_000 + 91_000 - 18_000_000)
})

test.each<[obstacle: ChangeObstacle, standing: Standing, price: number | null, lots: number | null]>([
  ['no_price', bid, null, 10_000],
  ['off_grid', bid, 3050, 10_000],
  ['no_size', bid, 3000, null],
  ['no_size', bid, 3000, 0],
  ['filled', bid, 3000, 4000],
  ['same', bid, 3000, 10_000],
  ['too_small', bid, 2900, 4499],
  ['too_small', { ...bid, filled: 100 }, 3000, 499],
  ['crosses', { ...bid, postOnly: true }, 3500, 10_000],
  ['too_much', bid, 3100, 20_000],
])('%s stands in the way', (obstacle, standing, price, lots) => {
  expect(previewChange(standing, price, lots, 10_000_000).obstacle).toBe(obstacle)
})

test('what is left may be less than the smallest order where the order stays the same one', () => {
  expect(previewChange(bid, 3000, 4001, null).obstacle).toBeNull()
})

const changed = (given: Partial<ChangedOrder>): ChangedOrder => ({
  ...{
    orderId: '0x1',
    kept_place: false,
    state: 'live',
    filled_before: '40',
    size_matched: '0',
    remaining_size: '60',
    avg_price: null,
    fee: '0',
  },
  ...given,
})
test.each<[what: string, changed: ChangedOrder, sentences: string[]]>([
  [
    'it became smaller',
    changed({ kept_place: true, state: 'partially_filled', remaining_size: '20' }),
    ['20 shares wait in the book at 31¢.', 'It kept its place in the queue.'],
  ],
  [
    'it has another price, and more of it was filled on the way',
    changed({ filled_before: '55.5', remaining_size: '44.5' }),
    [
      '15.5 more shares were filled at the old price before the change.',
      '44.5 shares wait in the book at 31¢.',
      'It is the last in the queue at 31¢.',
    ],
  ],
  [
    'all of it traded at once',
    changed({ state: 'filled', size_matched: '60', remaining_size: '0', avg_price: '0.305', fee: '0.4' }),
    ['Bought 60 Yes at 30.5¢ on average.', 'Fee $0.40.'],
  ],
])('%s', (_, answer, sentences) => {
  expect(changedSentences(answer, { side: 'BUY', seen: 4000, price: 3100, outcome: 'Yes' })).toEqual(sentences)
})
