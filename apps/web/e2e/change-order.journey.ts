import { expect, type Page, test } from '@playwright/test'
import { becomeMember, live, ticketOf } from './member.ts'
import { open } from './open.ts'
import { visitingTraders, writeLimit } from './orders.ts'
import { quietMarket, type TestMarket } from './trader.ts'

const { comeIn, leave } = visitingTraders()
test.afterEach(leave)

/** A new member whose order for 100 Yes waits at 30¢. */
async function waiting(page: Page): Promise<TestMarket> {
  const market = await quietMarket()
  await becomeMember(page, market.path)
  await live(page)
  await writeLimit(page, '30', '100')
  await ticketOf(page)
    .getByRole('button', { name: /^Buy Yes/ })
    .click()
  await expect(ticketOf(page).getByRole('status')).toContainText('100 shares wait in the book at 30¢.')
  return market
}
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Change the order' })
const factOf = (page: Page, name: string) => dialogOf(page).locator('dl div', { hasText: name })

test('an order is made smaller in its place, by keys alone, and then has another price at the end of the queue', async ({ page }) => {
  await waiting(page)
  const orders = page.getByRole('region', { name: 'Your open orders' })
  await orders.locator('[data-order]').focus()
  await page.keyboard.press('e')
  const dialog = dialogOf(page)
  const price = dialog.getByLabel('Limit price')
  await expect(price).toBeFocused()
  await expect(dialog.getByRole('button', { name: 'Change the order' })).toBeDisabled()
  const size = dialog.getByLabel('Shares, with those filled')
  await page.keyboard.press('Tab')
  await expect(size).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('70')
  await expect(factOf(page, 'Reserved')).toContainText('$30.00 → $21.00')
  await expect(factOf(page, 'Place in the queue')).toContainText('kept')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('status')).toHaveText(/70 shares wait in the book at 30¢\.\s*It kept its place in the queue\./)
  await page.keyboard.press('Escape')
  await expect(orders).toContainText('0 of 70')

  await orders.getByRole('button', { name: 'Change the order for Yes at 30¢' }).click()
  await expect(factOf(page, 'Waits in the book')).toContainText('70 → 70')
  await price.press('ArrowDown')
  await expect(price).toHaveValue(/^29(\.\d+)?¢$/)
  await price.fill('29')
  await page.mouse.click(5, 5) // beside it, where another dialog would close
  await expect(price).toHaveValue('29')
  await expect(factOf(page, 'Reserved')).toContainText('$21.00 → $20.30')
  await expect(factOf(page, 'Place in the queue')).toContainText('lost')
  await dialog.getByRole('button', { name: 'Change the order' }).click()
  await expect(dialog.getByRole('status')).toContainText('It is the last in the queue at 29¢.')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(orders.getByRole('row')).toHaveCount(2)
  await expect(orders).toContainText('29¢')
})

test('a fill while the member types is shown, and its size is not ordered again', async ({ page }) => {
  const [market, other] = [await waiting(page), await comeIn()]
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page, '/portfolio?tab=orders')
  const change = page.getByRole('button', { name: 'Change the order for Yes at 30¢' })
  await change.click()
  const dialog = dialogOf(page)
  await expect(factOf(page, 'Waits in the book')).toContainText('100 → 100')
  expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await dialog.getByLabel('Limit price').fill('31')
  // From here on the page does not look again by itself.
  await page.route('**/trpc/orderToChange*', (route) => route.abort())
  await other.place({ tokenId: market.no, side: 'BUY', price: '0.7', size: '40' })
  await dialog.getByRole('button', { name: 'Change the order' }).click()
  const status = dialog.getByRole('status')
  await expect(status).toContainText('40 more shares were filled at the old price before the change.')
  await expect(status).toContainText('60 shares wait in the book at 31¢.')
  await page.unroute('**/trpc/orderToChange*')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('table')).toContainText('0 of 60')

  await page.getByRole('button', { name: 'Change the order for Yes at 31¢' }).click()
  await expect(factOf(page, 'Waits in the book')).toContainText('60 → 60')
  await other.place({ tokenId: market.no, side: 'BUY', price: '0.69', size: '60' })
  await expect(dialog.getByRole('status')).toContainText('Meanwhile the order was filled or cancelled')
  await page.keyboard.press('Escape')
  await expect(page.getByText('No open orders.')).toBeVisible()
})

test('what is typed for another outcome while an order is on its way stays, and the result names what was bought', async ({ page }) => {
  const [market, maker] = await Promise.all([quietMarket(), comeIn()])
  await becomeMember(page, market.path)
  await maker.place({ tokenId: market.no, side: 'BUY', price: '0.6', size: '100' })
  await live(page)
  const ticket = ticketOf(page)
  await ticket.getByLabel('Amount').fill('10')
  const goOn = Promise.withResolvers<void>()
  await page.route('**/trpc/placeOrder', async (route) => {
    await goOn.promise
    await route.continue()
  })
  await ticket.getByRole('button', { name: /^Buy Yes · \$10\.\d\d$/ }).click()
  await expect(ticket.getByRole('button', { name: 'Sending' })).toBeVisible()
  await ticket.getByRole('button', { name: /^No / }).click()
  await ticket.getByLabel('Amount').fill('7')
  goOn.resolve()
  await expect(ticket.getByRole('status')).toContainText(/Bought 24\.\d+ Yes at 40¢ on average\./)
  await expect(ticket.getByLabel('Amount')).toHaveValue('7')
})
