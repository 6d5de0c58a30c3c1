import { webSettings } from '@augury/settings/env'
import { defineConfig } from '@playwright/test'
import { launchOptions } from './e2e/browser.ts'

/** Journeys that change what everybody sees: settings, brand, lists. Each has the site to itself. */
const ALONE = ['admin', 'admin-forms', 'two-admins', 'create', 'prices', 'sign-in'].map((name) => `${name}.journey.ts`)

/** Journeys through everything that `npm start` starts; they read the same settings, so they find it. */
export default defineConfig({
  testDir: 'e2e',
  // Much of a journey is waiting: two at a time, each in markets of its own (`quietMarket`), are half as quick again on two cores.
  workers: 2,
  projects: [
    { name: 'together', testMatch: '*.journey.ts', testIgnore: ALONE },
    { name: 'alone', testMatch: ALONE, dependencies: ['together'], workers: 1 },
  ],
  forbidOnly: true,
  timeout: 90_000,
  // A journey crosses a whole system on a shared machine: one retry, and a test that needed it is printed as flaky.
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
