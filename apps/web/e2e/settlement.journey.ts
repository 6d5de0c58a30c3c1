import { confirmResolution, proposeResolution } from '@augury/platform/resolution/decide'
import { openPlatform } from '@augury/platform/site/platform'
import { webSettings } from '@augury/settings/env'
import { ONE } from '@augury/units/price'
import { expect, test } from '@playwright/test'
import { ticketOf } from './member.ts'
import { listens, open } from './open.ts'
import { endAt, resolveYes } from './operator.ts'
import { buy, memberWithShares } from './orders.ts'
import { quietMarket, type TestMarket } from './trader.ts'

/** Whose result it is, on the page of the event. */
const JUDGE = { kind: 'series', slug: 'journey' } as const

/** Says that Yes happened, for good; the worker pays in a moment. */
async function decideYes({ conditionId }: TestMarket): Promise<void> {
  const platform = await openPlatform(webSettings().databaseUrl)
  try {
    const now = new Date()
    await platform.em().transactional(async (em) => {
      await proposeResolution(em, JUDGE, { conditionId, weight: ONE, disputeSeconds: 0 }, now)
      await confirmResolution(em, JUDGE, { conditionId }, now)
    })
  } finally {
    await platform.close()
  }
}

test('a winner is notified, is paid automatically, and finds the payment', async ({ page }) => {
  test.slow()
  const market = await memberWithShares(page, { alone: true })
  await decideYes(market)

  await expect(async () => {
    await page.goto('/notifications')
    await expect(page.getByText('You are paid').first()).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(page.getByText(/25 Yes pay \$25\.00/).first()).toBeVisible()
  await test.step('the page stays when the site is away', async () => {
    await listens(page)
    let asked = 0
    const site = /__data\.json|trpc\//
    await page.route(site, (route) => {
      asked += route.request().url().includes('getSession') ? 1 : 0
      return route.abort()
    })
    await page.getByRole('main').getByRole('button', { name: 'Mark all as read' }).click()
    await expect.poll(() => asked).toBeGreaterThan(0)
    await expect(page.getByRole('main').getByText('You are paid').first()).toBeVisible()
    await page.unroute(site)
  })
  await expect(async () => {
    await page.goto('/portfolio?tab=history')
    await expect(page.getByRole('table')).toContainText('+$25.00', { timeout: 2_000 })
  }).toPass()
  await page.goto(market.path)
  await expect(page.getByRole('heading', { name: /resolved: Yes$/i })).toBeVisible()
  // What was traded just before the end counts before the platform's next round.
  await expect(page.getByText('$10 vol')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Resolution' })).toContainText('A share of Yes pays $1.00.')
})

test('what another operator decided is claimed by a press', async ({ page }) => {
  test.slow()
  await resolveYes(await memberWithShares(page, { alone: true }))
  const second = await quietMarket({ alone: true })
  await open(page, second.path)
  await buy(page, second)

  await page.goto('/portfolio')
  await expect(page.getByRole('heading', { name: '$25.00 to claim' })).toBeVisible()
  const claim = page.getByRole('button', { name: 'Claim all' })
  // Before its scripts run the page shows the button already, and nothing hears it.
  await expect(async () => {
    if ((await claim.count()) > 0) await claim.press('Enter')
    await expect(page.getByText('$25.00 is yours')).toBeVisible({ timeout: 3000 })
  }).toPass()
  // What is won while the page stays open can be claimed there, too.
  await resolveYes(second)
  await expect(page.getByRole('heading', { name: '$25.00 to claim' })).toBeVisible({ timeout: 60_000 })
  await claim.click()
  await expect(page.getByText('$25.00 is yours')).toBeVisible()
  await page.goto('/portfolio?tab=history')
  await expect(page.getByRole('table')).toContainText('+$25.00')
})

test('from its end on a market is shown as over, also before the worker has processed it', async ({ page }) => {
  test.slow()
  const market = await quietMarket({ alone: true })
  await endAt(market, new Date(Date.now() + 20_000))
  await open(page, market.path)
  const ticket = ticketOf(page)
  await expect(ticket.getByLabel('Order type')).toBeVisible()

  await expect(page.getByRole('heading', { name: 'Trading has ended' })).toBeVisible({ timeout: 60_000 })
  await expect(ticket).toHaveText(/^\s*Trading in this market is over\.\s*$/)
  await expect(page.getByRole('main').getByText('Closed', { exact: true })).toBeVisible()
})
