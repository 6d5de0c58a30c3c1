import { expect, test } from 'vitest'
import { book } from '../src/book.ts'
import { bookChecksum, crc32 } from '../src/checksum.ts'

test.each([
  ['', 0],
  ['123456789', 0xcbf43926],
  ['The quick brown fox jumps over the lazy dog', 0x414fa339],
])('CRC-32 of %j', (text, sum) => {
  expect(crc32(text)).toBe(sum)
})

test('the checksum of a book covers ten levels a side, and prices as well as sizes', () => {
  const levels = (count: number, size = '5') => Array.from({ length: count }, (_, i) => ({ price: `0.${10 + i}`, size }))
  const sum = bookChecksum(levels(10), levels(2))
  expect(sum).toBe(
    crc32(
      `${levels(10)
        .map((l) => `${l.price}:5`)
        .join(',')}|0.10:5,0.11:5`,
    ),
  )
  expect(bookChecksum(levels(11), levels(2))).toBe(sum)
  expect(bookChecksum(levels(10), levels(2, '6'))).not.toBe(sum)
  expect(bookChecksum(levels(2), levels(10))).not.toBe(sum)
})

test('the keys of a book are in the order of its hash', () => {
  expect(Object.keys(book.shape)).toEqual([
    'market',
    'asset_id',
    'timestamp',
    'hash',
    'bids',
    'asks',
    'min_order_size',
    'tick_size',
    'neg_risk',
    'last_trade_price',
  ])
})
