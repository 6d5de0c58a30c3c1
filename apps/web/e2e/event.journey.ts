import { webSettings } from '@augury/settings/env'
import { expect, type Locator, type Page, type PlaywrightWorkerArgs, test } from '@playwright/test'
import { launchOptions } from './browser.ts'
import { type Door, doorTo } from './door.ts'
import { live, ticketOf } from './member.ts'
import { open } from './open.ts'
import { visitingTraders } from './orders.ts'
import { emptyBid, findMarket, quietMarket } from './trader.ts'

const SINGLE = '/event/gta-vi-released-before-june-2026'
const SEVERAL = '/event/2026-nba-champion'

const { comeIn, leave } = visitingTraders()
test.afterEach(leave)

test('an event tells its chance, its prices, its rules and its facts', async ({ page }) => {
  await page.goto(SINGLE)
  await expect(page.getByRole('heading', { level: 1, name: 'GTA VI released before June 2027?' })).toBeVisible()
  await expect(page.locator('[data-chance]')).toHaveText(/^(<1|>99|\d{1,2})%chance of Yes$/)
  await expect(page.getByRole('table', { name: /Orders for Yes/ })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Rules' })).toContainText('Decided by Rockstar Games: official announcements')
  await expect(page.getByRole('heading', { name: 'Key facts' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Related' })).toBeVisible()
})

test('rules fold below the prices from edge to edge, facts stand below the ticket, also where lines begin on the right', async ({
  page,
}) => {
  await page.goto(`/ar${SINGLE}?mode=reading`)
  const rules = page.locator('section[aria-labelledby="rules"]')
  await rules.scrollIntoViewIfNeeded()
  const edges = (of: Locator) =>
    of.evaluate((element) => [element.getBoundingClientRect().left, element.getBoundingClientRect().right].map(Math.round))
  const below = await edges(page.locator('div.about'))
  const BORDER = 1
  expect(await edges(rules)).toEqual([below[0]! + BORDER, below[1]! - BORDER])
  expect((await edges(page.locator('section:has(> #facts)')))[1]).toBeLessThan(below[0]!)
  await rules.locator('summary').click()
  await expect(rules.locator('.in')).toBeHidden()
  await page.locator('section[aria-labelledby="timeline"] summary').click()
  await expect(page.locator('section[aria-labelledby="timeline"] li').first()).toBeVisible()
})

test('an outcome unfolds into its book, at an address of its own', async ({ page }) => {
  await page.goto(SEVERAL)
  const rows = page.getByRole('main').locator('[data-row]')
  await expect(rows).not.toHaveCount(0)
  await expect(page.getByRole('table', { name: /Orders for/ })).toHaveCount(0)

  await rows.first().click()
  await expect(page).toHaveURL(new RegExp(`${SEVERAL}/[^/?]+$`))
  await expect(rows.first()).toHaveAttribute('aria-expanded', 'true')
  const yes = page.getByRole('table', { name: /Orders for Yes/ })
  await expect(yes).toBeVisible()

  await page.reload()
  await expect(yes).toBeVisible()
  await page.getByRole('navigation', { name: 'Outcome' }).getByRole('link', { name: 'No', exact: true }).click()
  await expect(page).toHaveURL(/\?outcome=no$/)
  await expect(page.getByRole('table', { name: /Orders for No/ })).toBeVisible()

  await rows.first().click()
  await expect(page).toHaveURL(new RegExp(`${SEVERAL}$`))
  await expect(yes).toHaveCount(0)
})

test('the button of the further outcomes says what it does, also when they are shown', async ({ page }) => {
  await open(page, SEVERAL)
  const button = page.locator('main summary', { hasText: 'more outcomes' })
  const more = button.getByText(/^\d+ more outcomes$/)
  const fewer = button.getByText('Fewer outcomes', { exact: true })
  await expect(fewer).toBeHidden()
  await button.press('Enter')
  await expect(fewer).toBeVisible()
  await expect(more).toBeHidden()
  await button.press('Enter')
  await expect(more).toBeVisible()
})

test('t arranges the page to trade by, on this device from then on, and t again to read', async ({ page }) => {
  await page.goto(SINGLE)
  await live(page)
  const ladder = page.getByRole('table', { name: /Orders for Yes/ })
  const ticket = page.getByRole('form', { name: 'Order ticket' })
  await page.keyboard.press('t')
  await expect(page).toHaveURL(/\?mode=trading$/)
  const depth = page.getByRole('button', { name: 'Depth', exact: true })
  await expect(depth).toBeVisible()
  for (const part of [ladder, ticket, page.getByRole('heading', { name: 'Recent trades' })]) await expect(part).toBeInViewport()

  await page.goto(SINGLE)
  await expect(page.getByRole('link', { name: 'Reading mode' })).toBeVisible()
  await page.getByRole('link', { name: 'Reading mode' }).click()
  await expect(page.getByRole('link', { name: 'Trading mode' })).toBeVisible()
  await expect(depth).toHaveCount(0)
})

test('a row of the ladder picks its price wherever it is pressed', async ({ page }) => {
  const [market, maker] = await Promise.all([quietMarket(), comeIn()])
  for (const price of ['0.2', '0.19']) await maker.place({ tokenId: market.yes, side: 'BUY', price, size: '10' })
  await open(page, market.path)
  await live(page)
  for (const [place, price] of ['20¢', '19¢'].entries()) {
    const row = page.locator('[data-side="bid"]').getByRole('row').nth(place)
    const { width, height } = (await row.boundingBox())!
    for (const part of [0.1, 0.5, 0.9]) {
      await ticketOf(page).getByLabel('Order type').selectOption('limit GTC')
      await ticketOf(page).getByLabel('Limit price').fill('50')
      await row.click({ position: { x: part * width, y: height / 2 } })
      await expect(ticketOf(page).getByLabel('Limit price')).toHaveValue(price)
    }
  }
})

test('the ladder moves when an order is placed and cancelled, and a trade shows up', async ({ page }) => {
  const [market, trader, other] = await Promise.all([findMarket('GTA VI released'), comeIn(), comeIn()])
  const price = await emptyBid(market)
  await page.goto(SINGLE)
  await live(page)
  const bids = page.locator('[data-side="bid"]')

  const orderId = await trader.place({ tokenId: market.yes, side: 'BUY', price, size: '777.77' })
  const mine = bids.getByRole('row').filter({ hasText: '777.77' })
  await expect(mine).toBeVisible()

  // The same order seen from the other token: an offer of No at the rest of the dollar.
  await page.getByRole('navigation', { name: 'Outcome' }).getByRole('link', { name: 'No', exact: true }).click()
  await expect(page.locator('[data-side="ask"]').getByRole('row').filter({ hasText: '777.77' })).toContainText('99')
  await page.getByRole('navigation', { name: 'Outcome' }).getByRole('link', { name: 'Yes', exact: true }).click()

  await trader.client.cancelOrder({ body: { orderId } })
  await expect(mine).toHaveCount(0)

  // Yes and No for a dollar together: two buyers make a trade out of nothing but money.
  const trades = page.getByRole('table', { name: /Recent trades/ })
  await other.place({ tokenId: market.no, side: 'BUY', price: '0.5', size: '33.33' })
  await trader.place({ tokenId: market.yes, side: 'BUY', price: '0.5', size: '33.33' })
  await expect(
    trades
      .getByRole('row')
      .filter({ hasText: /Bought/ })
      .first(),
  ).toBeVisible()
  await expect(trades.getByRole('row').filter({ hasText: /now|s ago/ })).not.toHaveCount(0)
})

test('figures of the ladder flash when they change, and not because the page has come to life', async ({ page }) => {
  const [market, maker] = await Promise.all([quietMarket(), comeIn()])
  const bid = { tokenId: market.yes, side: 'BUY', price: '0.2' } as const
  await maker.place({ ...bid, size: '10' })
  await page.addInitScript(() => {
    let flashes = 0
    document.addEventListener('transitionrun', ({ target }) => {
      if ((target as Element).closest('[data-side="bid"] td')) document.documentElement.dataset.flashes = String(++flashes)
    })
  })
  await open(page, market.path)
  await live(page)
  await expect(page.locator('[data-side="bid"].flash')).toBeVisible()
  await expect(page.locator('html')).not.toHaveAttribute('data-flashes')
  await expect(async () => {
    await maker.place({ ...bid, size: '7' })
    // A change that comes soon after another, as this may after the first that the page heard, does not flash: the next one will.
    await expect(page.locator('html')).toHaveAttribute('data-flashes', '1', { timeout: 2_000 })
  }).toPass()
})

/** A browser that reaches the exchange through a door, which is cut when it is asked to. */
async function besideDoor(
  { chromium }: PlaywrightWorkerArgs['playwright'],
  baseURL: string | undefined,
  look: (page: Page, door: Door) => Promise<void>,
) {
  const door = await doorTo(webSettings().publicClobUrl)
  const options = await launchOptions()
  const browser = await chromium.launch({ ...options, args: [...options.args!, door.browserFlag] })
  try {
    await look(await browser.newPage({ baseURL, locale: 'en' }), door)
  } finally {
    await browser.close()
    await door.close()
  }
}

test('a lost connection is shown at once, and what was missed is there when it is back', async ({ playwright, baseURL }) => {
  test.slow()
  const [market, trader] = await Promise.all([findMarket('GTA VI released'), comeIn()])
  const price = await emptyBid(market)
  await besideDoor(playwright, baseURL, async (page, door) => {
    await page.goto(SINGLE)
    await live(page)

    door.cut()
    const pill = page.locator('[data-live]')
    await expect(pill).toHaveText(/^(Delayed \d{1,2} s|Offline)$/)
    await trader.place({ tokenId: market.yes, side: 'BUY', price, size: '555.55' })
    await expect(pill).toHaveText('Offline', { timeout: 15_000 })

    door.open()
    await expect(pill).toHaveText('Live', { timeout: 30_000 })
    await expect(page.locator('[data-side="bid"]').getByRole('row').filter({ hasText: '555.55' })).toBeVisible()
  })
})

test('a page that never reached the exchange says since when its prices stand', async ({ playwright, baseURL }) => {
  test.slow()
  await besideDoor(playwright, baseURL, async (page, door) => {
    door.cut()
    await page.goto(SINGLE)
    const pill = page.locator('[data-live]')
    await expect(pill).toHaveText(/^Delayed \d{1,2} s$/)
    await expect(pill).toHaveText('Offline', { timeout: 30_000 })

    door.open()
    await expect(pill).toHaveText('Live', { timeout: 30_000 })
  })
})
