import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { webSettings } from '@augury/settings/env'
import { chromium } from '@playwright/test'
import { launchOptions } from '../e2e/browser.ts'

/** Takes the pictures of the README from the site that is running. */
const FOLDER = join(import.meta.dirname, '../../../docs/screenshots')
const LARGEST = 250_000

const PAGES = [
  { name: 'home', path: '/' },
  { name: 'event', path: '/event/2026-nba-champion' },
] as const
const WIDTHS = [
  { width: 1280, height: 860 },
  { width: 360, height: 780 },
] as const

const browser = await chromium.launch(await launchOptions())
mkdirSync(FOLDER, { recursive: true })
try {
  for (const viewport of WIDTHS) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        baseURL: webSettings().origin,
        viewport,
        colorScheme,
        reducedMotion: 'reduce',
        locale: 'en',
      })
      const page = await context.newPage()
      for (const { name, path } of PAGES) {
        await page.goto(path, { waitUntil: 'networkidle' })
        if (name === 'event') {
          await page.locator('main [data-row]').first().click()
          await page.locator('[data-live="live"]').waitFor()
          await page.evaluate(() => scrollTo(0, 0))
        }
        await page.evaluate(() => document.fonts.ready)
        const file = join(FOLDER, `${name}-${colorScheme}-${viewport.width}.png`)
        await page.screenshot({ path: file })
        const { size } = statSync(file)
        process.stdout.write(`${file.slice(file.indexOf('docs/'))} ${Math.round(size / 1000)} kB\n`)
        if (size > LARGEST) throw new Error(`${file} is larger than ${LARGEST / 1000} kB`)
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
}
