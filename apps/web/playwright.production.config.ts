import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** The journey through a deployment in production mode. It starts its own browser, which finds the deployment's hosts on this machine. */
export default defineConfig({ ...journeys, projects: [{ name: 'production', testMatch: '*.production.ts' }] })
