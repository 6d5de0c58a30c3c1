import { fc } from '@augury/testing/properties'
import { expect, test } from 'vitest'
import { sha256 } from '../src/sha256.ts'
import {
  assetBytes,
  bytesHex,
  leafOf,
  pathIndexes,
  putRecord,
  RECORD_BYTES,
  recordAt,
  rootOf,
  type Sum,
  stateTree,
} from '../src/state-tree.ts'

const hashOf = (n: number) => sha256(`holder ${n}`)

/** The tree of one asset with these holders' amounts, and the path of each leaf. */
function tree(amounts: readonly number[]) {
  const leaves = new Uint8Array(amounts.length * RECORD_BYTES)
  for (const [n, amount] of amounts.entries()) putRecord(leaves, n, hashOf(n), amount)
  const [asset] = stateTree(sha256, [{ asset: assetBytes(null), leaves }]).assets
  const { records, total } = asset!
  const beside = (place: number) => (place < amounts.length ? leafOf(sha256, recordAt(records, place)) : recordAt(records, place))
  return { total, wayOf: (n: number): Sum[] => pathIndexes(amounts.length, n).map(beside) }
}

const shown = (sum: Sum | null) => sum && [bytesHex(sum.hash), sum.sum]

test('every leaf leads to the root by its own path, and by no shorter, longer or other one', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_000_000_000_000_000 / 20 }), { minLength: 1, maxLength: 20 }), (amounts) => {
      const { total, wayOf } = tree(amounts)
      expect(total.sum).toBe(amounts.reduce((sum, amount) => sum + amount, 0))
      for (const [n, amount] of amounts.entries()) {
        const [leaf, way] = [{ hash: hashOf(n), sum: amount }, wayOf(n)]
        const lead = (one: Sum, index: number, path: Sum[]) => shown(rootOf(sha256, one, index, amounts.length, path))
        expect(lead(leaf, n, way)).toEqual(shown(total))
        expect(lead({ ...leaf, sum: amount + 1 }, n, way)).not.toEqual(shown(total))
        expect(lead(leaf, n, [...way, leaf])).toBeNull()
        if (way.length > 0) expect(lead(leaf, n, way.slice(1))).toBeNull()
        expect(lead(leaf, amounts.length, way)).toBeNull()
        expect(lead(leaf, -1, way)).toBeNull()
      }
    }),
    { numRuns: 50 },
  )
})

test('a path whose sum exceeds a safe integer leads nowhere', () => {
  const [leaf, beside] = [
    { hash: hashOf(0), sum: Number.MAX_SAFE_INTEGER },
    { hash: hashOf(1), sum: 1 },
  ]
  expect(rootOf(sha256, leaf, 0, 2, [{ ...beside, sum: 0 }])?.sum).toBe(Number.MAX_SAFE_INTEGER)
  expect(rootOf(sha256, leaf, 0, 2, [beside])).toBeNull()
  expect(rootOf(sha256, { ...leaf, sum: 0.5 }, 0, 2, [beside])).toBeNull()
  expect(rootOf(sha256, { ...leaf, sum: -1 }, 0, 2, [beside])).toBeNull()
})
