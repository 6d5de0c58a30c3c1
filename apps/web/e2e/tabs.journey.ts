import { expect, type Page, test } from '@playwright/test'
import { becomeMember, forgetWallet, live, ticketOf } from './member.ts'
import { listens, open } from './open.ts'
import { writeLimit } from './orders.ts'
import { quietMarket } from './trader.ts'

/** Whose page it is, as its header says. */
const whose = (page: Page) => page.getByRole('button', { name: /^Account of/ }).getAttribute('aria-label')
const menuOf = (page: Page) => page.getByRole('button', { name: /^Account of/ })

/** Hides a page or shows it again: a headless browser shows them all. */
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

test('a member opens as many pages as they like: those out of sight leave their lines to the one that is looked at', async ({
  page,
  context,
}) => {
  test.slow()
  await becomeMember(page, '/portfolio')
  const pages = [page]
  while (pages.length < 8) {
    await hide(pages.at(-1)!, true)
    const next = await context.newPage()
    await open(next, '/portfolio')
    await expect(menuOf(next)).toBeVisible()
    pages.push(next)
  }
  // Looked at again, it hears again.
  await hide(pages.at(-1)!, true)
  const heard = page.waitForResponse((response) => response.url().includes('/trpc/onOrders') && response.ok())
  await hide(page, false)
  await heard
})

test('signing out, and in as another member, applies to all open pages', async ({ page, context }) => {
  const market = await quietMarket()
  await becomeMember(page, market.path)
  await live(page)
  const before = await whose(page)

  const other = await context.newPage()
  await open(other, '/')
  await menuOf(other).click()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await expect(menuOf(page)).toHaveCount(0)
  await expect(ticketOf(page).getByRole('button', { name: 'Sign in to trade' })).toBeVisible()

  await forgetWallet(other)
  await becomeMember(other, '/money')
  await expect(menuOf(page)).toHaveAttribute('aria-label', (await whose(other))!)
  expect(await whose(page)).not.toBe(before)
})

test('a page sends requests for the member it shows, also when another one has signed in meanwhile', async ({ page, context, browser }) => {
  const market = await quietMarket()
  await becomeMember(page, market.path)
  await live(page)
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await becomeMember(other, '/portfolio?tab=orders')
  const another = (await whose(other))!

  // The page does not know it: its cookies are another member's when it sends.
  await context.addCookies(await elsewhere.cookies())
  await writeLimit(page, '6')
  await ticketOf(page)
    .getByRole('button', { name: /^Buy Yes/ })
    .click()
  await expect(ticketOf(page).getByRole('alert')).toContainText('The order was not placed. You are not signed in any more.')
  await expect(menuOf(page)).toHaveAttribute('aria-label', another)
  await other.reload()
  await listens(other)
  await expect(other.getByText('No open orders.')).toBeVisible()
  await elsewhere.close()
})
