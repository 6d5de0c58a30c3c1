import { join } from 'node:path'
import { openPlatform } from '@augury/platform/site/platform'
import { webSettings } from '@augury/settings/env'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Page } from '@playwright/test'
import { launchOptions } from '../e2e/browser.ts'
import { becomeMember, live, ticketOf } from '../e2e/member.ts'
import { newTrader, quietMarket } from '../e2e/trader.ts'
import { addressesOf, type Reader, routesWithout } from './axe-addresses.ts'

/**
 * Every page of the site that is running, for a visitor, a member who has traded, and an admin, × light, dark, high contrast × a phone and a
 * desk: no violation that axe knows of, nothing wider than the window, no error in the console; a table at the end. Words after the command
 * choose readers (visitor, member, admin), widths (360, 1280), or pages whose path has one of them; --pictures=FOLDER keeps what was seen.
 * Ends with 1 where something is wrong. Leaves a member, their trade and an empty draft behind.
 */
const PICTURES = '--pictures='
const pictures = process.argv.find((argument) => argument.startsWith(PICTURES))?.slice(PICTURES.length)
const words = process.argv.slice(2).filter((argument) => !argument.startsWith(PICTURES))
const READERS: readonly Reader[] = ['visitor', 'member', 'admin']
const WIDTHS = [
  { width: 1280, height: 900 },
  { width: 360, height: 780 },
] as const
const THEMES = ['light', 'dark', 'contrast'] as const

const chosen = <Each extends string | number>(all: readonly Each[]) => {
  const named = all.filter((each) => words.includes(String(each)))
  return named.length === 0 ? all : named
}
const readers = chosen(READERS)
const widths = chosen(WIDTHS.map(({ width }) => width))
const parts = words.filter((word) => !([...READERS, '360', '1280'] as string[]).includes(word))

interface Cell {
  pages: number
  violations: number
}
const table = new Map<string, Cell>()
let wrong = 0
function complain(text: string) {
  wrong++
  process.stdout.write(`✗ ${text}\n`)
}

async function analyze(page: Page, row: string, theme: string, what: string): Promise<void> {
  await page.evaluate((to) => {
    document.documentElement.dataset.theme = to
  }, theme)
  if (pictures)
    await page.screenshot({ path: join(pictures, `${`${row} ${theme} ${what}`.replaceAll(/[^a-z0-9]+/g, '-')}.png`), fullPage: true })
  // A card in a frame of another site runs no script, so only its head can reload it, and it has no input.
  const { violations } = await new AxeBuilder({ page }).disableRules(what.startsWith('/embed/') ? ['meta-refresh'] : []).analyze()
  const cell = table.get(`${row} ${theme}`) ?? { pages: 0, violations: 0 }
  table.set(`${row} ${theme}`, { pages: cell.pages + 1, violations: cell.violations + violations.length })
  for (const { id, nodes } of violations) {
    complain(`${row} ${theme} ${what}: ${id}`)
    for (const { html, failureSummary } of nodes.slice(0, 4))
      process.stdout.write(`    ${html.slice(0, 200)}\n    ${failureSummary?.replaceAll('\n', ' ')}\n`)
  }
}

/** What a page says in the console because of what it is. */
const EXPECTED: Readonly<Record<string, string>> = { '/nowhere': '404', '/offline': 'ERR_FAILED' }

async function look(page: Page, path: string, row: string): Promise<void> {
  const errors: string[] = []
  page.removeAllListeners()
  page.on('console', (message) => {
    const expected = EXPECTED[path]
    if (message.type() === 'error' && !(expected && message.text().includes(expected))) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(path, { waitUntil: 'load', timeout: 120_000 })
  await page.waitForLoadState('networkidle', { timeout: 60_000 })
  for (const theme of THEMES) await analyze(page, row, theme, path)
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) complain(`${row} ${path}: wider than the window`)
  for (const error of errors) complain(`${row} ${path}: ${error}`)
}

/** A member with shares, an order that waits, and a history; an admin is one whose wallet is on the list. Answers what undoes that. */
async function become(reader: Reader, page: Page): Promise<() => Promise<unknown>> {
  if (reader === 'visitor') return async () => {}
  const [market, maker] = await Promise.all([quietMarket(), newTrader()])
  await maker.place({ tokenId: market.no, side: 'BUY', price: '0.6', size: '100' })
  await becomeMember(page, market.path)
  await live(page)
  const phone = page.viewportSize()!.width < 1024
  if (phone) await page.locator('.bar').getByRole('button', { name: /^Yes/ }).click()
  const ticket = phone ? page.getByRole('dialog').getByRole('form', { name: 'Order ticket' }) : ticketOf(page)
  await ticket.getByLabel('Amount').fill('10')
  await ticket.getByRole('button', { name: /^Buy Yes/ }).click()
  await ticket.getByRole('status').getByText('Bought').waitFor()
  await ticket.getByLabel('Order type').selectOption('limit GTC')
  await ticket.getByLabel('Limit price').fill('20')
  await ticket.getByLabel('Shares', { exact: true }).fill('10')
  await ticket.getByRole('button', { name: /^Buy Yes/ }).click()
  await ticket.getByRole('status').getByText('shares wait').waitFor()
  if (reader === 'member') return () => maker.client.cancelAll()
  await page.goto('/money')
  const platform = await openPlatform(webSettings().databaseUrl)
  const [{ address }] = (await platform.em().execute('select address from users order by created_at desc limit 1')) as [{ address: string }]
  await platform.em().execute('insert into admin_wallet (address, created_at) values (?, now())', [address])
  return async () => {
    await platform.em().execute('delete from admin_wallet where address = ?', [address])
    await platform.close()
    await maker.client.cancelAll()
  }
}

async function walk(browser: Browser, reader: Reader, viewport: (typeof WIDTHS)[number]): Promise<string[]> {
  const row = `${reader} at ${viewport.width}`
  const context = await browser.newContext({
    baseURL: webSettings().origin,
    viewport,
    reducedMotion: 'reduce',
    locale: 'en',
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await page.route('**/robots.txt', (route) => route.abort()) // by which the page for who is offline would see that it may leave
  const undo = await become(reader, page)
  try {
    const addresses = await addressesOf(reader, page)
    const paths = addresses.filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)))
    for (const path of paths) await look(page, path, row)
    process.stdout.write(`  ${row}: ${paths.length} pages × ${THEMES.length} themes\n`)
    return addresses
  } finally {
    await context.close()
    await undo()
  }
}

const browser = await chromium.launch(await launchOptions())
const visited: string[] = []
try {
  for (const reader of readers)
    for (const viewport of WIDTHS) if (widths.includes(viewport.width)) visited.push(...(await walk(browser, reader, viewport)))
} finally {
  await browser.close()
}
if (readers.length === READERS.length) for (const route of routesWithout(visited)) complain(`no page stands for ${route}`)
process.stdout.write(`\n| Pages, violations | ${THEMES.join(' | ')} |\n| --- | --- | --- | --- |\n`)
for (const row of readers.flatMap((reader) => widths.map((width) => `${reader} at ${width}`))) {
  const cells = THEMES.map((theme) => table.get(`${row} ${theme}`)).map((cell) => (cell ? `${cell.pages}, ${cell.violations}` : '–'))
  process.stdout.write(`| ${row} | ${cells.join(' | ')} |\n`)
}
process.stdout.write(wrong === 0 ? 'Nothing is wrong.\n' : `${wrong} things are wrong.\n`)
process.exitCode = wrong === 0 ? 0 : 1
