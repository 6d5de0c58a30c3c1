import { expect, type Page, test } from '@playwright/test'
import { becomeMember, live, ticketOf } from './member.ts'
import { open } from './open.ts'
import { buy, leaveOrder } from './orders.ts'
import { newTrader, quietMarket } from './trader.ts'

/** Size of the window: the whole desk is in sight. */
test.use({ viewport: { width: 1440, height: 900 } })

const handleOf = (page: Page) => page.getByRole('button', { name: /^Buy 10 at 30¢: move it/ })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Change the order' })
const dockOf = (page: Page) => page.getByRole('region', { name: 'Your positions, orders and fills' })

/** A member in trading mode who has bought 25 Yes at 40¢, and whose order for 10 more waits at 30¢. */
async function trading(page: Page): Promise<void> {
  const market = await quietMarket()
  // The address that a journey gives its member is a header that the exchange allows to no page.
  await page.route('**/candles?*', async (route) => route.fulfill({ response: await route.fetch() }))
  await becomeMember(page, market.path)
  await buy(page, market)
  await open(page, `${market.path}?mode=trading`)
  await live(page)
  await leaveOrder(page, '30')
  const other = await newTrader()
  await other.place({ tokenId: market.yes, side: 'BUY', price: '0.2', size: '10' })
}

test('the dock has a tab for what there is, with its number, and takes no room where there is nothing', async ({ page }) => {
  test.slow()
  const market = await quietMarket()
  await becomeMember(page, market.path)
  await open(page, `${market.path}?mode=trading`)
  await live(page)
  await expect(ticketOf(page)).toBeVisible()
  await expect(dockOf(page)).toHaveCount(0)
  await buy(page, market)
  const tabs = dockOf(page).getByRole('tab')
  await expect(tabs).toHaveText([/^Positions\s+1$/, /^Fills\s+1$/])
  await leaveOrder(page, '30')
  await expect(tabs).toHaveText([/^Positions\s+1$/, /^Open orders\s+1$/, /^Fills\s+1$/])
  await tabs.nth(0).press('End')
  await expect(tabs.nth(2)).toBeFocused()
  await expect(dockOf(page).getByRole('tabpanel')).toContainText(/Bought Yes.*40¢\s*25/)
})

test('an order is moved by the arrow keys on the chart, by dragging its line, and by dragging its mark on the ladder', async ({ page }) => {
  test.slow()
  await trading(page)
  const handle = handleOf(page)
  await handle.focus()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Escape') // back at its price
  await expect(handle).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const price = dialogOf(page).getByLabel('Limit price')
  await expect(price).toHaveValue('30.1¢')
  await dialogOf(page).getByRole('button', { name: 'Change the order' }).click()
  await expect(dialogOf(page).getByRole('status')).toContainText('10 shares wait in the book at 30.1¢.')
  await page.keyboard.press('Escape')

  const moved = page.getByRole('button', { name: /^Buy 10 at 30\.1¢: move it/ })
  const { x, y, width, height } = (await moved.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width / 2, y + height / 2 + 20, { steps: 4 })
  await page.mouse.up()
  await expect(price).toBeVisible()
  expect(Number.parseFloat(await price.inputValue())).toBeLessThan(30.1)
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(moved).toBeVisible() // nothing was sent

  const mark = (await page.getByTitle('You have 10 here').boundingBox())!
  const row = (await page.locator('[data-price="2000"]').boundingBox())!
  await page.mouse.move(mark.x + 3, mark.y + 3)
  await page.mouse.down()
  await page.mouse.move(row.x + 40, row.y + 8, { steps: 4 })
  await page.mouse.up()
  await expect(price).toHaveValue('20¢')
  await page.keyboard.press('Escape')
})

test('the depth of the book is a chart of the same place', async ({ page }) => {
  await open(page, '/event/2026-nba-champion?mode=trading')
  await live(page)
  await page.getByRole('button', { name: 'Depth', exact: true }).click()
  const chart = page.getByRole('img', { name: /^Depth from .+ to .+: .+ shares bid, .+ offered\.$/ })
  await expect(chart).toBeVisible()
  const box = (await chart.boundingBox())!
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2)
  await expect(page.locator('figcaption')).toContainText(/\d¢ [\d,.]+ shares offered/)
  await page.getByRole('button', { name: '1h', exact: true }).click()
  await expect(chart).toHaveCount(0)
})
