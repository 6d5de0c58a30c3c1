import { expect, test } from '@playwright/test'
import { becomeMember } from './member.ts'
import { open } from './open.ts'

test('the palette finds an event, opens it, and switches the theme, by keyboard alone', async ({ page }) => {
  await open(page, '/')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('gta vi')
  const option = palette.getByRole('option', { name: /GTA VI released/ })
  await expect(option).toBeVisible()
  await expect(palette.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/event\//)
  await expect(palette).toHaveCount(0)

  await page.keyboard.press('Control+k')
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('dark')
  const dark = palette.getByRole('option', { name: /Dark/ })
  await expect(dark).toBeVisible()
  await expect(async () => {
    if ((await dark.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
    await expect(dark).toHaveAttribute('aria-selected', 'true', { timeout: 500 })
  }).toPass()
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page).toHaveURL(/\/event\//)
})

test('what was moved to in the palette stays chosen when more is found before it', async ({ page }) => {
  await open(page, '/')
  const held = Promise.withResolvers<void>()
  await page.route('**/trpc/listEvents*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('market')
  await page.keyboard.press('ArrowDown')
  const chosen = palette.getByRole('option', { selected: true })
  await expect(chosen).toHaveAccessibleName(/^Markets/) // what is said of it, without the room around it
  held.resolve()
  await expect(palette.getByRole('option', { name: /MegaETH market cap/ })).toBeVisible()
  await expect(chosen).toHaveAccessibleName(/^Markets/)
})

test('a slow page shows that it is loading', async ({ page }) => {
  await open(page, '/')
  const held = Promise.withResolvers<void>()
  await page.route('**/__data.json*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByRole('contentinfo').getByRole('link', { name: 'Activity' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-going')
  held.resolve()
  await expect(page).toHaveURL(/\/activity$/)
  await expect(page.locator('html')).not.toHaveAttribute('data-going')
})

test('a dialog that is asked to close is out of sight before it is closed, and the focus is where it was', async ({ page }) => {
  await open(page, '/')
  const link = page.getByRole('article').first().getByRole('heading').getByRole('link')
  await link.focus()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  await palette.evaluate((dialog: HTMLDialogElement) =>
    dialog.addEventListener('cancel', () => Object.assign(globalThis, { asked: [dialog.open, getComputedStyle(dialog).opacity] })),
  )
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)
  await expect(link).toBeFocused()
  expect(await page.evaluate(() => (globalThis as { asked?: unknown }).asked)).toEqual([true, '0'])
})

test('a page speaks the language of its address, keeps it on the way on, and is written from the right in Arabic', async ({ page }) => {
  await page.goto('/ar')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page.getByRole('navigation', { name: 'الفئات' })).toBeVisible()
  const [logo, search] = await Promise.all([page.locator('.logo').boundingBox(), page.getByRole('searchbox').first().boundingBox()])
  expect(logo!.x).toBeGreaterThan(search!.x)
  await page.getByRole('article').first().getByRole('heading').getByRole('link').click()
  await expect(page).toHaveURL(/\/event\//)
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
  await page.goto('/status')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)

  await page.getByRole('button', { name: /^المظهر/ }).click()
  await page.getByRole('button', { name: 'Español' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Todo funciona' })).toBeVisible()
})

test.describe('where no worker answers for the site', () => {
  test.use({ serviceWorkers: 'block' })

  test('pages that read themselves anew stay while nothing answers, and go on afterwards', async ({ context }) => {
    const stays = async (path: string, name: string, unanswering = name) => {
      const page = await context.newPage()
      await open(page, path)
      const heading = (text: string) => page.getByRole('heading', { level: 1, name: text })
      await expect(heading(name)).toBeVisible()
      let unanswered = 0
      await page.route('**/*', (route) => {
        unanswered++
        return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })
      })
      await expect.poll(() => unanswered).toBeGreaterThan(1)
      await expect(heading(unanswering)).toBeVisible()
      await page.unroute('**/*')
      await page.waitForResponse((response) => response.url().includes(`${path}/__data.json`) && response.ok())
      await expect(heading(name)).toBeVisible()
    }
    // Together, as most of it is waiting for the next look.
    await Promise.all([stays('/activity', 'Activity'), stays('/status', 'Everything works', 'No answer came.')])
  })
})

test('a visitor saves an event on this device and finds it again', async ({ page }) => {
  await open(page, '/')
  // The featured event above the list has no mark of its own.
  const cards = page.getByRole('article').filter({ has: page.getByRole('button', { name: /^Save / }) })
  const title = ((await cards.first().getByRole('heading').textContent()) ?? '').trim()
  const card = page
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
    .last()
  await card.getByRole('button', { name: `Save ${title}` }).click()
  await expect(card.getByRole('button', { name: `Remove ${title} from the saved ones` })).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(async () => (await page.context().cookies()).some(({ name }) => name === 'saved')).toBe(true)
  await page.goto('/saved')
  await expect(page.getByRole('article').getByRole('heading', { name: title })).toBeVisible()
})

test('without a network a page that was seen opens again, marked, and another one says what is wrong', async ({ page, context }) => {
  await open(page, '/docs/concepts')
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await page.goto('/embed/2026-nba-champion')
  await page.goto('/docs/concepts')
  const isKept = (path: string) => page.evaluate(async (of) => (await caches.match(of)) !== undefined, path)
  await expect.poll(() => isKept('/docs/concepts')).toBe(true)
  // A card for other sites runs no script that could say how old it is.
  expect(await isKept('/embed/2026-nba-champion')).toBe(false)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Concepts' })).toBeVisible()
  await expect(page.getByText(/No connection\. What you see is from/)).toBeVisible()
  await page.goto('/leaderboard')
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Try again' })).toHaveAttribute('href', page.url())
  await context.setOffline(false)
  // What was asked for opens by itself once there is a network again.
  await expect(page.getByRole('heading', { level: 1, name: 'Leaderboard' })).toBeVisible()
})

test('search engines find every event, in every language, with a picture', async ({ page, request }) => {
  const index = await (await request.get('/sitemap.xml')).text()
  const months = [...index.matchAll(/\/sitemap\/(\d{4}-\d{2})\.xml/g)].map(([, month]) => month)
  expect(months.length).toBeGreaterThan(0)
  const part = await (await request.get(`/sitemap/${months[0]}.xml`)).text()
  const event = /<loc>[^<]*(\/event\/[^<]+)<\/loc>/.exec(part)![1]!
  expect(part).toContain('hreflang="ar"')
  await page.goto(event)
  await expect(page.locator('link[rel="alternate"][hreflang="es"]')).toHaveAttribute('href', new RegExp(`/es${event}$`))
  const picture = await request.get(new URL((await page.locator('meta[property="og:image"]').getAttribute('content'))!).pathname)
  expect(picture.headers()['content-type']).toBe('image/png')
  expect((await picture.body()).readUInt32BE(16)).toBe(1200)
})

test('language models get a list of texts, and every listed text exists', async ({ request }) => {
  const list = await (await request.get('/llms.txt')).text()
  const guides = [...list.matchAll(/\]\([^)]*(\/docs\/[a-z-]+\.md)\)/g)].map(([, path]) => path!)
  expect(guides.length).toBeGreaterThan(5)
  for (const path of [...guides, '/event/2026-nba-champion.md']) {
    const answer = await request.get(path)
    expect(answer.headers()['content-type'], path).toBe('text/markdown; charset=utf-8')
    expect(await answer.text(), path).toMatch(/^# \S/)
  }
  for (const path of ['/event/no-such-event.md', '/docs/no-such-guide.md']) expect((await request.get(path)).status(), path).toBe(404)
})

test('a page on paper is light, whatever the screen is, and has nothing to press', async ({ page }) => {
  await open(page, '/docs/terms')
  const inkOf = (theme: string) =>
    page.evaluate((wanted) => {
      document.documentElement.dataset.theme = wanted
      return getComputedStyle(document.querySelector('h1')!).color
    }, theme)
  const [dark, light] = [await inkOf('dark'), await inkOf('light')]
  expect(dark).not.toBe(light)
  await page.emulateMedia({ media: 'print' })
  expect(await inkOf('dark')).toBe(light)
  await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible()
  for (const part of ['banner', 'navigation', 'search', 'contentinfo'] as const) {
    await expect(page.getByRole(part).filter({ visible: true })).toHaveCount(part === 'navigation' ? 1 : 0)
  }
  for (const width of [1280, 794]) {
    await page.setViewportSize({ width, height: 1100 })
    await page.goto('/event/2026-nba-champion')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('form', { name: 'Order ticket' }).filter({ visible: true })).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^(Share|Save|Yes)/ }).filter({ visible: true })).toHaveCount(0)
  }
})

