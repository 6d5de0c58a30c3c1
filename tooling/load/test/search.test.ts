import { expect, test } from 'vitest'
import { greatestBorne } from '../src/search.ts'

test.each([
  [1.3, 1, 1],
  [1, 1, 1],
  [0.9, 0.875, 4],
  [0.95, 0.9375, 4],
  [0.6, 0.5625, 5],
])('where a share of %f is borne it finds %f, in %i trials', async (bound, found, trials) => {
  const tried: number[] = []
  const share = await greatestBorne(async (at) => {
    tried.push(at)
    return at <= bound
  })
  expect(share).toBe(found)
  expect(tried).toHaveLength(trials)
})

test('where nothing is borne it ends with the least that it tried', async () => {
  const tried: number[] = []
  const share = await greatestBorne(async (at) => {
    tried.push(at)
    return false
  })
  expect(tried).toHaveLength(7)
  expect(share).toBe(tried.at(-1))
  expect(share).toBeCloseTo(0.178, 3)
})
