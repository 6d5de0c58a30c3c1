import { fc } from '@augury/testing/properties'
import { expect, test } from 'vitest'
import { voidWeights } from '../src/void-weights.ts'

test('the weights of an event are one together', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 1 }), (open, resolved) => {
      const weights = voidWeights(open + resolved.length, resolved)
      expect(weights).toHaveLength(open)
      expect([...weights, ...resolved].reduce((sum, weight) => sum + weight, 0)).toBe(10_000)
      expect(Math.max(...weights) - Math.min(...weights)).toBeLessThanOrEqual(1)
    }),
  )
})

test('what was decided above one leaves nothing', () => {
  expect(voidWeights(3, [6_000, 6_000])).toEqual([0])
  expect(voidWeights(3, [])).toEqual([3_334, 3_333, 3_333])
  expect(voidWeights(2, [])).toEqual([5_000, 5_000])
})
