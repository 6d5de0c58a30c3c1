import { expect, test } from 'vitest'
import { Ring } from '../src/serve/streams/frames.ts'
import { View } from '../src/serve/streams/view.ts'

test('a view makes frames while it has a reader, and for a minute after the last has left', () => {
  const view = new View<string>('rain', new Ring(1024), 7)
  expect(view.wanted(0)).toBe(false)
  view.readers.add('ann').add('bob')
  expect(view.wanted(0)).toBe(true)
  view.leave('ann', 1000)
  expect(view.wanted(100_000)).toBe(true)
  view.leave('bob', 100_000)
  expect(view.wanted(159_999)).toBe(true)
  expect(view.wanted(160_000)).toBe(false)
  view.leave('bob', 160_000) // has left already
  expect(view.wanted(160_000)).toBe(false)
})
