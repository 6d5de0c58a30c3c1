import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { missing, proofsIn } from '../src/proofs.ts'
import { root } from '../src/sources.ts'

/** Rows of the list in the design. */
const ROWS = 62
const rows = proofsIn(readFileSync(join(root, 'docs/checklist.md'), 'utf8'))

test('every row of the list is there, once and in its place', () => {
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: ROWS }, (_, n) => String(n + 1)))
})

test.each(rows)('row $id is held, and what holds it is there', ({ proofs }) => {
  expect(proofs.length).toBeGreaterThan(0)
  expect(missing(proofs)).toEqual([])
})

test.each([
  [[{ path: 'docs/checklist.md', name: '# Checklist' }], 0],
  [[{ path: 'docs/checklist.md', name: 'a test that does not exist'.toUpperCase() }], 1],
  [[{ path: 'docs/nowhere.test.ts', name: 'x' }], 1],
])('of %j %i is not there', (proofs, absent) => {
  expect(missing(proofs)).toHaveLength(absent)
})
