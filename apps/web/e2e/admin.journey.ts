import { issueAdminClaim } from '@augury/platform/admin/admins'
import { openPlatform } from '@augury/platform/platform'
import { webSettings } from '@augury/settings/env'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { becomeMember } from './member.ts'

/** The link that `npm start` prints. It makes one admin: this file is one journey. */
async function claimLink(): Promise<string> {
  const platform = await openPlatform(webSettings().databaseUrl)
  try {
    return `/admin?claim=${await issueAdminClaim(platform, [])}`
  } finally {
    await platform.close()
  }
}

const save = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('an operator makes the site theirs, and an event on it, in the browser alone', async ({ page, browser }) => {
  test.setTimeout(240_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))

  await test.step('the link of the first start makes an admin', async () => {
    await becomeMember(page, '/status')
    await page.goto('/admin')
    await expect(page).toHaveURL(/\/login\?next=%2Fadmin/)
    await page.goto(await claimLink())
    await expect(page).toHaveURL(/\/admin$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  })

  await test.step('the name of the site changes for everybody at once, and back', async () => {
    await page.goto('/admin/settings/general')
    await page.getByLabel('Name', { exact: true }).fill('Oracle House')
    await save(page, 'Save')
    await expect(page.getByText('Saved. Everybody sees it now.')).toBeVisible()
    const stranger = await browser.newPage()
    await stranger.goto('/')
    await expect(stranger.getByRole('banner').getByText('Oracle House')).toBeVisible()
    await stranger.close()
    await page.goto('/admin/audit')
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await expect(page.getByText('Undone.')).toBeVisible()
    await page.getByRole('button', { name: 'Verify the chain' }).click()
    await expect(page.getByText(/entries follow from each other/)).toBeVisible()
  })

  await test.step('a theme that cannot be read is not published; its nearest one is', async () => {
    await page.goto('/admin/theme')
    await page.getByRole('button', { name: 'paper' }).click()
    await page.getByLabel('text-3', { exact: true }).fill('#d0c8b8')
    await expect(page.getByText('cannot be read by everybody')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled()
    await page.getByRole('button', { name: 'Take the nearest colours that can' }).click()
    await expect(page.getByText('readable')).toBeVisible()
    await save(page, 'Publish')
    await expect(page.getByText('Everybody sees it now.')).toBeVisible()
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--bg'))
    await page.goto('/status')
    expect(await background()).toContain('faf7f0')
    await page.goto('/admin/theme')
    await page.getByRole('button', { name: 'default' }).click()
    await save(page, 'Publish')
    await expect(page.getByText('Everybody sees it now.')).toBeVisible()
  })

  await test.step('an event of which exactly one option wins is made, traded and decided', async () => {
    await page.goto('/admin/create')
    await page.getByRole('button', { name: /^Exactly one wins/ }).click()
    await expect(page).toHaveURL(/\/admin\/create\/[0-9a-f-]{36}$/)
    const title = `Which door opens first, ${Date.now() % 1_000_000}?`
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('Ends (UTC)').fill('2031-05-01T12:00')
    await page.getByLabel('Category').selectOption('world')
    await save(page, 'Next')
    for (const [i, door] of ['Left door', 'Right door', 'Another'].entries()) {
      await save(page, 'Add an option')
      await page.getByPlaceholder('As a row shows it').nth(i).fill(door)
      await page.getByPlaceholder('Will this one win?').nth(i).fill(`Will “${door}” open first?`)
    }
    await save(page, 'Next')
    await page
      .getByLabel('Rules', { exact: false })
      .first()
      .fill(
        'This market resolves to the door that the log of the house shows as opened first before May 1, 2031, 12:00 UTC. If none opens, it is “Another”.',
      )
    await page.getByLabel('Source', { exact: true }).fill('The log of the house')
    await page.getByLabel('Address of the source').fill('https://example.org/log')
    await save(page, 'Next')
    await save(page, 'Next')
    await save(page, 'Publish')
    await expect(page.getByText(/It is published/)).toBeVisible({ timeout: 30_000 })
    await page.getByRole('link', { name: 'See the event' }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByText('Right door').first()).toBeVisible()

    await page.goto('/admin/events')
    await page.getByRole('link', { name: title }).click()
    await save(page, 'Pause trading')
    await expect(page.getByText('Nobody trades it now; orders can be cancelled.')).toBeVisible()
    await save(page, 'Resume trading')
    await expect(page.getByText('It trades again.')).toBeVisible()
    await page.getByLabel(/How “Will “Right door” open first\?” ended/).selectOption('1')
    await page.getByLabel('Evidence').fill('The log, line 12.')
    await page.getByLabel('Hours in which somebody may object').fill('0')
    await page.getByLabel(/The source that the rules name/).check()
    await save(page, 'Propose the result')
    await expect(page.getByText(/^Proposed\./)).toBeVisible()
  })

  await test.step('every page of the house is accessible and fits a phone', async () => {
    const paths = [
      '',
      '/events',
      '/create',
      '/categories',
      '/users',
      '/admins',
      '/settings/general',
      '/settings/locales',
      '/theme',
      '/system',
      '/audit',
    ]
    for (const path of paths) {
      await page.setViewportSize({ width: 360, height: 780 })
      await page.goto(`/admin${path}`)
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${path} ${id}: ${nodes.map(({ html }) => html).join('\n')}`)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path).toBe(true)
    }
  })
  expect(complaints).toEqual([])
})
