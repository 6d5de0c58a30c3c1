import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/clob-server', 'apps/sync-worker', 'tooling/*', 'examples/*'].map((root) => ({
      test: { root, include: ['test/**/*.test.ts'] },
    })),
  },
})
