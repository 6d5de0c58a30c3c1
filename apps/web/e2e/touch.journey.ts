import { expect, type Page, test } from '@playwright/test'
import { becomeMember, live } from './member.ts'
import { open } from './open.ts'
import { memberWithShares } from './orders.ts'
import { newTrader, quietMarket } from './trader.ts'

test.use({ hasTouch: true })

/** The controls of a page that are less high than a finger needs, or than a row of a ladder has to be. A link within text is as high as the text. */
const low = (page: Page) =>
  page.evaluate(() => {
    /** Pixels from the middle of a control to where a press would no longer be its own. */
    const reach = (control: Element, x: number, y: number, way: 1 | -1): number => {
      for (let far = 0; far < 44; far++) {
        const there = document.elementFromPoint(x, y + way * far)
        if (!there || !(control.contains(there) || there.closest('label')?.contains(control))) return far
      }
      return 44
    }
    const found: string[] = []
    for (const control of document.querySelectorAll('a[href], button, select, summary, input:not([type="hidden"]), textarea')) {
      const isSeen = control.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      if (!isSeen || getComputedStyle(control).display === 'inline') continue
      control.scrollIntoView({ block: 'center', inline: 'center' })
      const { left, top, width, height } = control.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      const high = Math.max(height, reach(control, x, y, 1) + reach(control, x, y, -1))
      if (width > 1 && high < (control.matches('[data-price]') ? 36 : 44) - 1) found.push(`${Math.round(high)}: ${control.outerHTML}`)
    }
    return found
  })

test('whatever a finger presses is high enough for it', async ({ page }) => {
  test.slow()
  const check = async (path: string) => {
    await open(page, path)
    expect.soft(await low(page), path).toEqual([])
  }
  const wide = ['/', '/event/2026-nba-champion', '/leaderboard', '/activity', '/docs/trading']
  for (const path of wide) await check(path)
  const market = await memberWithShares(page)
  await live(page)
  await page.setViewportSize({ width: 360, height: 780 })
  for (const path of ['/activity', market.path, '/portfolio', '/portfolio?tab=history', '/money', '/settings/security']) await check(path)
  await page.setViewportSize({ width: 1280, height: 780 })
  await check('/es/login') // from here on pages are Spanish
})

test('what became of an order is in sight in the sheet of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  const [market, maker] = await Promise.all([quietMarket(), newTrader()])
  await maker.place({ tokenId: market.no, side: 'BUY', price: '0.6', size: '100' })
  await becomeMember(page, market.path)
  await live(page)
  await page.locator('.bar').getByRole('button', { name: /^Yes/ }).tap()
  const ticket = page.getByRole('dialog').getByRole('form', { name: 'Order ticket' })
  await ticket.getByLabel('Amount').fill('10')
  const buy = ticket.getByRole('button', { name: /^Buy Yes/ })
  await page.route('**/trpc/placeOrder', (route) =>
    route.continue({ postData: JSON.stringify({ body: { ...route.request().postDataJSON().body, size: '99999' } }) }),
  )
  await buy.tap()
  await expect(ticket.getByRole('alert')).toBeInViewport({ ratio: 1 })
  await page.unroute('**/trpc/placeOrder')
  await buy.tap()
  await expect(ticket.getByText(/Bought 24\.\d+ Yes at 40¢ on average\./)).toBeInViewport({ ratio: 1 })
  await expect(ticket.getByRole('link', { name: 'See it in your portfolio' })).toBeInViewport({ ratio: 1 })
  await maker.client.cancelAll()
})
