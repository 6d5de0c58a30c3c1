import { expect, type Page, test } from '@playwright/test'
import { becomeMember, live, ticketOf } from './member.ts'
import { open } from './open.ts'
import { resolveYes } from './operator.ts'
import { leaveOrder, memberWithShares, writeLimit } from './orders.ts'
import { type SecondSite, secondSite } from './second-site.ts'
import { quietMarket } from './trader.ts'

/** The exchange is away for this site, and back again, as often as a journey wants. */
let site: SecondSite
test.beforeAll(async () => {
  site = await secondSite()
})
test.afterAll(() => site.close())
test.beforeEach(async ({ context }) => {
  site.door.open()
  test.slow()
  await context.clearCookies()
})

const there = (path: string) => `${site.origin}${path}`

/** The error of an unknown outcome: no answer came, a retry is safe, what to do, and an id. */
async function expectUnknown(page: Page, perhaps: string) {
  const alert = page.getByRole('alert').filter({ hasText: perhaps })
  await expect(alert).toContainText('The exchange has not said yet what became of it.')
  await expect(alert).toContainText('If it was done, it was done once')
  await expect(alert).toContainText('Try again in a moment.')
  await expect(page.getByText(/^Request [0-9a-f]{8}/)).toBeVisible()
}

/** A procedure is done, and no answer of it reaches the page. */
const loseAnswers = (page: Page, procedure: string) =>
  page.route(`**/trpc/${procedure}`, async (route) => {
    await route.fetch()
    await route.abort()
  })

test('cancels while the exchange is away say so and leave the list as it is; pressed again they are done', async ({ page }) => {
  const market = await quietMarket()
  await becomeMember(page, market.path, site.origin)
  await live(page)
  for (const price of ['7', '8', '9']) await leaveOrder(page, price)

  const own = page.getByRole('region', { name: 'Your open orders' })
  await expect(own.getByRole('row')).toHaveCount(4)
  site.door.cut()
  await own.getByRole('button', { name: /^Cancel the order.* 7¢/ }).click()
  await expectUnknown(page, 'The order may still be open, and trade.')
  site.door.open()
  await own.getByRole('button', { name: /^Cancel the order.* 7¢/ }).click()
  await expect(own.getByRole('row')).toHaveCount(3)

  await open(page, there('/portfolio?tab=orders'))
  const all = page.getByRole('button', { name: 'Cancel all (2)' })
  site.door.cut()
  await page.getByRole('button', { name: /^Cancel the order.* 8¢/ }).click()
  await expectUnknown(page, 'The order may still be open, and trade.')
  await all.click()
  await page.getByRole('button', { name: 'Cancel all (2)' }).click()
  await expectUnknown(page, 'Some or all of the orders may still be open, and trade.')
  await expect(page.getByRole('row')).toHaveCount(3)
  site.door.open()
  await all.click()
  await page.getByRole('button', { name: 'Cancel all (2)' }).click()
  await expect(page.getByRole('status').filter({ hasText: '2 of 2 cancelled.' })).toBeVisible()
  await expect(page.getByText('No open orders.')).toBeVisible()
})

test('winnings that are claimed while the exchange is away wait, and are paid once', async ({ page }) => {
  await resolveYes(await memberWithShares(page, { origin: site.origin, alone: true }))

  await open(page, there('/portfolio'))
  const claim = page.getByRole('button', { name: 'Claim all' })
  site.door.cut()
  await claim.click()
  await expectUnknown(page, 'The winnings are either claimed or still waiting here.')
  site.door.open()
  // This time it is the answer that is lost: the exchange has paid.
  await loseAnswers(page, 'claimPositions')
  await claim.click()
  await expect(page.getByRole('alert')).toContainText('No answer came. The winnings are either claimed or still waiting here.')
  await page.unroute('**/trpc/claimPositions')
  await claim.click()
  // Asked for within the second of the lost answer, it is the same request, and told what it was paid.
  await expect(page.getByText(/Nothing is left to claim: it was claimed before|\$25\.00 is yours/)).toBeVisible()
  await open(page, there('/portfolio?tab=history&kind=payouts'))
  await expect(page.getByRole('row').filter({ hasText: '+$25.00' })).toHaveCount(1)
})

