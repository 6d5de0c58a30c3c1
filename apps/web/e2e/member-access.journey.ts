import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { becomeMember, live, ticketOf } from './member.ts'
import { complaintsOf } from './open.ts'
import { newTrader, quietMarket } from './trader.ts'

const LOOKS = [
  { name: 'light at 1280', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'dark at 360', colorScheme: 'dark', viewport: { width: 360, height: 780 } },
] as const

for (const { name, ...look } of LOOKS) {
  test.describe(name, () => {
    test.use(look)

    test('what members see has no accessibility violation, breaks no policy and fits the width', async ({ page }) => {
      test.slow()
      const complaints = complaintsOf(page)
      const check = async (what: string) => {
        await expectAccessible(page, what)
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), what).toBe(true)
      }
      await page.goto('/login')
      await check('/login')
      await page.goto('/login/two-factor')
      await check('/login/two-factor')
      await page.goto('/login/recover')
      await check('/login/recover')

      const [market, maker] = await Promise.all([quietMarket(), newTrader()])
      await maker.place({ tokenId: market.no, side: 'BUY', price: '0.6', size: '100' })
      await maker.place({ tokenId: market.yes, side: 'BUY', price: '0.3', size: '100' })
      await becomeMember(page, market.path)
      await live(page)
      const form = look.viewport.width < 1024 ? page.getByRole('dialog').getByRole('form', { name: 'Order ticket' }) : ticketOf(page)
      if (look.viewport.width < 1024) await page.locator('.bar').getByRole('button', { name: /^Yes/ }).click()
      await form.getByLabel('Amount').fill('10')
      await form.getByRole('button', { name: 'details' }).click()
      await check('a written order')
      await form.getByRole('button', { name: /^Buy Yes/ }).click()
      await expect(form.getByRole('status')).toContainText(/Bought 24\.\d+ Yes/)
      await form.getByLabel('Order type').selectOption('limit GTC')
      await form.getByLabel('Limit price').fill('20')
      await form.getByLabel('Shares', { exact: true }).fill('10')
      await form.getByRole('button', { name: /^Buy Yes/ }).click()
      await expect(form.getByRole('status')).toContainText('10 shares wait')
      await page.reload()
      await live(page)
      await check('the event page of a member')
      for (const path of ['/portfolio', '/portfolio?tab=orders', '/portfolio?tab=history', '/money']) {
        await page.goto(path)
        await check(path)
      }
      await maker.client.cancelAll()
      expect(complaints).toEqual([])
    })
  })
}
