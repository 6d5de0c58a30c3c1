import { writeFileSync } from 'node:fs'
import { venueClient } from '@augury/client/rest'
import { webSettings } from '@augury/settings/env'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { launchOptions } from '../e2e/browser.ts'
import { becomeMember } from '../e2e/member.ts'
import { crowdedBook } from './crowded-book.ts'

/**
 * What visitors feel, in a real browser before the site that is running: a processor four times slower than this one, and slow 4G. `--rounds=5`
 * loads of each page (3), `--out=file` writes the figures. Ends with 1 where a target is missed.
 */
const option = (name: string) => process.argv.find((each) => each.startsWith(`--${name}=`))?.split('=')[1]
const ROUNDS = Number(option('rounds') ?? 3)
const SLOWER = 4
/** 1.6 Mbit/s down, 0.75 up, 150 ms there and back: slow 4G as Lighthouse has it. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
const MESSAGES_A_SECOND = 2_000

const TARGETS = { lcp: 1500, cls: 0.02, inp: 100 } as const

interface Vitals {
  /** Largest contentful paint, in milliseconds, and what it was. */
  lcp: number
  what: string
  /** Layout shift nobody asked for. */
  cls: number
  /** The slowest interaction, in milliseconds. */
  inp: number
  /** Processor time that the page's main thread took to load, with the slow-down in it: other programs do not lengthen it. */
  main: number
  /** The same of the dearest interaction, with all that followed it: what `inp` cannot exceed on a quiet machine. */
  dearest: number
}

/** Runs in the page before anything else of it. */
const observe = () => {
  const seen = { lcp: 0, what: '', cls: 0, inp: 0 }
  Object.assign(globalThis, { vitals: seen })
  type Entry = PerformanceEntry & { element?: Element; value: number; hadRecentInput: boolean; interactionId: number }
  const on = (type: string, hear: (entry: Entry) => void, more: object = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) hear(entry as Entry)
    }).observe({ type, buffered: true, ...more })
  on('largest-contentful-paint', (entry) => {
    seen.lcp = entry.startTime
    const { element } = entry
    seen.what = element ? `${element.localName}${element.className ? `.${String(element.className).split(' ')[0]}` : ''}` : ''
  })
  on('layout-shift', (entry) => {
    if (!entry.hadRecentInput) seen.cls += entry.value
  })
  on(
    'event',
    (entry) => {
      if (entry.interactionId > 0) seen.inp = Math.max(seen.inp, entry.duration)
    },
    { durationThreshold: 16 },
  )
}

const read = (page: Page) => page.evaluate(() => (globalThis as unknown as { vitals: Pick<Vitals, 'lcp' | 'what' | 'cls' | 'inp'> }).vitals)

async function slowDown(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_4G)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return session
}

const mainThread = async (session: CDPSession) => {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}

interface Scene {
  name: string
  path: string
  member: boolean
  /** What a visitor presses there, one after the other. */
  uses: readonly ((page: Page) => Promise<unknown>)[]
}