test('a withdrawal whose answer is lost is asked for again, and made once', async ({ page }) => {
  await becomeMember(page, '/money', site.origin)
  const withdraw = async () => {
    await page.getByRole('button', { name: 'Withdraw $25.00' }).click()
    await page.getByRole('button', { name: 'Yes, withdraw' }).click()
  }
  await page.getByLabel('Amount').fill('25')
  // The site has not yet asked the exchange for anything that moves money: it cannot begin.
  site.door.cut()
  await withdraw()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('The withdrawal was not made. The exchange does not answer right now.')
  await expect(alert).toContainText('No money moved. Try again in a moment.')
  await expect(page.getByText(/^Request [0-9a-f]{8}/)).toBeVisible()
  site.door.open()
  await loseAnswers(page, 'requestWithdrawal')
  await withdraw()
  await expect(alert).toContainText('No answer came. The withdrawal may have been made or not.')
  await expect(alert).toContainText('If it was done, it was done once')
  await page.unroute('**/trpc/requestWithdrawal')
  await withdraw()
  await expect(page).toHaveURL(/\/money\/[0-9a-f-]{36}$/)
  await open(page, there('/money'))
  await expect(page.getByRole('region', { name: 'Transfers' }).getByText('−$25.00')).toHaveCount(1)
})

test('an order whose answers are lost is sent again from the same ticket as the same order', async ({ page }) => {
  const market = await quietMarket()
  await becomeMember(page, market.path, site.origin)
  await live(page)
  const ids = new Set<string>()
  await page.route('**/trpc/placeOrder', async (route) => {
    ids.add(route.request().postDataJSON().body.clientOrderId)
    await route.fetch()
    await route.abort()
  })
  const ticket = ticketOf(page)
  await writeLimit(page, '6')
  await ticket.getByRole('button', { name: /^Buy Yes/ }).click()
  await expect(ticket.getByRole('alert')).toContainText('The order may have been placed or not.')
  await page.unroute('**/trpc/placeOrder')
  await ticket.getByRole('button', { name: /^Buy Yes/ }).click()
  await expect(ticket.getByRole('status')).toContainText('10 shares wait in the book at 6¢.')
  expect(ids.size).toBe(1)
  await expect(page.getByRole('region', { name: 'Your open orders' }).getByRole('row')).toHaveCount(2)
})

test('pages of a member come while the exchange is away: they say where the money is, and are made anew by themselves when it is back', async ({
  page,
}) => {
  await becomeMember(page, '/money', site.origin)
  site.door.cut()
  const away = page.getByRole('region', { name: 'The exchange is away' })
  for (const path of ['/portfolio', '/portfolio?tab=history', '/money', '/settings/api-keys']) {
    await open(page, there(path))
    await expect(away).toContainText('Your money, positions and open orders are where they were')
  }
  await open(page, there('/portfolio'))
  site.door.open()
  await expect(page.getByText('Total value')).toBeVisible()
  await expect(away).toHaveCount(0)
})

test('play money and pairs of shares whose answers are lost are asked for again, and made once', async ({ page }) => {
  await memberWithShares(page, { origin: site.origin })
  await open(page, there('/money'))
  await loseAnswers(page, 'takeFromFaucet')
  await page.getByRole('button', { name: 'Get $100.00' }).click()
  await expect(page.getByRole('alert')).toContainText('If it was done, it was done once')
  await page.unroute('**/trpc/takeFromFaucet')
  await page.getByRole('button', { name: 'Get $100.00' }).click()
  await expect(page.getByRole('region', { name: 'Transfers' }).getByText('+$100.00')).toHaveCount(1)

  await open(page, there('/portfolio'))
  await page.getByRole('button', { name: /^More for Yes, / }).click()
  await page.getByRole('button', { name: 'Split', exact: true }).click()
  await loseAnswers(page, 'splitPosition')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Dollars').fill('5')
  await dialog.getByRole('button', { name: 'Split' }).last().click()
  await expect(dialog.getByRole('alert')).toContainText('If it was done, it was done once')
  await page.unroute('**/trpc/splitPosition')
  await dialog.getByRole('button', { name: 'Split' }).last().click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: 'Yes' }).filter({ hasText: '30' })).toHaveCount(1)
})

test('news of orders come again after something else answered in place of the site', async ({ page }) => {
  await becomeMember(page, '/portfolio', site.origin)
  let asked = 0
  await page.route('**/trpc/onOrders*', (route) =>
    asked++ === 0 ? route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }) : route.continue(),
  )
  const heard = page.waitForResponse((response) => response.url().includes('/trpc/onOrders') && response.ok())
  await page.reload()
  await heard
})
