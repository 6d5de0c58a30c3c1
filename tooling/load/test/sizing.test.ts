import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withSizingRow } from '../src/sizing.ts'

const guide = readFileSync(join(import.meta.dirname, '../../../docs/operations/deploy.md'), 'utf8')

test('the last long run has one row in the guide, in the place of the one before', () => {
  const once = withSizingRow(guide, 'a small machine | 20 orders | 20 | nothing')
  const twice = withSizingRow(once, 'a large machine | 2000 orders | 2000 | nothing')
  expect(once).toContain('| a small machine | 20 orders | 20 | nothing |')
  expect(twice).not.toContain('a small machine')
  expect(twice.replace('| a large machine | 2000 orders | 2000 | nothing |', '')).toBe(
    once.replace('| a small machine | 20 orders | 20 | nothing |', ''),
  )
})

test('a guide without a place for the row is not written to', () => {
  expect(() => withSizingRow('# Size', 'a | b | c | d')).toThrow('no place for a row')
})
