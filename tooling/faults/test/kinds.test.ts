import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { kinds } from '../src/all.ts'

test('every kind of fault has its file of tests', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts') && name !== 'kinds.test.ts')
  expect(files.toSorted()).toEqual(
    Object.keys(kinds)
      .map((kind) => `${kind}.test.ts`)
      .toSorted(),
  )
})
