import { expect, type Page, test } from '@playwright/test'
import { becomeMember } from './member.ts'
import { listens, open } from './open.ts'

/** Opens a page whose scripts are held back while a visitor presses. The returned function releases them. */
async function opening(page: Page, path: string): Promise<() => Promise<void>> {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route(/\.js$/, async (route) => {
    await arrived
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  await expect(page.getByRole('contentinfo')).toBeAttached()
  return async () => {
    arrive()
    await listens(page)
  }
}

test.describe('before the scripts of a page have come', () => {
  test.use({ serviceWorkers: 'block' })

  test('a filter that is chosen is applied when they come', async ({ page }) => {
    const come = await opening(page, '/')
    await page.getByLabel('Show').selectOption({ label: 'Resolved' })
    await come()
    await expect(page).toHaveURL(/\?status=resolved&sort=trending$/)
    await expect(page.getByLabel('Show')).toHaveValue('resolved')
  })

  test('the sheet of a phone that is opened is filled when they come', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    const come = await opening(page, '/')
    await page.getByRole('button', { name: 'More' }).click()
    await come()
    await expect(page.locator('#more').getByRole('link', { name: 'Changelog' })).toBeVisible()
  })
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the page to sign in says that it needs them, and a phone shows no button that does nothing', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/login')
    await expect(page.getByText('Signing in needs JavaScript')).toBeVisible()
    await expect(page.getByText('No wallet extension answers')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'More' })).toHaveCount(0)
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Saved' })).toBeVisible()
  })

  test('an event of which the end has not come yet stands where it will stay', async ({ page }) => {
    await page.route('**/event/*', async (route) => {
      const response = await route.fetch()
      const html = await response.text()
      await route.fulfill({ response, body: html.slice(0, html.indexOf('<aside')) })
    })
    await page.goto('/event/2026-nba-champion')
    const left = async (part: string) => Math.round((await page.locator(`.columns > ${part}`).boundingBox())!.x)
    expect(await left('.main')).toBe(await left('.head'))
  })
})

test('a failed sign-out is shown in a menu that stands on the screen in Arabic too', async ({ page }) => {
  await becomeMember(page, '/leaderboard')
  await page.route('**/trpc/signOut', (route) => route.abort())
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'you may still be signed in here' })).toBeVisible()

  await open(page, '/ar/leaderboard')
  await page.getByRole('button', { name: /^حساب/ }).click()
  await expect(page.getByRole('button', { name: 'تسجيل الخروج' })).toBeInViewport({ ratio: 1 })
})

test('who signs out in one tab is signed out in the other', async ({ page }) => {
  await becomeMember(page, '/leaderboard')
  const other = await page.context().newPage()
  await open(other, '/changelog')
  await expect(other.getByRole('button', { name: /^Account of/ })).toBeVisible()
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  // It looks again when it is looked at.
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(other.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await expect(other.getByRole('button', { name: /^Account of/ })).toHaveCount(0)
})
