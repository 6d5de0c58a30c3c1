import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sections } from '../src/lib/admin/sections.ts'

test('the guide for operators has every page of the admin area, in the order of its menu', () => {
  const guide = readFileSync(join(import.meta.dirname, '../src/docs/operating.md'), 'utf8')
  const [, rows] = /^\| Page \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(guide)!
  const told = rows!
    .trimEnd()
    .split('\n')
    .map((row) => row.split('|')[1]!.trim())
  expect(told).toEqual(['Overview', ...sections.flatMap(({ pages }) => pages.map(({ name }) => name))])
})
