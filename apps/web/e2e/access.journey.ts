import { expect, test } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { becomeMember, ticketOf } from './member.ts'
import { complaintsOf, open } from './open.ts'

const ROUTES = [
  '/',
  '/?status=resolved',
  '/c/sports',
  '/search?q=nba',
  '/event/gta-vi-released-before-june-2026',
  '/event/2026-nba-champion',
  '/status',
  '/verify',
  '/docs/api/listMarkets',
  '/nowhere',
] as const

const LOOKS = [
  { name: 'light at 1280', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'dark at 360', colorScheme: 'dark', viewport: { width: 360, height: 780 } },
] as const

for (const { name, ...look } of LOOKS) {
  test.describe(name, () => {
    test.use(look)

    test('what everybody sees has no accessibility violation, breaks no policy and fits the width', async ({ context }) => {
      test.slow()
      for (const route of ROUTES) {
        await test.step(route, async () => {
          const page = await context.newPage()
          const complaints = complaintsOf(page, route === '/nowhere' ? /404/ : undefined)
          await open(page, route)
          await page.waitForLoadState('networkidle')
          await expectAccessible(page, route)
          expect(complaints, route).toEqual([])
          expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), route).toBe(true)
          await page.close()
        })
      }
    })
  })
}

test('pages fit a phone at twice the text size', async ({ page }) => {
  test.slow()
  await page.setViewportSize({ width: 360, height: 780 })
  for (const route of [
    ...ROUTES,
    '/series/btc-updown-5m',
    '/event/2026-nba-champion?mode=trading',
    '/leaderboard',
    '/activity',
    '/login',
  ]) {
    await test.step(route, async () => {
      await open(page, route)
      const heading = page.getByRole('heading').first()
      const size = () => heading.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
      const before = await size()
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      expect(await size(), route).toBe(2 * before)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), route).toBe(360)
    })
  }
})

test('words twice as long keep their distance in the bar of a phone, and stand in the middle of a button', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await open(page, '/search?q=nothing-like-it')
  const names = page.getByRole('navigation', { name: 'Main' }).locator('span')
  const gaps = await names.evaluateAll((spans) => {
    for (const span of spans) span.textContent += ` ${span.textContent}`
    const boxes = spans.map((span) => span.getBoundingClientRect())
    return boxes.slice(1).map(({ left }, i) => left - boxes[i]!.right)
  })
  expect(gaps).toHaveLength(4)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8)
  await expect(page.getByRole('main').locator('a.button').first()).toHaveCSS('text-align', 'center')
})

test('an unfolded book is accessible too', async ({ page }) => {
  await page.goto('/event/2026-nba-champion')
  await page.locator('main [data-row]').first().click()
  await expect(page.getByRole('table', { name: /Orders for/ })).toBeVisible()
  await expectAccessible(page)
})

test('the appearance is kept, and pages are painted with it from the start', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await open(page, '/')
  const root = page.locator('html')
  await expect(root).toHaveCSS('background-color', 'rgb(246, 247, 249)')
  const kept = page.waitForResponse((response) => response.url().endsWith('/appearance'))
  await page.getByRole('button', { name: /Appearance/ }).click()
  await page.getByRole('button', { name: 'Dark' }).click()
  await expect(root).toHaveCSS('background-color', 'rgb(11, 15, 20)')
  await kept
  await page.reload()
  expect(await root.evaluate((html) => getComputedStyle(html).backgroundColor)).toBe('rgb(11, 15, 20)')
  await expect(page.getByRole('button', { name: 'Appearance: dark' })).toBeVisible()
})

test('the samples of light and dark are in their own colours, whichever is worn', async ({ page }) => {
  await becomeMember(page, '/settings/appearance')
  const grounds = (theme: string) =>
    page
      .locator('label', { has: page.getByRole('radio', { name: theme, exact: true }) })
      .locator('i')
      .evaluateAll((halves) => halves.map((half) => getComputedStyle(half).backgroundColor))
  const [light, dark] = ['rgb(246, 247, 249)', 'rgb(11, 15, 20)']
  for (const worn of ['Dark', 'Light'] as const) {
    await page.getByRole('radio', { name: worn, exact: true }).check()
    expect(await Promise.all(['System', 'Light', 'Dark'].map(grounds))).toEqual([
      [light, dark],
      [light, light],
      [dark, dark],
    ])
  }
})

test('the menu of appearance is laid out before it is opened, where it is neither visible nor focusable', async ({ page }) => {
  await open(page, '/status')
  const menu = page.locator('#appearance')
  await expect.poll(async () => (await menu.boundingBox())?.height).toBeGreaterThan(100)
  await expect(menu).toBeHidden()
  const button = page.getByRole('button', { name: /Appearance/ })
  await button.focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeFocused()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)

  await button.press('Enter')
  await expect(menu).toBeVisible()
  await expect(menu).toBeInViewport({ ratio: 1 })
  const [below, above] = await Promise.all([menu.boundingBox(), button.boundingBox()])
  expect(below!.y).toBeCloseTo(above!.y + above!.height + 4, 0)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
})

test('in the colours of the system it is seen what is chosen, and that what sends an order is a button', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await open(page, '/event/gta-vi-released-before-june-2026')
  const ticket = ticketOf(page)
  for (const [chosen, other, drawn] of [
    ['Yes', 'No', 'outline-style'],
    ['Buy', 'Sell', 'border-bottom-color'],
  ] as const) {
    const drawnOn = (name: string, pressed: boolean) =>
      ticket
        .getByRole('button', { name: new RegExp(`^${name}`), pressed })
        .evaluate((button, of) => getComputedStyle(button).getPropertyValue(of), drawn)
    expect(await drawnOn(chosen, true)).not.toBe(await drawnOn(other, false))
  }
  await expect(ticket.getByRole('button', { name: 'Sign in to trade' })).toHaveCSS('border-top-width', '1px')
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('everything can be read: lists, books, trades, rules', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('article')).not.toHaveCount(0)
    await page.goto('/event/2026-nba-champion')
    await page.locator('main [data-row]').first().click()
    await expect(page.getByRole('table', { name: /Orders for Yes/ })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Rules' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Recent trades' })).toBeVisible()
  })

  test('the appearance can be chosen', async ({ page }) => {
    await page.goto('/c/world')
    await page.getByRole('button', { name: /Appearance/ }).click()
    await page.getByRole('button', { name: 'Dark' }).click()
    await expect(page).toHaveURL(/\/c\/world$/)
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  })
})
