import { expect, type Page, test } from '@playwright/test'
import { becomeMember, live, ticketOf } from './member.ts'
import { open } from './open.ts'
import { buy, leaveOrder, visitingTraders, writeLimit } from './orders.ts'
import { quietMarket } from './trader.ts'

const { comeIn, leave } = visitingTraders()
test.afterEach(leave)

/** Sends what the ticket holds, confirming it where it asks. */
async function send(page: Page, name: RegExp) {
  const ticket = ticketOf(page)
  await ticket.getByRole('button', { name }).click()
  const confirm = ticket.getByRole('button', { name: /^Confirm/ })
  await expect(ticket.getByRole('status').or(confirm)).toBeVisible()
  if (await confirm.isVisible()) await confirm.click()
  await expect(ticket.getByRole('status')).toBeVisible()
  return ticket.getByRole('status')
}

test('a new visitor has a first fill from the page that was opened first, and finds it in the portfolio', async ({ page }) => {
  const [market, maker] = await Promise.all([quietMarket(), comeIn()])
  // Who bids 60¢ for No offers Yes at 40¢.
  await maker.place({ tokenId: market.no, side: 'BUY', price: '0.6', size: '100' })
  await page.goto(market.path)
  await live(page)
  const ticket = ticketOf(page)
  await ticket.getByLabel('Amount').fill('10')
  await expect(ticket.getByText('To win')).toBeVisible()
  await ticket.getByRole('button', { name: 'Sign in to trade' }).click()
  await page.getByRole('button', { name: /^Sandbox wallet/ }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // What is typed is what leaves the account, the fee inside: the preview, the button, the result and the history say the same.
  await ticket.getByRole('button', { name: 'details' }).click()
  await expect(ticket.locator('dl div', { hasText: 'Total' })).toContainText('$10.00')
  const done = await send(page, /^Buy Yes · \$10\.00$/)
  await expect(done).toContainText(/Bought 24\.\d+ Yes at 40¢ on average\.\s*You paid \$10\.00, \$0\.\d\d of it as the fee\./)
  await expect(page.getByRole('region', { name: 'Your position' })).toContainText(/24\.\d+ · Average 40\.96¢/)

  await page.goto('/portfolio')
  await expect(page.getByRole('table').getByRole('link').first()).toContainText('Yes')
  await page.getByRole('link', { name: 'History' }).click()
  await expect(page.getByRole('table')).toContainText('Bought Yes')
  await expect(page.getByRole('table')).toContainText('Deposit')
})

test('what a visitor wrote is what is sent once they are signed in', async ({ page }) => {
  const [market, maker] = await Promise.all([quietMarket(), comeIn()])
  await maker.place({ tokenId: market.yes, side: 'BUY', price: '0.4', size: '100' })
  await page.goto(market.path)
  await live(page)
  const ticket = ticketOf(page)
  await ticket.getByRole('button', { name: 'No 60¢' }).click()
  await expect(ticket.getByRole('button', { name: 'Max' })).toBeDisabled() // the most is not known yet
  await ticket.getByLabel('Amount').fill('10')
  await ticket.getByRole('button', { name: 'Sign in to trade' }).click()
  await page.getByRole('button', { name: /^Sandbox wallet/ }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: 30_000 })
  await expect(ticket.getByRole('button', { name: 'No 60¢' })).toHaveAttribute('aria-pressed', 'true')
  await expect(await send(page, /^Buy No · \$10\.\d\d$/)).toContainText(/Bought 16\.\d+ No at 60¢ on average\./)
})

