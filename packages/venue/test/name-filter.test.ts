import { createHash } from 'node:crypto'
import type { Hex } from '@augury/engine/command'
import { expect, test } from 'vitest'
import { NameFilter } from '../src/base/name-filter.ts'

const hashes = (from: number, count: number): Hex[] =>
  Array.from(
    { length: count },
    (_, n) =>
      `0x${createHash('sha256')
        .update(`${from + n}`)
        .digest('hex')}` as Hex,
  )

test('a filter has what was added, also for another thread that shares its memory, and hardly anything else', () => {
  const filter = new NameFilter()
  const [added, others] = [hashes(0, 100_000), hashes(1_000_000, 100_000)]
  for (const hash of added) filter.add(hash)
  for (const seen of [filter, new NameFilter(filter.memory)]) {
    expect(added.every((hash) => seen.mayHave(hash))).toBe(true)
    expect(others.filter((hash) => seen.mayHave(hash)).length).toBeLessThan(10)
  }
})

test('with eleven million names about one new one in 150 is taken for a known one', () => {
  // As full as eleven million names make it: four bits of each, ten of them in a word.
  const filter = new NameFilter()
  const words = new Int32Array(filter.memory)
  expect(Math.round((11e6 * 4) / words.length)).toBe(10)
  let random = 1
  for (let n = 0; n < words.length * 10; n++) {
    random = (random * 48_271) % 2_147_483_647
    words[n % words.length]! |= 1 << ((random >>> 8) & 31)
  }
  const taken = hashes(0, 100_000).filter((hash) => filter.mayHave(hash)).length
  expect(taken / 100_000).toBeGreaterThan(1 / 300)
  expect(taken / 100_000).toBeLessThan(1 / 100)
})
