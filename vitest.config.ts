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
    // Much of a test's time is the database's: two at a time also where vitest, left alone, takes one core of two. All share one
    // PostgreSQL, whose connections are enough for eight.
    maxWorkers: Math.min(8, Math.max(2, availableParallelism() - 1)),
    globalSetup: ['packages/testing/src/global-setup.ts'],
    projects: folders.map((folder) => ({
      test: {
        name: folder.split('/')[1],
        root: join(import.meta.dirname, folder),
        include: ['test/**/*.test.ts'],
        // What a folder's tests need made before the first of them.
        globalSetup: [join(import.meta.dirname, folder, 'test/global-setup.ts')].filter(existsSync),
        // Only what hangs is late: a busy machine takes twenty times as long as a quiet one.
        testTimeout: 120_000,
        // Hundreds of modules of libraries are evaluated once a worker instead of once a file: a third of the time of packages/rest.
        // Our own modules are new in each file all the same.
        isolate: false,
        hookTimeout: 180_000,
        expect: { poll: { timeout: 60_000 } },
      },
    })),
  },
})