test('Enter in the palette opens nothing that an older question found', async ({ page }) => {
  await open(page, '/changelog')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  const box = palette.getByRole('combobox')
  await box.fill('gta vi')
  await expect(palette.getByRole('option', { name: /GTA VI released/ })).toBeVisible()
  // A slow line: the next question is still on its way.
  await page.route('**/trpc/listEvents*', () => {})
  await box.fill('bitcoin')
  await expect(palette.getByRole('option', { name: /Search all markets for “bitcoin”/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?q=bitcoin$/)
})

test('a page that was open for long is loaded whole by its next link, and shows a new announcement', async ({ page }) => {
  await page.clock.install()
  await open(page, '/')
  const isSame = () => page.evaluate(() => 'mark' in globalThis)
  await page.evaluate(() => Object.assign(globalThis, { mark: true }))
  const header = page.getByRole('banner').or(page.getByRole('contentinfo'))
  await header.getByRole('link', { name: 'Docs' }).first().click()
  await expect(page).toHaveURL(/\/docs/)
  expect(await isSame()).toBe(true)
  await page.clock.fastForward(301_000)
  await page.goBack()
  await expect(page).toHaveURL((url) => url.pathname === '/')
  await expect(page.getByRole('article').first()).toBeVisible() // it is back there: its address comes before
  expect(await isSame()).toBe(true)
  await header.getByRole('link', { name: 'Docs' }).first().click()
  await expect(page).toHaveURL(/\/docs/)
  // While the one page takes the place of the other, neither can be asked.
  await expect.poll(() => isSame().catch(() => true)).toBe(false)
})

test('the name of the site is whole on the narrowest phone, for visitors and for members', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  const isCut = () => page.locator('header .logo span').evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  await becomeMember(page, '/status')
  expect(await isCut()).toBe(false)
  await page.context().clearCookies()
  for (const path of ['/', '/es', '/ar']) {
    await open(page, path)
    expect(await isCut(), path).toBe(false)
  }
})
