import { expect, test } from '@playwright/test'
import { becomeMember, live, ticketOf } from './member.ts'
import { open } from './open.ts'
import { priceBefore } from './operator.ts'
import { newTrader, quietMarket } from './trader.ts'

const MANY = '/event/2026-fifa-world-cup-winner'

test('a market outside the leading four is drawn while it is looked at', async ({ page }) => {
  await open(page, MANY)
  const legend = page.locator('.legend li')
  await expect(legend).toHaveCount(4)
  const leading = await legend.locator('.name').allTextContents()
  const row = page.locator('main [data-row]').nth(7)
  const name = (await row.locator('b').textContent())!.trim()
  expect(leading).not.toContain(name)

  await row.click()
  await expect(legend).toHaveCount(5)
  await expect(legend.last()).toContainText(name)
  await page.locator('main [data-row][aria-expanded="true"]').click()
  await expect(legend).toHaveCount(4)
})

test('the leading event of the home page has the colours of its lines', async ({ page }) => {
  await open(page, '/')
  const card = page
    .locator('article')
    .filter({ has: page.locator('svg.lines') })
    .first()
  const colours = await card.locator('ol li circle').evaluateAll((dots) => dots.map((dot) => dot.getAttribute('fill')!))
  expect(colours.length).toBeGreaterThan(1)
  for (const colour of colours) await expect(card.locator(`svg.lines g[color="${colour}"] path.line`)).toHaveCount(1)
})

test('a chart says the date and the value of each line where the pointer, a finger or the arrow keys are', async ({ page }) => {
  await open(page, MANY)
  const [lines, card] = [page.locator('svg.lines'), page.locator('.tip')]
  await expect(card).toHaveCount(0)
  // Comes with the live chart, which takes the place of the drawn one.
  await expect(page.getByRole('slider', { name: 'Moment in the chart' })).toBeAttached()
  const box = (await lines.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + 40)
  await expect(card.locator('li')).toHaveCount(4)
  await expect(card).toContainText(/\w+ \d+, \d{4}, \d\d:\d\d/)
  await expect(card).toContainText('Sample history')
  const values = (await card.locator('b').allTextContents()).map((text) => Number.parseFloat(text.replace('<', '')))
  expect(values).toEqual(values.toSorted((a, b) => b - a))
  const middle = await card.locator('p').first().textContent()
  await page.mouse.move(0, 0)
  await expect(card).toHaveCount(0)
  await page.getByRole('slider', { name: 'Moment in the chart' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(card.locator('li')).toHaveCount(4)
  expect(await card.locator('p').first().textContent()).not.toBe(middle)
  await expect(page.getByRole('slider', { name: 'Moment in the chart' })).toHaveAttribute('aria-valuetext', /\d{4}.*%/)
})

test('the card of a narrow chart stays on the screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page, MANY)
  await expect(page.getByRole('slider', { name: 'Moment in the chart' })).toBeAttached()
  await page.locator('svg.lines').scrollIntoViewIfNeeded()
  const box = (await page.locator('svg.lines').boundingBox())!
  for (const part of [0.05, 0.5, 0.95]) {
    await page.mouse.move(box.x + box.width * part, box.y + 40)
    await expect(page.locator('.tip')).toBeVisible()
    const card = (await page.locator('.tip').boundingBox())!
    expect(card.x).toBeGreaterThanOrEqual(0)
    expect(card.x + card.width).toBeLessThanOrEqual(360)
  }
})

test('a new sandbox has months of history in every range, marked as a sample', async ({ page }) => {
  await open(page, MANY)
  await expect(page.getByText(/^Before .*: sample history of this sandbox$/)).toBeVisible()
  for (const range of ['1W', '1M', 'All']) {
    await page.getByRole('navigation', { name: 'Range' }).getByRole('link', { name: range, exact: true }).click()
    await expect(page.locator('svg.lines')).toHaveAccessibleName(range === '1W' ? /7 days/ : range === '1M' ? /30 days/ : /(89|90) days/)
  }
  await page.getByText('View as table', { exact: true }).click()
  await expect(page.locator('.tools table tbody tr')).toHaveCount(12)
})

test('a name that is cut keeps its beginning where lines are written from the right', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page, '/ar/event/long-names')
  const [cut, row] = [page.locator('.legend .name').first(), page.locator('main [data-row] b').first()]
  await expect.poll(() => cut.evaluate((name) => name.scrollWidth > name.clientWidth)).toBe(true)
  for (const name of [cut, row, page.locator('.bar > p')]) await expect(name).toHaveCSS('direction', 'ltr')
  // What is not cut begins where its line does.
  const [name, volume] = [await row.boundingBox(), await page.locator('main [data-row] small').first().boundingBox()]
  expect(Math.abs(name!.x + name!.width - volume!.x - volume!.width)).toBeLessThan(1)
})

test('a legend has as many rows before its font is here as afterwards', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const here = Promise.withResolvers<void>()
  await page.route('**/*.woff2', async (route) => {
    await here.promise
    await route.continue()
  })
  await page.goto('/event/english-premier-league-winner', { waitUntil: 'commit' })
  const legend = page.locator('.legend')
  const before = await legend.boundingBox()
  here.resolve()
  await page.waitForFunction(() =>
    [...document.fonts].some(({ family, status }) => /Inter\b(?! Fallback)/.test(family) && status === 'loaded'),
  )
  // The live chart takes the place of the drawn one meanwhile.
  await expect.poll(() => legend.boundingBox()).toEqual(before)
})

for (const height of [800, 640])
  test(`what sends an order is in sight in a window of ${height} pixels before anybody scrolls`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height })
    await becomeMember(page, MANY)
    const ticket = ticketOf(page)
    await ticket.getByLabel('Order type').selectOption('limit GTC')
    await ticket.getByRole('textbox', { name: 'Limit price' }).fill('10')
    await ticket.locator('[data-quantity]').fill('50')
    await expect(ticket.getByText('To win')).toBeAttached()
    await page.evaluate(() => scrollTo(0, 0))
    await expect(ticket.locator('button[type="submit"]')).toBeInViewport({ ratio: 1 })
  })

test('a chart that is looked at keeps where a price went and came from, also without a trade', async ({ page }) => {
  const [market, maker] = await Promise.all([quietMarket(), newTrader()])
  await priceBefore(market, 7200) // so likely that the chart has a line of it
  const quote = async (bid: string, bidForNo: string) => {
    await maker.client.cancelAll()
    await maker.place({ tokenId: market.yes, side: 'BUY', price: bid, size: '10' })
    await maker.place({ tokenId: market.no, side: 'BUY', price: bidForNo, size: '10' })
  }
  try {
    await quote('0.7', '0.26') // who bids 26¢ for No offers Yes at 74¢
    await page.goto(market.path)
    await live(page)
    const name = (await page.locator('main [data-row][aria-expanded="true"] b').textContent())!.trim()
    const latest = page.locator('.legend li').filter({ has: page.getByText(name, { exact: true }) })
    await expect(latest).toContainText('72%')
    await quote('0.9', '0.06')
    await expect(latest).toContainText('92%')
    await quote('0.7', '0.26')
    await expect(latest).toContainText('72%')
    await expect(page.locator('svg.lines')).toHaveAccessibleName(new RegExp(`${name}[^.]* high 92%`))
  } finally {
    await maker.client.cancelAll()
  }
})
