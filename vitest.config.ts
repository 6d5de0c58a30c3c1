import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// A project is a workspace folder with tests, named after the folder: vitest run --project engine
const folders = ['packages', 'apps', 'tooling', 'examples']
  .flatMap((parent) => readdirSync(join(import.meta.dirname, parent)).map((name) => join(parent, name)))
  .filter((folder) => existsSync(join(import.meta.dirname, folder, 'test')))

export default defineConfig({
  test: {
    // Much of a test's time is the database's: two at a time also where vitest, left alone, takes one core of two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: ['packages/testing/src/global-setup.ts'],
    projects: folders.map((folder) => ({
      test: {
        name: folder.split('/')[1],
        root: join(import.meta.dirname, folder),
        include: ['test/**/*.test.ts'],
        // What a folder's tests need made before the first of them.
        globalSetup: [join(import.meta.dirname, folder, 'test/global-setup.ts')].filter(existsSync),
        testTimeout: 30_000,
        hookTimeout: 60_000,
      },
    })),
  },
})
