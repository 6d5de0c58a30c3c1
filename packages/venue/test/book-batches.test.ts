import { expect, test } from 'vitest'
import { BookBatches } from '../src/views/book-batches.ts'
import { Books } from '../src/views/books.ts'

const CONDITION = `0x${'c0'.repeat(32)}` as const

test('a batch shows every change of a book, and a token as soon as it is registered', () => {
  let lots = 100
  const books = new Books(
    {
      depth: () => ({ bids: [[5000, lots]], asks: [] }),
      condition: () => ({ grid: 10, minLots: 500, event: null, lastTrade: null }),
    },
    { seq: 1, at: 1000 },
  )
  const registered = new Set(['1', '2'])
  const batches = new BookBatches(
    books,
    (id) => (registered.has(id) ? { id, condition: CONDITION, outcome: 0 } : null),
    (id) => JSON.stringify({ asset_id: id, bids: [] }),
  )
  const shown = (batch: { token_id: string }[]) =>
    JSON.parse(batches.bytes(batch).toString()).map((book: { asset_id: string; bids: { size: string }[] }) => [
      book.asset_id,
      book.bids[0]?.size,
    ])
  const batch = [{ token_id: '2' }, { token_id: 'żółw' }, { token_id: '1' }, { token_id: '2' }]
  const known = Object.freeze([{ token_id: '1' }]) as { token_id: string }[]
  expect([shown(batch), shown(known)]).toEqual([[['2', '1'], ['żółw', undefined], ['1', '1']], [['1', '1']]]) // biome-ignore format: as read
  expect(batches.bytes(known)).toBe(batches.bytes(known))

  lots = 250
  books.touch(CONDITION, 2, 2000)
  registered.add('żółw')
  expect([shown(batch), shown(known)]).toEqual([[['2', '2.5'], ['żółw', '2.5'], ['1', '2.5']], [['1', '2.5']]]) // biome-ignore format: as read
  lots = 300
  books.touch(CONDITION, 3, 3000)
  expect([shown(batch), shown(known)]).toEqual([[['2', '3'], ['żółw', '3'], ['1', '3']], [['1', '3']]]) // biome-ignore format: as read
  expect(batches.bytes([]).toString()).toBe('[]')
})

test('an answer stays as it is until it has left, and one that is remembered for ever', () => {
  const books = new Books(
    {
      depth: () => ({ bids: [[5000, 100]], asks: [] }),
      condition: () => ({ grid: 10, minLots: 500, event: null, lastTrade: null }),
    },
    { seq: 1, at: 1000 },
  )
  const batches = new BookBatches(
    books,
    (id) => ({ id, condition: CONDITION, outcome: 0 }),
    (id) => id,
  )
  const ids = (bytes: Buffer) => JSON.parse(bytes.toString()).map((book: { asset_id: string }) => book.asset_id)
  const first = batches.bytes([{ token_id: '1' }])
  const known = batches.bytes(Object.freeze([{ token_id: '2' }]) as { token_id: string }[])
  batches.left(known)
  const second = batches.bytes([{ token_id: '3' }])
  expect([first, known, second].map(ids)).toEqual([['1'], ['2'], ['3']])
  batches.left(first)
  const third = batches.bytes([{ token_id: '4' }])
  expect([third.buffer === first.buffer, ...[known, second, third].map(ids)]).toEqual([true, ['2'], ['3'], ['4']])
})