test('what is held in another market of an event is sold in that one, and an order without a counterparty is explained', async ({
  page,
}) => {
  test.slow()
  const [market, maker] = await Promise.all([quietMarket({ inEvent: true }), comeIn()])
  await becomeMember(page, market.path)
  await buy(page, market)
  await maker.place({ tokenId: market.yes, side: 'BUY', price: '0.3', size: '20' })
  await page.goto(market.path.slice(0, market.path.lastIndexOf('/')))
  await page.locator(`main a[data-row]:not([href="${market.path}"])`).first().click()
  await expect(page.getByRole('table', { name: /Orders for Yes/ })).toBeVisible()
  await live(page)
  await page.getByRole('region', { name: 'Your position' }).getByRole('button', { name: 'Sell' }).click()
  await expect(page).toHaveURL(market.path)
  const ticket = ticketOf(page)
  await ticket.getByLabel('Order type').selectOption('limit GTC')
  await ticket.getByLabel('Limit price').fill('31')
  await ticket.getByLabel('Shares', { exact: true }).fill('10')
  await expect(ticket.getByText('$3.10')).toBeVisible()
  await expect(ticket.getByText('once all is sold')).toBeVisible()
  await ticket.getByLabel('Order type').selectOption('market FAK')
  await ticket.getByRole('button', { name: 'Max' }).click()
  await expect(ticket.getByText('20 of 25 shares trade now, the rest is cancelled.')).toBeVisible()
  const done = await send(page, /^Sell Yes · 25$/)
  await expect(done).toContainText('Sold 20 Yes at 30¢ on average.')
  await expect(done).toContainText('5 shares found no match and were cancelled.')
})

test('a limit order waits, is filled in part by another trader, and is cancelled', async ({ page }) => {
  const [market, other] = await Promise.all([quietMarket(), comeIn()])
  await becomeMember(page, market.path)
  await live(page)
  await writeLimit(page, '30', '100')
  await expect(ticketOf(page).getByText('100 wait in the book')).toBeVisible()
  await expect(await send(page, /^Buy Yes · \$30\.00$/)).toContainText('100 shares wait in the book at 30¢.')

  const orders = page.getByRole('region', { name: 'Your open orders' })
  await expect(orders).toContainText('0 of 100')
  await expect(page.getByTitle('You have 100 here')).toBeVisible()
  await other.place({ tokenId: market.no, side: 'BUY', price: '0.7', size: '40' })
  await expect(orders).toContainText('40 of 100')
  await orders.getByRole('button', { name: /^Cancel the order/ }).click()
  await expect(orders).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Your position' })).toContainText('40 ·')
})

test('the portfolio tells of a fill as it happens', async ({ page }) => {
  const [market, other] = await Promise.all([quietMarket(), comeIn()])
  await becomeMember(page, market.path)
  await live(page)
  await leaveOrder(page, '30')
  await page.getByRole('link', { name: /^Portfolio \$/ }).click()
  await page.getByRole('link', { name: /^Open orders/ }).click()
  const order = page.getByRole('row').filter({ hasText: '30¢' })
  await expect(order).toContainText('0 of 10')
  await other.place({ tokenId: market.no, side: 'BUY', price: '0.7', size: '5' })
  await expect(order).toContainText('5 of 10')
  await other.place({ tokenId: market.no, side: 'BUY', price: '0.7', size: '5' })
  await expect(order).toHaveCount(0)
})

test('a market order goes through three levels at the average that was shown', async ({ page }) => {
  const [market, maker] = await Promise.all([quietMarket(), comeIn()])
  for (const price of ['0.6', '0.58', '0.55']) await maker.place({ tokenId: market.no, side: 'BUY', price, size: '10' })
  await becomeMember(page, market.path)
  await live(page)
  const ticket = ticketOf(page)
  await ticket.getByLabel('Amount').fill('0.001') // buys not even a hundredth of a share, though there are offers
  await expect(ticket.getByText(/^The smallest order here is/)).toBeVisible()
  await ticket.getByRole('button', { name: 'Enter shares instead' }).click()
  await ticket.getByLabel('Shares', { exact: true }).fill('25')
  // 10 at 40¢, 10 at 42¢, 5 at 45¢.
  await expect(ticket.getByText('avg 41.8¢')).toBeVisible()
  await ticket.getByRole('button', { name: 'details' }).click()
  await expect(ticket.locator('dl div', { hasText: 'Slippage' })).toContainText('4.5%')
  await expect(await send(page, /^Buy Yes/)).toContainText('Bought 25 Yes at 41.8¢ on average.')
})

