import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { becomeMember, live } from './member.ts'
import { open } from './open.ts'
import { buy, visitingTraders } from './orders.ts'
import { quietMarket } from './trader.ts'

const { comeIn, leave } = visitingTraders()
test.afterEach(leave)

test('positions of an event stand below its name; what was sold is among the closed ones with its profit', async ({ page }) => {
  test.slow()
  const market = await quietMarket({ inEvent: true })
  await becomeMember(page, market.path)
  await buy(page, market)
  const split = await page.request.post('/trpc/splitPosition', { data: { body: { market: market.conditionId, amount: '5' } } })
  expect(split.status()).toBe(200)
  await open(page, '/portfolio')
  const group = page.getByRole('rowgroup').filter({ has: page.getByRole('rowheader') })
  await expect(group.getByRole('rowheader')).toContainText('2 positions')
  await expect(group.getByRole('row')).toHaveCount(3)

  const other = await comeIn()
  await other.placeFirst({ tokenId: market.yes, side: 'BUY', price: '0.55', size: '30' })
  await page.getByRole('row').filter({ hasText: 'Yes' }).getByRole('link', { name: 'Sell', exact: true }).click()
  await live(page)
  const ticket = page.getByRole('form', { name: 'Order ticket' }).first()
  await ticket.getByRole('button', { name: 'Sell Yes · 30' }).click()
  await expect(ticket.getByRole('status')).toContainText('Sold 30 Yes at 55¢')
  await open(page, '/portfolio?tab=closed')
  const closed = page.getByRole('region', { name: 'Closed' }).getByRole('row').filter({ hasText: 'Yes' })
  await expect(closed).toContainText('Sold')
  await expect(closed).toContainText(/\+\$4\.\d\d/)
  await page.setViewportSize({ width: 360, height: 780 })
  await expectAccessible(page)
})

test('a position is shared by a card that says that money is play money, and by a link that anyone can open', async ({ page, browser }) => {
  const market = await quietMarket()
  await becomeMember(page, market.path)
  await buy(page, market)
  await open(page, '/portfolio')
  await page.getByRole('button', { name: /^More for Yes, / }).click()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this position' })
  const card = dialog.getByRole('img')
  await expect.poll(() => card.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200)
  const link = (await dialog.locator('code').textContent()) ?? ''
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(link)
  await expect(visitor.getByRole('link', { name: 'Trade this market' })).toHaveAttribute('href', market.path)
  await expect(visitor.locator('meta[property="og:image"]')).toHaveAttribute('content', /\/og\/position\/0x\w+\/0x\w+\.png$/)
  for (const wrong of [link.replace(/0x\w{64}/, '0x12'), `${link}?outcome=no`]) {
    const answer = await visitor.goto(wrong)
    expect(answer?.status()).toBe(404)
  }
  await visitor.context().close()
})
