import { expect, test } from 'vitest'
import { Places } from '../src/views/places.ts'

test('memory is lent again once it was given back, and only then', () => {
  const places = new Places()
  const first = places.take(10).fill(1)
  const second = places.take(10).fill(2)
  expect(first).toEqual(Buffer.alloc(10, 1))
  places.giveBack(first)
  const third = places.take(20).fill(3)
  expect(third.buffer).toBe(first.buffer)
  expect(second).toEqual(Buffer.alloc(10, 2))
})

test('what was given back already, or comes from elsewhere, is lent to nobody', () => {
  const places = new Places()
  const first = places.take(10)
  const large = places.take(1024 * 1024)
  for (const bytes of [first, first, large, Buffer.alloc(10), first.subarray(0, 5)]) places.giveBack(bytes)
  const again = [places.take(10), places.take(10), places.take(10)]
  expect(large).toHaveLength(1024 * 1024)
  expect(new Set([...again.map(({ buffer }) => buffer), large.buffer]).size).toBe(4)
})