test('two people trade against each other in two browsers', async ({ browser }) => {
  test.slow()
  const market = await quietMarket()
  const [alice, bob] = await Promise.all([browser.newContext(), browser.newContext()])
  const [one, two] = await Promise.all([alice.newPage(), bob.newPage()])
  await becomeMember(one, market.path)
  await becomeMember(two, market.path)
  await Promise.all([live(one), live(two)])

  await writeLimit(one, '35', '20')
  await send(one, /^Buy Yes/)
  await two.locator('[data-side="bid"] button[data-price="3500"]').click()
  await ticketOf(two).getByRole('button', { name: /^No / }).click()
  await writeLimit(two, '65', '20')
  await expect(await send(two, /^Buy No/)).toContainText('Bought 20 No at 65¢ on average.')

  await expect(one.getByRole('region', { name: 'Your open orders' })).toHaveCount(0)
  await expect(one.getByRole('region', { name: 'Your position' })).toContainText('20 · Average 35¢')
  await expect(two.getByRole('region', { name: 'Your position' })).toContainText('20 · Average 65.91¢') // the fee of the taker is part of what the shares cost
  await Promise.all([alice.close(), bob.close()])
})

test('by the keyboard alone: a price from the ladder, a size, off it goes, and back', async ({ page }) => {
  const [market, maker] = await Promise.all([quietMarket(), comeIn()])
  for (const price of ['0.2', '0.19']) await maker.place({ tokenId: market.yes, side: 'BUY', price, size: '10' })
  await becomeMember(page, market.path)
  await live(page)
  const levels = page.locator('[data-side="bid"] button[data-price]')
  await levels.first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(levels.last()).toBeFocused()
  await page.keyboard.press('Enter')
  const ticket = ticketOf(page)
  await expect(ticket.getByLabel('Limit price')).toHaveValue('19¢')
  await page.keyboard.press('b')
  await expect(levels.last()).toBeFocused() // no key moves the focus
  await page.keyboard.type('5')
  await expect(ticket.getByLabel('Shares', { exact: true })).toHaveValue('5')
  await page.keyboard.press('Control+Enter')
  await expect(ticket.getByRole('status')).toContainText('5 shares wait in the book at 19¢.')

  await page.goto('/portfolio?tab=orders')
  const cancel = page.getByRole('button', { name: /^Cancel the order/ })
  // Before its scripts run the page shows the button already, and nothing hears it.
  await expect(async () => {
    if ((await cancel.count()) > 0) await cancel.press('Enter')
    await expect(page.getByText('No open orders.')).toBeVisible({ timeout: 3000 })
  }).toPass()
})

test('an impossible price or quantity is explained, and previews nothing', async ({ page }) => {
  await open(page, (await quietMarket()).path)
  await live(page)
  await writeLimit(page, '150')
  const ticket = ticketOf(page)
  await expect(ticket.getByText(/^A price lies between [\d.]+¢ and [\d.]+¢\.$/)).toBeVisible()
  await expect(ticket.getByLabel('Limit price')).toHaveAttribute('aria-invalid', 'true')
  await expect(ticket.getByText('To win')).toHaveCount(0)
  await ticket.getByLabel('Limit price').fill('0.') // what may yet become a price
  await expect(ticket.getByText(/^A price lies/)).toHaveCount(0)
  await ticket.getByLabel('Limit price').fill('0.5')
  await expect(ticket.getByText('To win')).toBeVisible()
  await ticket.getByLabel('Shares', { exact: true }).fill('10.555')
  const why = ticket.getByText('A number with at most 2 decimals, such as 12.5.')
  await expect(why).toBeVisible()
  await expect(ticket.getByText('To win')).toHaveCount(0)
  await page.setViewportSize({ width: 1280, height: 560 })
  await expect(why).toBeInViewport() // as is the button that cannot be pressed
})

