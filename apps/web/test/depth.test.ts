import { expect, test } from 'vitest'
import { EMPTY_BOOK } from '../src/lib/book/book-view.ts'
import { depthAt, depthOf, depthPath } from '../src/lib/charts/depth.ts'

const book = {
  ...EMPTY_BOOK,
  bids: [
    { price: 4900, lots: 100 },
    { price: 4800, lots: 300 },
    { price: 100, lots: 9000 },
  ],
  asks: [
    { price: 5100, lots: 50 },
    { price: 5300, lots: 150 },
  ],
}

test('depth adds up from the best offer outwards, and leaves out what is far from the middle', () => {
  const depth = depthOf(book)!
  expect(depth).toMatchObject({ from: 4000, to: 6000, most: 400 })
  expect(depth.bids).toEqual([
    { price: 4900, lots: 100 },
    { price: 4800, lots: 400 },
  ])
  expect(depth.asks.at(-1)).toEqual({ price: 5300, lots: 200 })
})

test('what an order up to a price would meet', () => {
  const { bids, asks } = depthOf(book)!
  expect([5000, 5100, 5200, 5300, 9000].map((price) => depthAt(asks, price, true))).toEqual([0, 50, 50, 200, 200])
  expect([5000, 4900, 4850, 4800, 100].map((price) => depthAt(bids, price, false))).toEqual([0, 100, 100, 400, 400])
})

test('a wide spread is drawn whole, and so is a book of one side', () => {
  expect(depthOf({ ...book, bids: [{ price: 1000, lots: 1 }], asks: [{ price: 9000, lots: 1 }] })).toMatchObject({ from: 0, to: 10_000 })
  const asks = depthOf({ ...book, bids: [] })!
  expect(asks).toMatchObject({ bids: [], from: 4100, to: 6100 })
  expect(depthPath(asks, asks.bids, 100)).toBe('')
  expect(depthOf(EMPTY_BOOK)).toBeNull()
})

test('the outline rises in steps and reaches the edge of its side', () => {
  const depth = depthOf(book)!
  expect(depthPath(depth, depth.asks, 100)).toBe('M55.0 100H55.0V87.5H65.0V50.0H100V100Z')
  expect(depthPath(depth, depth.bids, 100)).toBe('M45.0 100H45.0V75.0H40.0V0.0H0V100Z')
})
