import { expect, test } from '@playwright/test'
import { becomeMember, live } from './member.ts'
import { newTrader, quietMarket } from './trader.ts'

test('shares without a price are shown at cost, and as having none', async ({ page }) => {
  const market = await quietMarket({ untraded: true, alone: true })
  await becomeMember(page, market.path)
  const split = await page.request.post('/trpc/splitPosition', { data: { body: { market: market.conditionId, amount: '20' } } })
  expect(split.status()).toBe(200)

  await page.goto('/portfolio')
  const yes = page.getByRole('table').getByRole('row').filter({ hasText: 'Yes' })
  await expect(yes.getByRole('cell').nth(3)).toHaveText('–')
  await expect(yes.getByRole('cell').nth(4)).toHaveText(/\$10\.00\s*at cost/)
  await expect(yes.getByRole('cell').nth(6)).toHaveText('–')
  const all = page.getByRole('region', { name: 'Total value' })
  const gained = page.getByRole('region', { name: 'Gain or loss' })
  await expect(gained.getByText('$0.00')).toHaveAttribute('class', /^(?!.*\b(yes|no)\b)/) // neither won nor lost
  await expect(all).toContainText('$20.00 of it is shares without quotes or trades')
  await page.goto(market.path)
  await live(page)
  await expect(page.getByRole('region', { name: 'Your position' }).getByText('at cost')).toHaveCount(2)

  const [, , slug, of] = market.path.split('/')
  for (const outcome of ['', '&outcome=no']) {
    const card = await (await page.request.get(`/embed/${slug}?market=${of}${outcome}`)).text()
    const body = card.slice(card.indexOf('<main')).replaceAll(/<style[\s\S]*?<\/style>/g, '')
    expect(body).toContain('No price yet')
    expect(body).not.toMatch(/\d%|NaN|null/)
  }

  const other = await newTrader()
  const order = await other.place({ tokenId: market.yes, side: 'BUY', price: '0.1', size: '10' })
  await page.goto('/portfolio')
  await expect(yes.getByRole('cell').nth(3)).toHaveText('10¢')
  await expect(all).not.toContainText('without quotes')
  await other.client.cancelOrderById({ params: { id: order } })
})