test('what is refused says what failed, that no money moved, what to do, and an id to copy; what was typed stays', async ({ page }) => {
  const market = await quietMarket()
  await becomeMember(page, market.path)
  await live(page)
  await page.route('**/trpc/placeOrder', (route) =>
    route.continue({ postData: JSON.stringify({ body: { ...route.request().postDataJSON().body, size: '99999' } }) }),
  )
  await writeLimit(page, '50')
  const ticket = ticketOf(page)
  await ticket.getByRole('button', { name: /^Buy Yes/ }).click()
  const alert = ticket.getByRole('alert')
  await expect(alert).toContainText('The order was not placed. There is not enough cash available.')
  await expect(alert).toContainText('No money moved.')
  await expect(ticket).toContainText(/Request [0-9a-f]{8}/)
  await ticket.getByRole('button', { name: 'Copy the request id' }).click()
  await expect(ticket.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible()
  await expect(ticket.getByLabel('Shares', { exact: true })).toHaveValue('10')
})

test('what asks to be confirmed asks anew when anything is changed, and a key that is held confirms nothing', async ({ page }) => {
  const market = await quietMarket()
  await becomeMember(page, market.path)
  await live(page)
  await writeLimit(page, '30', '1000')
  const ticket = ticketOf(page)
  const confirm = ticket.getByRole('button', { name: /^Confirm/ })
  await ticket.getByRole('button', { name: 'Buy Yes · $300.00' }).click()
  await expect(confirm).toHaveText('Confirm: Buy Yes · $300.00')
  await ticket.getByRole('button', { name: 'One step higher' }).click()
  await expect(confirm).toHaveCount(0)

  await ticket.getByLabel('Limit price').press('ArrowUp')
  await ticket.getByLabel('Limit price').focus()
  for (let i = 0; i < 4; i++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expect(confirm).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(ticket.getByRole('status')).toContainText('1,000 shares wait in the book')
})

test('several orders are cancelled together, each with what became of it', async ({ page }) => {
  const market = await quietMarket()
  await becomeMember(page, market.path)
  await live(page)
  for (const price of ['10', '11', '12']) {
    await writeLimit(page, price)
    await send(page, /^Buy Yes/)
  }
  await page.goto('/portfolio?tab=orders')
  const button = page.getByRole('button', { name: 'Cancel all (3)' })
  // A page that has just come shows its buttons before they do anything: the first press may be for nothing, the second only asks.
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 2000 })
    await expect(page.getByRole('status').filter({ hasText: '3 of 3 cancelled.' })).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 25_000 })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true })

  test('the ticket is a sheet above the prices', async ({ page }) => {
    const [market, maker] = await Promise.all([quietMarket(), comeIn()])
    await maker.place({ tokenId: market.yes, side: 'BUY', price: '0.4', size: '100' })
    await becomeMember(page, market.path)
    await live(page)
    await page.locator('.bar').getByRole('button', { name: 'No 60¢' }).click()
    const sheet = page.getByRole('dialog', { name: 'Order ticket' })
    await expect(sheet.getByRole('button', { name: /^No / })).toHaveAttribute('aria-pressed', 'true')
    await expect(page.locator('form[aria-label="Order ticket"]')).toHaveCount(1) // none out of sight that answers each key as well
    await sheet.getByLabel('Amount').fill('60000')
    await expect(sheet.getByText(/^That takes \$60,000\.00; \$[\d,.]+ is available\. Add funds$/)).toBeVisible() // though only $60 of it would be taken now
    await expect(sheet.getByText(/Not enough is on offer/)).toHaveCount(0)
    await sheet.getByRole('button', { name: '$10', exact: true }).click()
    await sheet.getByRole('button', { name: /^Buy No · \$10\.\d\d$/ }).click()
    await expect(sheet.getByRole('status')).toContainText(/Bought 16\.\d+ No at 60¢ on average\./)
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()

    await page.getByRole('region', { name: 'Your position' }).getByRole('button', { name: 'Sell' }).click()
    await expect(sheet.getByRole('button', { name: 'Sell', exact: true })).toHaveAttribute('aria-pressed', 'true')
    await expect(sheet.getByText(/^16\.\d+ shares to sell$/)).toBeVisible()

    await open(page, '/portfolio')
    await page.getByRole('link', { name: 'Sell', exact: true }).click()
    await expect(sheet.getByRole('button', { name: 'Sell', exact: true })).toHaveAttribute('aria-pressed', 'true')
    await expect(sheet.getByText(/^16\.\d+ shares to sell$/)).toBeVisible()
  })
})
