import { webSettings } from '@augury/settings/env'
import { defineConfig } from '@playwright/test'
import { launchOptions } from './e2e/browser.ts'

/** Journeys through everything that `npm start` starts; they read the same settings, so they find it. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.journey.ts',
  // One stack, two cores: the journeys take turns.
  workers: 1,
  forbidOnly: true,
  timeout: 90_000,
  // A journey crosses a whole system on a shared machine: one more try, and whoever needed it is printed as flaky.
  retries: 1,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    baseURL: webSettings().origin,
    launchOptions: await launchOptions(),
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
    locale: 'en',
    timezoneId: 'UTC',
  },
})
