import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { webSettings } from '@augury/settings/env'
import { chromium } from '@playwright/test'
import { launchOptions } from '../e2e/browser.ts'

/** Takes the pictures of the README from the site that is running. */
const FOLDER = join(import.meta.dirname, '../../../docs/screenshots')
const LARGEST = 400_000

const WIDTHS = [
  { width: 1280, height: 860, tall: 1240 },
  { width: 360, height: 780, tall: 780 },
] as const

const browser = await chromium.launch(await launchOptions())
mkdirSync(FOLDER, { recursive: true })
try {
  for (const { width, height, tall } of WIDTHS) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const look = { viewport: { width, height }, colorScheme, reducedMotion: 'reduce', locale: 'en' } as const
      const context = await browser.newContext({ baseURL: webSettings().origin, ...look })
      const page = await context.newPage()
      const take = async (name: string) => {
        await page.mouse.move(0, 0)
        await page.evaluate(async () => {
          await document.fonts.ready
          scrollTo(0, 0)
        })
        const file = `${name}-${colorScheme}-${width}.png`
        await page.screenshot({ path: join(FOLDER, file) })
        const { size } = statSync(join(FOLDER, file))
        process.stdout.write(`docs/screenshots/${file} ${Math.round(size / 1000)} kB\n`)
        if (size > LARGEST) throw new Error(`${file} is larger than ${LARGEST / 1000} kB`)
      }
      await page.goto('/', { waitUntil: 'networkidle' })
      await take('home')

      // The event that leads the home page, its favourite unfolded.
      await page.locator('main article h2 a').first().click()
      await page.locator('[data-live="live"]').waitFor()
      await page.locator('main [data-row]').first().click()
      await page.locator('[data-side="bid"]').waitFor()
      await page.setViewportSize({ width, height: tall })
      await take('event')
      await context.close()
    }
  }
} finally {
  await browser.close()
}
