import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { whileAdmin } from './admins.ts'
import { becomeMember } from './member.ts'
import { open } from './open.ts'

test('the address of a series leads to one of its windows, that of none nowhere', async ({ page }) => {
  // The worker opens the first windows once the feed has answered.
  await expect.poll(async () => (await page.request.get('/series/btc-updown-5m')).status(), { timeout: 60_000 }).toBe(200)
  await page.goto('/es/series/btc-updown-5m')
  await expect(page).toHaveURL(/\/es\/event\/btc-updown-5m-\d+$/)
  await expect(page.getByRole('region', { name: 'Bitcoin' })).toBeVisible()
  expect((await page.request.get('/series/no-such-5m')).status()).toBe(404)
})

test('two charts leave the rest of the trading desk its place', async ({ page }) => {
  await expect.poll(async () => (await page.request.get('/series/btc-updown-5m')).status(), { timeout: 60_000 }).toBe(200)
  await page.goto('/series/btc-updown-5m')
  const topOf = async (name: string) => (await page.getByRole('heading', { name, exact: true }).boundingBox())!.y
  for (const height of [720, 900, 1080]) {
    await page.setViewportSize({ width: 1280, height })
    await page.goto(`${new URL(page.url()).pathname}?mode=trading`)
    await expect(page.getByRole('region', { name: 'Bitcoin' })).toBeVisible()
    expect(await topOf('Recent trades')).toBeLessThan(await topOf('Rules'))
    const drawn = page.locator('.plot').filter({ visible: true }).locator('svg.lines')
    await expect(drawn).toHaveCount(1)
    expect(await drawn.evaluate((svg) => svg.getBoundingClientRect().bottom <= svg.closest('.plot')!.getBoundingClientRect().bottom)).toBe(
      true,
    )
  }
})

test('an operator sees how a price series does, and makes, renames and switches off one', async ({ page }) => {
  await becomeMember(page, '/status')
  await whileAdmin(page, async () => {
    await open(page, '/admin/prices')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Bitcoin' }).click()
    await expect(page.getByRole('heading', { name: /^Source A, 5m/ })).toBeVisible()
    await expect(page.getByText('Simulated feed A, made-up prices')).toBeVisible()
    const heading = page.getByRole('heading', { name: 'Settled prices' })
    await expect(heading).toBeVisible()
    // The table begins where its heading does.
    const column = page.locator('section', { has: heading }).locator('th span').first()
    expect((await column.boundingBox())!.x).toBe((await heading.boundingBox())!.x)
    await expectAccessible(page)

    await open(page, '/admin/prices')
    await page.getByRole('button', { name: 'New series' }).click()
    const slug = `j${Date.now()}-usd-1h`
    await page.getByLabel('Address', { exact: true }).fill(slug)
    await page.getByLabel('Instrument').fill('JRN/USD')
    await page.getByLabel('Name', { exact: true }).fill('Journey')
    await page.getByLabel('Symbol at source A').fill('JRN')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Journey was saved.')).toBeVisible()

    await open(page, `/admin/prices/${slug}`)
    await expect(page.getByText('paused', { exact: true })).toBeVisible()
    await page.getByLabel('Name', { exact: true }).fill('Journey’s end')
    await page.getByLabel('Collect its prices and show them').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Journey’s end was saved.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: /^Journey’s end/ })).toBeVisible()
    await expect(page.getByLabel('Collect its prices and show them')).not.toBeChecked()
  })
})
