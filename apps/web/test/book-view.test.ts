import { expect, test } from 'vitest'
import { chanceOf, EMPTY_BOOK, groupOf, ladderSide, mirrored, readBook } from '../src/lib/book/book-view.ts'

const sent = {
  bids: [
    { price: '0.51', size: '20' },
    { price: '0.52', size: '10.5' },
  ],
  asks: [
    { price: '0.55', size: '1' },
    { price: '0.53', size: '4' },
  ],
  last_trade_price: '0.52',
  tick_size: '0.01',
}

test('a book is read best first, whatever order it was sent in', () => {
  expect(readBook(sent)).toEqual({
    bids: [
      { price: 5200, lots: 1050 },
      { price: 5100, lots: 2000 },
    ],
    asks: [
      { price: 5300, lots: 400 },
      { price: 5500, lots: 100 },
    ],
    last: 5200,
    grid: 100,
  })
})

test('the No book is the Yes book in the mirror, and twice mirrored it is itself', () => {
  const book = readBook(sent)
  expect(mirrored(book)).toEqual({
    bids: [
      { price: 4700, lots: 400 },
      { price: 4500, lots: 100 },
    ],
    asks: [
      { price: 4800, lots: 1050 },
      { price: 4900, lots: 2000 },
    ],
    last: 4800,
    grid: 100,
  })
  expect(mirrored(mirrored(book))).toEqual(book)
})

test('a ladder row counts everything at its price or better, and what it costs', () => {
  expect(ladderSide(readBook(sent).asks)).toEqual([
    { price: 5300, lots: 400, cumulative: 400, cost: 2_120_000 },
    { price: 5500, lots: 100, cumulative: 500, cost: 2_670_000 },
  ])
  expect(ladderSide(readBook(sent).bids, { count: 1 })).toHaveLength(1)
})

test.each([
  ['a tight book by its middle', readBook(sent), 52.5],
  ['an empty one by its last trade', { ...EMPTY_BOOK, last: 700 }, 7],
  ['no price in a market without orders and trades', EMPTY_BOOK, null],
])('a chance reads %s', (_, book, percent) => {
  expect(chanceOf(book)).toBe(percent)
})

test.each(['0', '1', '-0.5', '1e2', 'x'])('a book with the price %s is no book', (price) => {
  expect(() => readBook({ bids: [{ price, size: '1' }], asks: [] })).toThrow()
})

test.each([
  { side: 'asks', up: true, step: 500, rows: [[5500, 500, 5300 * 400 + 5500 * 100]] },
  { side: 'bids', up: false, step: 500, rows: [[5000, 3050, 5200 * 1050 + 5100 * 2000]] },
  {
    side: 'bids',
    up: false,
    step: 200,
    rows: [
      [5200, 1050, 5200 * 1050],
      [5000, 2000, 5200 * 1050 + 5100 * 2000],
    ],
  },
] as const)('$side in steps of $step: no row promises more than its orders do, and costs stay exact', ({ side, up, step, rows }) => {
  expect(ladderSide(readBook(sent)[side], { step, up }).map(({ price, lots, cost }) => [price, lots, cost])).toEqual(rows)
})

test.each([
  [50, false, 50],
  [9950, true, 9950],
  [150, false, 100],
])('a price of %i at the end of the scale keeps a row that an order can name', (price, up, row) => {
  expect(groupOf(price, { step: 100, up })).toBe(row)
})
