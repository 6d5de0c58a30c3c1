import { expect, type Page, test } from '@playwright/test'
import { whileAdmin } from './admins.ts'
import { becomeMember } from './member.ts'
import { open } from './open.ts'

const RULES = 'This resolves to Yes if the log of the house says so before the end, which is at 12:00 UTC. Else it resolves to No.'

/** Begins a draft of a mode and says what it is about; ends where its structure is asked. */
async function begin(page: Page, mode: RegExp, title: string): Promise<void> {
  await open(page, '/admin/create')
  await page.getByRole('button', { name: mode }).click()
  await expect(page).toHaveURL(/\/admin\/create\/[0-9a-f-]{36}$/)
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Ends (UTC)').fill('2031-05-01T12:00')
  await page.getByLabel('Category').selectOption('world')
  await next(page)
  await expect(page.getByRole('heading', { name: 'Structure' })).toBeInViewport()
}

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click()

/** Writes the rules, publishes, and goes to the event. */
async function publish(page: Page): Promise<void> {
  await next(page)
  await page.getByLabel('Rules', { exact: false }).first().fill(RULES)
  await next(page)
  await expect(page.getByRole('heading', { name: 'Review', exact: true })).toBeVisible() // the draft was saved first
  await next(page)
  await expect(page.getByRole('heading', { name: 'Publish' })).toBeVisible()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByText(/It is published/)).toBeVisible({ timeout: 30_000 })
  await page.getByRole('link', { name: 'See the event' }).click()
}

test('an operator makes a question that comes again every week, and several that are decided by themselves', async ({ page }) => {
  test.setTimeout(120_000)
  const mark = Date.now() % 1_000_000
  await becomeMember(page, '/status')
  await whileAdmin(page, async () => {
    await test.step('one question, which comes again', async () => {
      await begin(page, /^One question/, `Does lamp ${mark} shine on {date}?`)
      await page.getByLabel('Comes again').selectOption('weekly')
      await expect(page.getByLabel('Preview')).toContainText(`Does lamp ${mark} shine on 1 May 2031?`)
      await publish(page)
      await expect(page).toHaveURL(new RegExp(`/event/does-lamp-${mark}-shine-on-2031-05-01$`))
      await expect(page.getByRole('heading', { level: 1, name: `Does lamp ${mark} shine on 1 May 2031?` })).toBeVisible()
      await page.goto(`/series/does-lamp-${mark}-shine-on`)
      await expect(page).toHaveURL(/-2031-05-01$/)
      await open(page, '/admin/create')
      const series = page
        .getByRole('row')
        .filter({ hasText: 'weekly, next on' })
        .filter({ hasText: `does-lamp-${mark}` })
      await series.getByRole('button', { name: 'Stop' }).click()
      await expect(page.getByText('It does not come again.')).toBeVisible()
      await expect(series.getByRole('button', { name: 'Go on' })).toBeVisible()
    })

    await test.step('several questions, each with a market of its own', async () => {
      await begin(page, /^Several questions/, `Which bells ring, ${mark}?`)
      for (const [i, bell] of ['Great bell', 'Small bell'].entries()) {
        await page.getByRole('button', { name: 'Add an option' }).click()
        await page.getByPlaceholder('As a row shows it').nth(i).fill(bell)
        await page.getByPlaceholder('Will this happen?').nth(i).fill(`Does the ${bell.toLowerCase()} ring, ${mark}?`)
      }
      await publish(page)
      await expect(page.getByRole('heading', { level: 1, name: `Which bells ring, ${mark}?` })).toBeVisible()
      await expect(page.getByText('Great bell').first()).toBeVisible()
      await expect(page.getByText('Small bell').first()).toBeVisible()
      await expect(page.getByRole('region', { name: 'Resolution' })).toContainText('Great bell') // whose it is, of two
      await page.goto('/admin/create')
      const made = page.getByRole('row').filter({ hasText: `Which bells ring, ${mark}?` })
      await expect(made.getByRole('link', { name: 'See it' })).toBeVisible()
    })
  })
})

test('a draft whose save got no answer is saved on, and leaving unsaved text asks first', async ({ page }) => {
  await becomeMember(page, '/status')
  await whileAdmin(page, async () => {
    await open(page, '/admin/create')
    await page.getByRole('button', { name: /^One question/ }).click()
    await expect(page).toHaveURL(/\/admin\/create\/[0-9a-f-]{36}$/)
    const address = page.url()
    const title = page.getByLabel('Title')
    const saves = '**/trpc/adminSaveDraft'
    await page.route(saves, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await title.fill('Is the first word lost?')
    await expect(page.getByRole('alert')).toContainText('No answer came')
    await page.unroute(saves)
    await title.fill('Is the second word lost?')
    await expect(page.getByRole('main').getByText('Saved', { exact: true })).toBeVisible()

    await page.setViewportSize({ width: 360, height: 780 })
    await title.fill(`Is a word of ${'m'.repeat(40)} letters lost?`)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toContainText('mmm')
    expect(await heading.evaluate((element) => element.getBoundingClientRect().right)).toBeLessThanOrEqual(360)
    await page.setViewportSize({ width: 1280, height: 720 })

    await page.route(saves, (route) => route.abort())
    await title.fill('Is the third word lost?')
    const away = page.getByRole('link', { name: 'Categories', exact: true })
    await away.click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Keep things as they are' }).click()
    await expect(question).toHaveCount(0)
    await expect(title).toHaveValue('Is the third word lost?')
    await page.unroute(saves)
    await away.click()
    await expect(page).toHaveURL(/\/admin\/categories$/)
    await open(page, address)
    await expect(title).toHaveValue('Is the third word lost?')

    await page.route(saves, (route) => route.abort())
    await title.fill('Is the fourth word lost?')
    await away.click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expect(page).toHaveURL(/\/admin\/categories$/)
  })
})

test('a field that keeps a draft from being saved is named, and what is done while the site goes away leaves the page', async ({
  page,
}) => {
  await becomeMember(page, '/status')
  await whileAdmin(page, async () => {
    const title = `Is it empty, ${Date.now() % 1_000_000}?`
    await begin(page, /^One question/, title)
    const smallest = page.getByLabel('Smallest order, in shares')
    await smallest.fill('')
    await expect(page.getByRole('listitem').filter({ hasText: 'Smallest order, in shares: expected a whole number' })).toBeVisible()
    await smallest.fill('7')
    await expect(page.getByRole('main').getByText('Saved', { exact: true })).toBeVisible()
    await expect(page.getByText('expected a whole number')).toHaveCount(0)

    await open(page, '/admin/create')
    const row = page.getByRole('row').filter({ hasText: title })
    const site = /__data\.json|trpc\/getSession/
    await page.route(site, (route) => route.abort())
    await row.getByRole('button', { name: 'Throw away' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Throw away' }).click()
    await expect(page.getByText('The draft is gone.')).toBeVisible()
    await expect(row).toBeVisible()
    await page.unroute(site)
    await page.reload()
    await expect(row).toHaveCount(0)
  })
})
