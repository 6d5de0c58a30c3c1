import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// `npm run conformance`: established clients in all circumstances, one after the other.
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    globalSetup: ['../../packages/testing/src/global-setup.ts'],
    include: ['conformance/*.test.ts', 'test/{session,builders}.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
