import { webSettings } from '@augury/settings/env'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Page } from '@playwright/test'
import { launchOptions } from '../e2e/browser.ts'
import { becomeMember } from '../e2e/member.ts'

/**
 * Every page of the site that is running, signed out and signed in, × light, dark, high contrast × a phone and a desk: no violation that axe
 * knows of, nothing wider than the window, no error in the console. Words after the command choose the pages whose path has one of them.
 * Ends with 1 where something is wrong.
 */
const words = process.argv.slice(2)
const WIDTHS = [
  { width: 1280, height: 900 },
  { width: 360, height: 780 },
] as const
const THEMES = ['light', 'dark', 'contrast'] as const

const { origin } = webSettings()
const events = async (query: string) =>
  (await (await fetch(`${origin}/api/events?${query}`)).json()) as { slug: string; has_live_chart: boolean }[]
const [active, resolved] = await Promise.all([events('limit=128'), events('status=resolved&limit=1')])
const samples = [active.find((event) => !event.has_live_chart), active.find((event) => event.has_live_chart), ...resolved]
const OF_EVENTS = samples.filter((event) => event !== undefined).map(({ slug }) => `/event/${slug}`)

// biome-ignore-start format: lists of paths
const PUBLIC = [
  '/',
  '/?status=resolved',
  '/c/sports',
  '/search?q=will',
  '/search?q=nothing-like-it',
  ...OF_EVENTS,
  '/activity',
  '/leaderboard',
  '/saved',
  '/docs',
  '/docs/concepts',
  '/docs/api',
  '/docs/api/listMarkets',
  '/status',
  '/changelog',
  '/offline',
  '/login',
  '/login/two-factor',
  '/nowhere',
  ...OF_EVENTS.slice(0, 1).map((path) => path.replace('/event/', '/embed/')),
]
const MEMBERS = [
  '/',
  ...OF_EVENTS.slice(0, 1),
  '/portfolio',
  '/portfolio?tab=orders',
  '/portfolio?tab=history',
  '/money',
  '/notifications',
  '/saved',
  ...['profile', 'appearance', 'notifications', 'security', 'devices', 'api-keys', 'limits', 'affiliate'].map(
    (page) => `/settings/${page}`,
  ),
]
// biome-ignore-end format: see above

let wrong = 0
function complain(text: string) {
  wrong++
  process.stdout.write(`${text}\n`)
}

async function look(page: Page, path: string, where: string): Promise<void> {
  const errors: string[] = []
  const hear = (text: string) => {
    if (!(path === '/nowhere' && text.includes('404'))) errors.push(text)
  }
  page.removeAllListeners()
  page.on('console', (message) => message.type() === 'error' && hear(message.text()))
  page.on('pageerror', (error) => hear(error.message))
  await page.goto(path, { waitUntil: 'load', timeout: 120_000 })
  await page.waitForLoadState('networkidle', { timeout: 60_000 })
  for (const theme of THEMES) {
    await page.evaluate((to) => {
      document.documentElement.dataset.theme = to
    }, theme)
    const { violations } = await new AxeBuilder({ page }).analyze()
    for (const { id, nodes } of violations) {
      complain(`✗ ${where} ${theme} ${path}: ${id}`)
      for (const { html, failureSummary } of nodes.slice(0, 4))
        complain(`    ${html.slice(0, 200)}\n    ${failureSummary?.replaceAll('\n', ' ')}`)
    }
  }
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) complain(`✗ ${where} ${path}: wider than the window`)
  for (const error of errors) complain(`✗ ${where} ${path}: ${error}`)
}

async function walk(browser: Browser, who: 'signed out' | 'signed in', paths: readonly string[]): Promise<void> {
  const chosen = paths.filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
  if (chosen.length === 0) return
  for (const viewport of WIDTHS) {
    const context = await browser.newContext({ baseURL: origin, viewport, reducedMotion: 'reduce', locale: 'en', serviceWorkers: 'block' })
    const page = await context.newPage()
    if (who === 'signed in') await becomeMember(page, '/status')
    for (const path of chosen) await look(page, path, `${who} at ${viewport.width}`)
    await context.close()
    process.stdout.write(`  ${who} at ${viewport.width}: ${chosen.length} pages × ${THEMES.length} themes\n`)
  }
}

const browser = await chromium.launch(await launchOptions())
try {
  await walk(browser, 'signed out', PUBLIC)
  await walk(browser, 'signed in', MEMBERS)
} finally {
  await browser.close()
}
process.stdout.write(wrong === 0 ? 'Nothing is wrong.\n' : `${wrong} lines of what is wrong.\n`)
process.exitCode = wrong === 0 ? 0 : 1
