import { expect, test } from 'vitest'
import { BufferPool } from '../src/serve/views/buffer-pool.ts'

test('memory is lent again once it was given back, and only then', () => {
  const pool = new BufferPool()
  const first = pool.take(10).fill(1)
  const second = pool.take(10).fill(2)
  expect(first).toEqual(Buffer.alloc(10, 1))
  pool.release(first)
  const third = pool.take(20).fill(3)
  expect(third.buffer).toBe(first.buffer)
  expect(second).toEqual(Buffer.alloc(10, 2))
})

test('what was given back already, or comes from elsewhere, is not lent', () => {
  const pool = new BufferPool()
  const first = pool.take(10)
  const large = pool.take(1024 * 1024)
  for (const bytes of [first, first, large, Buffer.alloc(10), first.subarray(0, 5)]) pool.release(bytes)
  const again = [pool.take(10), pool.take(10), pool.take(10)]
  expect(large).toHaveLength(1024 * 1024)
  expect(new Set([...again.map(({ buffer }) => buffer), large.buffer]).size).toBe(4)
})