/** One first visit: nothing is cached. A member signs in on a fast line first, with files cached; then the page is loaded slowly. */
async function visit(browser: Browser, origin: string, { path, member, uses }: Scene): Promise<Vitals> {
  const context = await browser.newContext({ baseURL: origin, ...PHONE, locale: 'en', serviceWorkers: 'block' })
  try {
    const page = await context.newPage()
    if (member) {
      await becomeMember(page, '/status')
      await page.goto('about:blank')
    }
    await page.addInitScript(observe)
    const session = await slowDown(page)
    await session.send('Network.clearBrowserCache')
    await page.goto(path, { waitUntil: 'networkidle', timeout: 120_000 })
    const main = await mainThread(session)
    await page.waitForFunction(() => (globalThis as unknown as { vitals: Vitals }).vitals.lcp > 0)
    const { lcp, what, cls } = await read(page)
    let dearest = 0
    for (const use of uses) {
      const before = await mainThread(session)
      await use(page)
      await page.waitForTimeout(300)
      dearest = Math.max(dearest, (await mainThread(session)) - before)
    }
    return { lcp, what, cls, inp: (await read(page)).inp, main, dearest }
  } finally {
    await context.close()
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function measure(browser: Browser, origin: string, scene: Scene): Promise<Vitals> {
  const rounds: Vitals[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await visit(browser, origin, scene))
  const of = (key: 'lcp' | 'inp' | 'main' | 'dearest') => median(rounds.map((each) => each[key]))
  const cls = Math.max(...rounds.map((each) => each.cls))
  return { lcp: of('lcp'), what: rounds[0]!.what, cls, inp: of('inp'), main: of('main'), dearest: of('dearest') }
}

const press = async (page: Page, name: RegExp | string) => page.getByRole('button', { name }).first().tap()

const { origin, publicClobUrl } = webSettings()
const market = await busiest(publicClobUrl)
const event = `/event/${market.event}/${market.slug}`
const scenes: Scene[] = [
  {
    name: 'home',
    path: '/',
    member: false,
    uses: [
      (page) => press(page, /^Save /),
      (page) => press(page, /^Appearance/),
      (page) => page.keyboard.press('Escape'),
      (page) => page.keyboard.press('j'),
    ],
  },
  {
    name: 'event',
    path: event,
    member: false,
    uses: [
      (page) => page.locator('[data-live="live"]').waitFor(),
      (page) => page.locator('.bar').getByRole('button', { name: /^Yes/ }).tap(),
      (page) => page.getByRole('dialog', { name: 'Order ticket' }).getByLabel('Amount').press('1'),
      (page) => page.getByRole('dialog', { name: 'Order ticket' }).getByRole('button', { name: 'Limit' }).tap(),
      (page) => page.keyboard.press('Escape'),
    ],
  },
  {
    name: 'portfolio',
    path: '/portfolio',
    member: true,
    uses: [
      (page) => press(page, /^Account of/),
      (page) => page.keyboard.press('Escape'),
      (page) => page.getByRole('link', { name: 'History' }).tap(),
    ],
  },
]

const lines: string[] = []
let missed = false
const figure = (value: number, most: number, unit: string, digits = 0) => {
  const held = value <= most
  missed ||= !held
  return `${value.toFixed(digits)}${unit}${held ? '' : ' ✗'}`
}
const say = (cells: string[]) => {
  lines.push(`| ${cells.join(' | ')} |`)
  process.stdout.write(`${lines.at(-1)}\n`)
}

const browser = await chromium.launch(await launchOptions())
try {
  say([
    'Page',
    `LCP ≤ ${TARGETS.lcp} ms`,
    `CLS ≤ ${TARGETS.cls}`,
    `INP ≤ ${TARGETS.inp} ms`,
    'processor time: loading',
    'the dearest press',
  ])
  say(['---', '---', '---', '---', '---', '---'])
  for (const scene of scenes) {
    const { lcp, what, cls, inp, main, dearest } = await measure(browser, origin, scene)
    say([
      scene.name,
      `${figure(lcp, TARGETS.lcp, ' ms')} (${what})`,
      figure(cls, TARGETS.cls, '', 3),
      figure(inp, TARGETS.inp, ' ms'),
      `${main.toFixed(0)} ms`,
      `${dearest.toFixed(0)} ms`,
    ])
  }
} finally {
  await browser.close()
}
const crowd = await crowdedBook(publicClobUrl, market, MESSAGES_A_SECOND)
const deaf = await chromium.launch({ ...(await launchOptions()), args: [...(await launchOptions()).args!, crowd.browserFlag] })
try {
  const context = await deaf.newContext({ baseURL: origin, viewport: { width: 1280, height: 900 }, locale: 'en', serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.addInitScript(observe)
  await page.goto(event)
  await page.locator('[data-live="live"]').waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const [begun, before] = [performance.now(), await mainThread(session)]
  const sent = crowd.sent()
  const ticket = page.getByRole('form', { name: 'Order ticket' }).first()
  for (const name of [/^No /, /^Yes /, 'Limit', 'Market']) await ticket.getByRole('button', { name }).click()
  await ticket.getByLabel('Amount').pressSequentially('125')
  await page.keyboard.press('Escape')
  await page.locator('[data-side="bid"] button').first().click()
  const seconds = (performance.now() - begun) / 1000
  const [rate, busy] = [(crowd.sent() - sent) / seconds, ((await mainThread(session)) - before) / 10 / seconds]
  const { inp, cls } = await read(page)
  say([
    `event at ${rate.toFixed(0)} book messages a second`,
    '–',
    figure(cls, TARGETS.cls, '', 3),
    figure(inp, TARGETS.inp, ' ms'),
    `${busy.toFixed(0)} % of the time`,
    '–',
  ])
} finally {
  await deaf.close()
  await crowd.close()
}
const out = option('out')
if (out) writeFileSync(out, `${lines.join('\n')}\n`)
process.exitCode = missed ? 1 : 0

/** The market with the most orders in its book. */
async function busiest(url: string) {
  const client = venueClient({ url })
  const { data } = await client.listMarkets({ query: {} })
  const open = data.filter(({ accepting_orders }) => accepting_orders)
  const books = await client.getBooks({ body: open.slice(0, 100).map(({ tokens }) => ({ token_id: tokens[0]!.token_id })) })
  const best = books.toSorted((a, b) => b.bids.length + b.asks.length - a.bids.length - a.asks.length)[0]!
  const found = open.find(({ tokens }) => tokens[0]!.token_id === best.asset_id)!
  return {
    event: found.event.slug,
    slug: found.market_slug,
    conditionId: found.condition_id,
    yes: found.tokens[0]!.token_id,
    no: found.tokens[1]!.token_id,
  }
}
