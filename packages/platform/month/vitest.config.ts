import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// `npm run series-month`: thirty days of price series on a clock that is moved by hand.
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    globalSetup: ['../testing/src/global-setup.ts'],
    include: ['month/*.test.ts'],
    testTimeout: 900_000,
    hookTimeout: 60_000,
  },
})
