import { expect, type Page, test } from '@playwright/test'
import { becomeMember, forgetWallet } from './member.ts'
import { open } from './open.ts'
import { memberWithShares } from './orders.ts'

/** Waits until the worker answers for the page. */
const worked = async (page: Page) => {
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
}
const copyOf = (page: Page) => page.getByRole('region', { name: 'Your portfolio' })

/** A member who holds 25 Yes, and asks this device to keep a copy of the portfolio. */
async function keepPortfolio(page: Page): Promise<void> {
  await memberWithShares(page)
  await open(page, '/portfolio')
  await page.getByRole('switch', { name: /^Keep a copy/ }).check()
  await worked(page)
}

test('without a network the portfolio is shown as it was last seen, dated, and nothing can be done', async ({ page, context }) => {
  test.slow()
  await keepPortfolio(page)
  await context.setOffline(true)
  await expect(page.getByText(/No connection\. What you see is from/)).toBeVisible()
  await page.getByRole('button', { name: /^More for Yes, / }).click()
  await expect(page.getByRole('button', { name: 'Split', exact: true })).toBeDisabled()

  await page.goto('/portfolio')
  const copy = copyOf(page)
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible()
  await expect(copy).toContainText('Offline copy')
  await expect(copy).toContainText(/as of \w+ \d+, \d{4}, \d\d:\d\d UTC/)
  await expect(copy.getByRole('table')).toContainText('Yes')
  await expect(copy.getByRole('row').filter({ hasText: '40¢' })).toContainText('25')
  await expect(copy.getByRole('button', { name: /Split|Convert|Merge|Cancel|Claim/ })).toHaveCount(0)
  await expect(copy.getByRole('link', { name: /Sell|Withdraw|Add funds/ })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Try again' })).toHaveAttribute('href', new URL('/portfolio', page.url()).href)

  // Within an open page as well.
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Portfolio' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
  await expect(page.getByRole('switch', { name: /^Keep a copy/ })).toBeChecked()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'History' }).click()
  await expect(copy).toContainText('Offline copy')
  await expect(page.getByRole('link', { name: 'Try again' })).toHaveAttribute('href', '/portfolio?tab=history')
})

test('a page that the worker was passed over by is answered for by it all the same', async ({ page, context }) => {
  await open(page, '/docs')
  await worked(page)
  const session = await context.newCDPSession(page)
  // A page that is asked for so comes without a worker.
  await Promise.all([page.waitForEvent('load'), session.send('Page.reload', { ignoreCache: true })])
  await worked(page)
})

test('sign-out deletes the copy', async ({ page, context }) => {
  test.slow()
  await keepPortfolio(page)
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await open(page, '/')
  await worked(page)
  await context.setOffline(true)
  await page.goto('/portfolio')
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible()
  await expect(copyOf(page)).toHaveCount(0)
})

test('the next visitor does not see it, even without a sign-out', async ({ page, context }) => {
  test.slow()
  await keepPortfolio(page)
  const keptPages = () => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('pages-')))
  await open(page, '/')
  await expect.poll(keptPages).not.toEqual([])
  // The session ends elsewhere, and a member with another wallet signs in.
  await context.clearCookies()
  await forgetWallet(page)
  await becomeMember(page, '/portfolio')
  await expect(page.getByText('No positions yet.')).toBeVisible()
  await expect(page.getByRole('switch', { name: /^Keep a copy/ })).not.toBeChecked()
  await worked(page)
  await context.setOffline(true)
  await page.goto('/portfolio')
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible()
  await expect(copyOf(page)).toHaveCount(0)
})

test('no copy is kept for a member who did not ask for it', async ({ page, context }) => {
  await becomeMember(page, '/portfolio')
  await worked(page)
  await context.setOffline(true)
  await page.goto('/portfolio')
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible()
  await expect(copyOf(page)).toHaveCount(0)
})

test('the language of an address holds for the pages after it also where the worker asked for the page', async ({ page }) => {
  await open(page, '/status')
  await worked(page)
  await open(page, '/es')
  await page.locator('main article a').first().click()
  await expect(page).toHaveURL(/\/event\//)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
})

test('a page at a deep address that was never seen comes by itself once there is a network', async ({ page, context }) => {
  await open(page, '/docs')
  await worked(page)
  const failed: string[] = []
  page.on('pageerror', ({ message }) => failed.push(message))
  await context.setOffline(true)
  await page.goto('/docs/verify')
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeHidden({ timeout: 15_000 })
  await expect(page).toHaveURL(/\/docs\/verify$/)
  expect(failed).toEqual([])
})
