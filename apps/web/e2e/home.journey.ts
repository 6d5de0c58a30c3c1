import { expect, test } from '@playwright/test'
import { open } from './open.ts'

test('a visitor sees real events, filters them by address, and opens one', async ({ page }) => {
  await open(page, '/')
  await expect(page).toHaveTitle('Augury · Prediction markets')
  await expect(page.getByRole('article')).not.toHaveCount(0)

  await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Crypto' }).click()
  await expect(page).toHaveURL(/\/c\/crypto$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Crypto' })).toBeVisible()
  await expect(page.getByRole('article').filter({ hasText: 'MegaETH' })).not.toHaveCount(0)
  await expect(page.getByRole('article').filter({ hasText: 'FIFA' })).toHaveCount(0)

  await page.getByLabel('Sort by').selectOption({ label: 'Ending soon' })
  await expect(page).toHaveURL(/\/c\/crypto\?status=active&sort=end_date$|\/c\/crypto\?.*sort=end_date/)
  // What ends next may end just now: then another comes first.
  const title = page.getByRole('article').first().getByRole('heading')
  let name = ''
  await expect(async () => {
    name = (await title.textContent())?.trim() ?? ''
    await page.reload()
    await expect(title).toHaveText(name, { timeout: 2000 })
  }).toPass()

  await title.getByRole('link', { name, exact: true }).click()
  await expect(page).toHaveURL(/\/event\//)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
})

test('a list without matches says so and leads on', async ({ page }) => {
  await page.goto('/c/culture?status=resolved')
  const list = page.getByRole('main')
  await expect(list.getByText('No market in Culture fits this filter yet.')).toBeVisible()
  await list.getByRole('link', { name: 'Browse trending' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('article')).not.toHaveCount(0)
})

test('the list goes on below its first page', async ({ page }) => {
  await open(page, '/?status=all')
  await expect(page.getByRole('article')).toHaveCount(32)
  // The list grows as its end comes near, so its button moves away from the pointer: keys reach it.
  await page.getByRole('link', { name: 'Show more' }).press('Enter')
  await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(40)
  await expect(page).toHaveURL(/\?status=all$/)
  const events = await page
    .getByRole('article')
    .getByRole('heading')
    .locator('a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(events.length).toBeGreaterThan(40)
  expect(new Set(events).size).toBe(events.length)
})

test('going back to a list that has grown restores the scroll position', async ({ page }) => {
  await open(page, '/?status=all')
  await page.getByRole('link', { name: 'Show more' }).press('Enter')
  const titles = page.getByRole('article').getByRole('heading').getByRole('link')
  await expect.poll(() => titles.count()).toBeGreaterThan(48)
  const name = (await titles.nth(48).textContent())!.trim()
  const far = page.getByRole('article').getByRole('link', { name, exact: true })
  await far.press('Enter')
  await expect(page).toHaveURL(/\/event\//)
  await page.goBack()
  await expect(far).toBeInViewport()
})

test('a picture of a whole page has all of it, also what was never scrolled to', async ({ page }) => {
  await open(page, '/')
  const cards = page.getByRole('article')
  const drawn = () => cards.evaluateAll((each) => each.every((card) => card.checkVisibility({ contentVisibilityAuto: true })))
  await expect.poll(drawn).toBe(true)
  await cards.first().getByRole('heading').getByRole('link').click()
  await expect(page).toHaveURL(/\/event\//)
  await expect(page.getByRole('region', { name: 'What others say and do' }).getByRole('tab', { name: 'Comments' })).toBeVisible()
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('a search finds every event with all of its words', async ({ page }) => {
  await open(page, '/')
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('nba champion')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?q=nba\+champion$/)
  const titles = page.getByRole('article').getByRole('heading')
  await expect(titles.filter({ hasText: '2027 NBA Champion' })).toHaveCount(1)
  for (const title of await titles.allTextContents()) expect(title).toMatch(/nba.*champion|champion.*nba/i)

  await page.goto('/search?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Markets with “<script>alert(1)</script>”')
  await expect(page.getByText('No market matches all of these words.')).toBeVisible()
})

test('on every page the search in the header suggests events and outcomes while one types', async ({ page }) => {
  await open(page, '/leaderboard')
  await page.keyboard.press('/')
  await page.keyboard.type('spain')
  const box = page.getByLabel('Search markets').filter({ visible: true })
  const found = page.getByRole('option', { name: /2030 FIFA World Cup Winner.*Spain/ })
  await expect(found).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(found).toBeHidden()
  await expect(box).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/event\//)
  await expect(page.getByRole('listbox', { name: 'Suggestions' })).toHaveCount(0)
})

test('results follow what is typed, and show the outcome that was found', async ({ page }) => {
  await open(page, '/search?q=newsom')
  const card = page.getByRole('article').filter({ hasText: 'Democratic Presidential Nominee 2028' })
  await expect(card.getByRole('link', { name: 'Gavin Newsom', exact: true })).toBeVisible()
  await page.getByRole('searchbox').filter({ visible: true }).fill('oklahoma thundr')
  await expect(page).toHaveURL(/\/search\?q=oklahoma\+thundr$/)
  await expect(page.getByRole('article').getByRole('heading', { name: '2027 NBA Champion' })).toBeVisible()
  await expect(page.getByRole('searchbox').filter({ visible: true })).toBeFocused()

  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await palette.getByRole('combobox').fill('vance 2028')
  await expect(palette.getByRole('option', { name: /Presidential Election Winner 2028.*Vance/ })).toBeVisible()
})

test('rows are walked with j and k, and ? tells what keys there are', async ({ page }) => {
  await open(page, '/c/sports')
  const rows = page.locator('[data-row]')
  await page.keyboard.press('j')
  await expect(rows.nth(0)).toBeFocused()
  await page.keyboard.press('j')
  await expect(rows.nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await expect(rows.nth(0)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/event\//)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible()
  await page.keyboard.press('Escape')
  // On a busy machine the second key may come too late to belong to the first.
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await expect(page).toHaveURL(/\/$/, { timeout: 2_000 })
  }).toPass()
})
