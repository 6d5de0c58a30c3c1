import { writeFileSync } from 'node:fs'
import { venueClient } from '@augury/client/rest'
import { webSettings } from '@augury/settings/env'
import { type Browser, type CDPSession, chromium, type Locator, type Page } from '@playwright/test'
import { launchOptions } from '../e2e/browser.ts'
import { becomeMember } from '../e2e/member.ts'
import { crowdedBook } from './crowded-book.ts'
import { observe } from './observe-vitals.ts'

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
  /** Unexpected layout shift. */
  cls: number
  /** The slowest interaction, in milliseconds, and which it was. */
  inp: number
  slowest: string
  /** Processor time that the page's main thread took to load, with the slow-down in it: other programs do not lengthen it. */
  main: number
  /** The same of the dearest interaction, with all that followed it: what `inp` cannot exceed on a quiet machine. */
  dearest: number
}

type Seen = Pick<Vitals, 'lcp' | 'what' | 'cls' | 'inp'>
const read = (page: Page) => page.evaluate(() => (globalThis as unknown as { vitals: Seen }).vitals)

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

/** What a visitor does: presses on what is there, or a key with the focus there. */
interface Use {
  name: string
  at?: (page: Page) => Locator
  key?: string
}

interface Scene {
  name: string
  path: string
  member: boolean
  /** What says that the page can be used. */
  ready?: string
  /** What a visitor does there, one after the other. */
  uses: readonly Use[]
}

/** How long a page rests before it is used, and what a use may take. */
const REST_MS = 500
const USE_MS = 300

/** Where to press is looked for ahead, and the page rests then: the search runs in the page itself, as long as anything the site does there. */
async function aim(page: Page, { name, at, key }: Use): Promise<() => Promise<void>> {
  const target = await at?.(page).first().elementHandle()
  if (key !== undefined) {
    await target?.focus()
    await page.waitForTimeout(REST_MS)
    return () => page.keyboard.press(key)
  }
  if (!target) throw new Error(`There is no ${name} to press.`)
  // To the middle: what is merely in sight may lie under a bar.
  await target.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await page.waitForTimeout(REST_MS)
  const { x, y, width, height } = (await target.boundingBox())!
  const middle = [x + width / 2, y + height / 2] as const
  const hits = await target.evaluate((element, [left, top]) => element.contains(document.elementFromPoint(left, top)), middle)
  if (!hits) throw new Error(`Something lies over ${name}.`)
  const touch = await page.evaluate(() => matchMedia('(pointer: coarse)').matches)
  await page.waitForTimeout(REST_MS)
  return () => (touch ? page.touchscreen.tap(...middle) : page.mouse.click(...middle))
}

/** Uses a page. Answers with the processor time of the dearest use, and with the slowest. */
async function useAll(page: Page, session: CDPSession, uses: readonly Use[]) {
  let [dearest, inp, slowest] = [0, 0, '–']
  for (const use of uses) {
    const act = await aim(page, use)
    const before = await mainThread(session)
    await act()
    await page.waitForTimeout(USE_MS)
    dearest = Math.max(dearest, (await mainThread(session)) - before)
    const seen = await read(page)
    if (seen.inp > inp) slowest = use.name
    inp = seen.inp
  }
  return { dearest, inp, slowest }
}

/** One first visit: nothing is cached. A member signs in on a fast line first, with files cached; then the page is loaded slowly. */
async function visit(browser: Browser, origin: string, { path, member, ready, uses }: Scene): Promise<Vitals> {
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
    if (ready) await page.locator(ready).waitFor()
    return { lcp, what, cls, main, ...(await useAll(page, session, uses)) }
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
  const { slowest } = rounds.find(({ inp }) => inp === of('inp'))!
  return { lcp: of('lcp'), what: rounds[0]!.what, cls, inp: of('inp'), slowest, main: of('main'), dearest: of('dearest') }
}

const button = (name: RegExp | string) => (page: Page) => page.getByRole('button', { name })
const inSheet = (page: Page) => page.getByRole('dialog', { name: 'Order ticket' })
const inTicket = (page: Page) => page.getByRole('form', { name: 'Order ticket' }).first()
const closing: Use = { name: 'Escape', key: 'Escape' }

const { origin, publicClobUrl } = webSettings()
const market = await busiest(publicClobUrl)
const event = `/event/${market.event}/${market.slug}`
const scenes: Scene[] = [
  {
    name: 'home',
    path: '/',
    member: false,
    uses: [{ name: 'Save', at: button(/^Save /) }, { name: 'Appearance', at: button(/^Appearance/) }, closing, { name: 'j', key: 'j' }],
  },
  {
    name: 'event',
    path: event,
    member: false,
    ready: '[data-live="live"]',
    uses: [
      { name: 'Yes', at: (page) => page.locator('.bar').getByRole('button', { name: /^Yes/ }) },
      { name: 'an amount', at: (page) => inSheet(page).getByLabel('Amount'), key: '1' },
      { name: 'Sell', at: (page) => inSheet(page).getByRole('button', { name: 'Sell' }) },
      closing,
    ],
  },
  {
    name: 'portfolio',
    path: '/portfolio',
    member: true,
    uses: [
      { name: 'account', at: button(/^Account of/) },
      closing,
      { name: 'History', at: (page) => page.getByRole('link', { name: 'History' }) },
    ],
  },
]
/** At a desk, beside a crowded book. */
const atDesk: readonly Use[] = [
  ...[/^No /, /^Yes /, 'Sell', 'Buy'].map((name) => ({
    name: String(name),
    at: (page: Page) => inTicket(page).getByRole('button', { name }),
  })),
  ...['1', '2', '5'].map((key) => ({ name: 'an amount', at: (page: Page) => inTicket(page).getByLabel('Amount'), key })),
  closing,
  { name: 'a price of the book', at: (page) => page.locator('[data-side="bid"] button') },
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
    const { lcp, what, cls, inp, slowest, main, dearest } = await measure(browser, origin, scene)
    say([
      scene.name,
      `${figure(lcp, TARGETS.lcp, ' ms')} (${what})`,
      figure(cls, TARGETS.cls, '', 3),
      `${figure(inp, TARGETS.inp, ' ms')} (${slowest})`,
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
  const { inp, slowest } = await useAll(page, session, atDesk)
  const seconds = (performance.now() - begun) / 1000
  const [rate, busy] = [(crowd.sent() - sent) / seconds, ((await mainThread(session)) - before) / 10 / seconds]
  const { cls } = await read(page)
  say([
    `event at ${rate.toFixed(0)} book messages a second`,
    '–',
    figure(cls, TARGETS.cls, '', 3),
    `${figure(inp, TARGETS.inp, ' ms')} (${slowest})`,
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
