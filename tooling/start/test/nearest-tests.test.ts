import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, test } from 'vitest'
import { nearestTests } from '../src/nearest-tests.ts'

const root = temporaryFolder('nearest-tests')
const files = [
  'README.md',
  'packages/engine/src/book.ts',
  'packages/engine/test/book.test.ts',
  'packages/engine-room/test/room.test.ts',
  'packages/empty/src/nothing.ts',
  'packages/empty/node_modules/other/test/other.test.ts',
  'apps/web/e2e/home.journey.ts',
  'apps/web/test/home.test.ts',
]
for (const file of files) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), '')
}

test.each([
  ['packages/engine', 'packages/engine/'],
  ['packages/engine/', 'packages/engine/'],
  ['packages/engine/src', 'packages/engine/'],
  ['packages/engine/src/book.ts', 'packages/engine/'],
  ['packages/engine/test/book.test.ts', 'packages/engine/test/book.test.ts'],
  ['packages/engine/test', 'packages/engine/test/'],
  ['packages', 'packages/'],
])('nearest to %s are the tests of %s', (path, tests) => {
  expect(nearestTests(root, path)).toBe(join(root, tests))
})

test.each(['', '.', 'README.md', 'packages/empty/src/nothing.ts', 'packages/engin', '../elsewhere', 'apps/web/e2e/home.journey.ts'])(
  '“%s” has none',
  (path) => {
    expect(nearestTests(root, path)).toBeUndefined()
  },
)
