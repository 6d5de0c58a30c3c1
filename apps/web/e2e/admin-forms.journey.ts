import { openPlatform } from '@augury/platform/site/platform'
import { webSettings } from '@augury/settings/env'
import { expect, type Page, test } from '@playwright/test'
import { press, whileAdmin } from './admins.ts'
import { becomeMember } from './member.ts'
import { open } from './open.ts'

test('what an admin reads is English in every language of the site, and a date is typed as it is read', async ({ page }) => {
  await becomeMember(page, '/status')
  await whileAdmin(page, async () => {
    await page.context().addCookies([{ name: 'locale', value: 'ar', url: page.url() }])
    await open(page, '/admin/settings/announcement')
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    const lead = page.getByText(/^A text at the top of every page/)
    await expect(lead).toHaveCSS('direction', 'ltr')
    expect(await lead.evaluate((element) => element.closest('[lang]')?.getAttribute('lang'))).toBe('en')
    // The arrow of a choice is painted where its text ends.
    await expect(page.locator('label.choice select')).toHaveCSS('background-position', /^calc\(100% - 15px\)/)
    const until = page.getByLabel('Until, in UTC')
    await until.focus()
    await page.keyboard.type('050120311230PM')
    await expect(until).toHaveValue('2031-05-01T12:30')

    await open(page, '/admin/theme')
    const [light, dark] = ['Light', 'Dark'].map((name) => page.getByRole('tab', { name }))
    await light!.press('ArrowRight')
    await expect(dark!).toBeFocused()
    await expect(page.getByRole('tabpanel', { name: 'Dark' })).toBeVisible()
    await expect(light!).toHaveAttribute('tabindex', '-1')
    await dark!.press('Home')
    await expect(page.getByRole('tabpanel', { name: 'Light' })).toBeVisible()
    await page.route('**/trpc/adminCheckTheme', (route) => route.abort())
    await page.getByLabel('text-3', { exact: true }).fill('#333333')
    await expect(page.getByText('These colours could not be checked')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled()
    await page.unroute('**/trpc/adminCheckTheme')
    await page.getByLabel('text-3', { exact: true }).fill('#33333')
    await expect(page.getByText('A colour is not written as')).toBeVisible()
    await page.getByLabel('text-3', { exact: true }).fill('#333333')
    await expect(page.getByText('Every text and sign stands out enough')).toBeVisible()
  })
})

test('a name and a logo as wide as they may be leave every tool of the header on a phone', async ({ page }) => {
  await becomeMember(page, '/status')
  await whileAdmin(page, async () => {
    await open(page, '/admin/settings/general')
    const name = await page.getByLabel('Name', { exact: true }).inputValue()
    const width = 900 + (Date.now() % 90) // other than an earlier try left
    const wide = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 26"><rect width="900" height="26" fill="#0a6"/></svg>`
    await page.getByLabel('Name', { exact: true }).fill(`The Exchange of Everything That May Yet Come True ${width}`)
    await page.getByLabel('Logo', { exact: true }).setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(wide) })
    await expect(page.getByText('2 changes not saved')).toBeVisible()
    await press(page, 'Save')
    await expect(page.getByText('Saved. Everybody sees it now.')).toBeVisible()
    await page.setViewportSize({ width: 360, height: 780 })
    await open(page, '/status')
    const [header, account] = [page.getByRole('banner'), page.getByRole('button', { name: /^Account of/ })]
    const [bar, button] = [(await header.boundingBox())!, (await account.boundingBox())!]
    expect(button.x + button.width).toBeLessThanOrEqual(360)
    const logo = (await header.getByRole('link').first().boundingBox())!
    expect(logo.y + logo.height).toBeLessThanOrEqual(bar.y + bar.height)
    await open(page, '/admin/settings/general')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Take it away: Logo' }).click()
    await press(page, 'Save')
    await expect(page.getByText('Saved. Everybody sees it now.')).toBeVisible()
  })
})

/** Ages the session of a page by an hour, after which irreversible actions ask for a fresh proof. */
async function anHourPasses(page: Page): Promise<void> {
  const { address } = await (await page.request.get('/api/auth/session')).json()
  const platform = await openPlatform(webSettings().databaseUrl)
  try {
    await platform
      .em()
      .execute(`update session set proven_at = now() - interval '1 hour' where user_id = (select id from users where address = ?)`, [
        address.toLowerCase(),
      ])
  } finally {
    await platform.close()
  }
}

test('a proof that is asked for within a form is left and given without sending the form again', async ({ page }) => {
  await becomeMember(page, '/status')
  await whileAdmin(page, async () => {
    await open(page, '/admin/settings/general')
    await anHourPasses(page)
    let sent = 0
    page.on('request', (request) => (sent += request.url().includes('adminPutGeneralSettings') ? 1 : 0))
    const before = await page.getByLabel('Description').inputValue()
    await page.getByLabel('Description').fill(`Proved, ${Date.now()}`)
    await press(page, 'Save')
    const dialog = page.getByRole('dialog', { name: 'Is it still you?' })
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toHaveCount(0)
    expect(sent).toBe(1)
    await press(page, 'Save')
    await dialog.getByRole('button', { name: /^Sandbox wallet/ }).click()
    await expect(page.getByText('Saved. Everybody sees it now.')).toBeVisible()
    expect(sent).toBe(3)
    await page.getByLabel('Description').fill(before)
    await press(page, 'Save')
    await expect(page.getByText('not saved')).toHaveCount(0)
  })
})

test('an event is moved to another category, with a picture and a series; what is thrown away is asked for first', async ({ page }) => {
  await becomeMember(page, '/status')
  await whileAdmin(page, async () => {
    await open(page, '/admin/events?activeOnly=true&sortBy=volume&search=?')
    const link = page.getByRole('table').getByRole('link').first()
    await link.click()
    await expect(page.getByRole('heading', { name: 'Where it is found' })).toBeVisible()
    const category = page.getByRole('combobox', { name: /^Category/ })
    const before = await category.inputValue()
    await category.selectOption(before === 'world' ? 'tech' : 'world')
    await page.getByRole('combobox', { name: /^Series/ }).fill('moved-by-a-journey')
    const picture = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#0a6"/></svg>')
    await expect(page.getByText('Drawn from the title')).toBeVisible()
    await page.getByLabel('Upload a file').setInputFiles({ name: 'picture.svg', mimeType: 'image/svg+xml', buffer: picture })
    await press(page, 'Store this square')
    await expect(page.getByText('Its own picture')).toBeVisible()
    await press(page, 'Save where it is found')
    await expect(page.getByText('Saved. Everybody finds it there now.')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('combobox', { name: /^Series/ })).toHaveValue('moved-by-a-journey')
    await expect(page.getByText('event changed')).not.toHaveCount(0)
    await page.getByRole('link', { name: 'See it' }).click()
    await expect(page).toHaveURL(/\/event\//)
    await expect(page.getByRole('main').locator('img[src^="/uploads/"]').first()).toBeVisible()

    await open(page, '/admin/audit')
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await press(page, 'Undo it')
    await expect(page.getByText('Undone.')).toBeVisible()

    await open(page, '/admin/create')
    await page.getByRole('button', { name: /^One question/ }).click()
    await expect(page).toHaveURL(/\/admin\/create\/[0-9a-f-]{36}$/)
    await open(page, '/admin/create')
    const drafts = page.getByRole('link', { name: 'Without a title' })
    const count = await drafts.count()
    await page.getByRole('button', { name: 'Throw away' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep things as they are' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(drafts).toHaveCount(count)
    await page.getByRole('button', { name: 'Throw away' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Throw away' }).click()
    await expect(page.getByText('The draft is gone.')).toBeVisible()
    await expect(drafts).toHaveCount(count - 1)
  })
})

test('what a member takes out is paid: by the vault, or where there is none by an admin, who says so once', async ({ page }) => {
  await becomeMember(page, '/money')
  for (const amount of ['25.005', '30.001']) {
    await open(page, '/money')
    await page.getByLabel('Amount').fill(amount)
    await page.getByRole('button', { name: `Withdraw $${amount}` }).click()
    await press(page, 'Yes, withdraw')
    await expect(page).toHaveURL(/\/money\/[0-9a-f-]{36}$/)
  }
  const mine = page.url()
  const { place } = await (await page.request.get('/api/chain')).json()
  if (place === null) await payByHand(page)
  // The worker hears of a payment within fifteen seconds.
  await expect(async () => {
    await open(page, mine)
    await expect(page.getByText('The money has left.')).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 60_000 })
})

/** Says of two withdrawals of the page's member that one was paid, and gives the other back. */
async function payByHand(page: Page): Promise<void> {
  await whileAdmin(page, async () => {
    const { address } = await (await page.request.get('/api/auth/session')).json()
    await open(page, `/admin/withdrawals?search=${address}`)
    const rows = page.getByRole('table').getByRole('row')
    await expect(rows).toHaveCount(3)
    await rows.filter({ hasText: '$30.001' }).getByRole('button', { name: 'It was paid' }).click()
    await press(page, 'They were paid')
    await expect(page.getByText('It is completed.')).toBeVisible()
    await expect(rows).toHaveCount(2)
    await rows.filter({ hasText: '$25.005' }).getByRole('button', { name: 'Give it back' }).click()
    await press(page, 'Give them back')
    await expect(page.getByText('The account has it again.')).toBeVisible()
    await expect(page.getByText('Nothing waits.')).toBeVisible()
  })
}

test('a member gets another name, after one that is taken, and what was done to them is one press away', async ({ page, browser }) => {
  const taken = `taken_${Date.now() % 1_000_000}`
  const other = await (await browser.newContext()).newPage()
  await becomeMember(other, '/settings/profile')
  await other.getByRole('textbox', { name: 'Name' }).fill(taken)
  await other.getByRole('textbox', { name: 'Name' }).press('Enter')
  await expect(other.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await other.close()
  await becomeMember(page, '/status')
  const { address } = await (await page.request.get('/api/auth/session')).json()
  await whileAdmin(page, async () => {
    await open(page, `/admin/users?search=${address}`)
    const name = `renamed_${Date.now() % 1_000_000}`
    await press(page, 'Change')
    const form = page.getByRole('dialog', { name: /^Change / })
    await form.getByLabel('Name').fill(taken)
    await form.getByLabel('E-mail').fill(`${taken}@example.org`)
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByRole('alert')).toContainText('This name is taken.')
    await expect(form.getByLabel('E-mail')).toHaveValue(`${taken}@example.org`)
    await form.getByLabel('Name').fill(name)
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved.')).toBeVisible()
    await expect(page.getByRole('table')).toContainText(name)
    await page.getByRole('link', { name: 'Log', exact: true }).click()
    await expect(page.getByText('member changed').last()).toBeVisible()
    await page.getByRole('link', { name: 'Of everybody' }).click()
    await expect(page).toHaveURL(/\/admin\/audit$/)
  })
})

test('the page of a job that runs stays while the site is away, and tells of its end; titles of tables stand by their rows', async ({
  page,
}) => {
  await becomeMember(page, '/status')
  const platform = await openPlatform(webSettings().databaseUrl)
  const running = async (name: string, is: boolean) => {
    const lease = is ? `holder = uuidv7(), heartbeat_at = now()` : 'holder = null, heartbeat_at = null'
    await platform.em().execute(`update sync_job set ${lease} where name = ?`, [name])
    if (is)
      await platform
        .em()
        .execute(
          `insert into sync_run (id, job_name, scheduler, started_at) select holder, name, 'test', now() from sync_job where name = ?`,
          [name],
        )
    else
      await platform
        .em()
        .execute(`update sync_run set state = 'finished', finished_at = now() where job_name = ? and state = 'running'`, [name])
  }
  try {
    await whileAdmin(page, async () => {
      await running('cleaning', true)
      await page.setViewportSize({ width: 360, height: 780 })
      await open(page, '/admin/system')
      const [title, row] = [page.getByRole('heading', { name: 'Jobs' }), page.getByRole('row', { name: /^cleaning / })]
      const [above, below] = [(await title.boundingBox())!, (await page.getByRole('table').first().boundingBox())!]
      expect(below.y - above.y - above.height).toBeLessThanOrEqual(12)

      await row.getByRole('button', { name: 'Run now' }).click()
      await expect(page.getByText('The job cleaning runs.')).toBeVisible()
      let asked = 0
      const site = /__data\.json|trpc\/getSession/
      await page.route(site, (route) => {
        asked += 1
        return route.abort()
      })
      await expect.poll(() => asked).toBeGreaterThan(1)
      await expect(title).toBeVisible()
      await running('cleaning', false)
      await page.unroute(site)
      await expect(page.getByText('The job cleaning ran.')).toBeVisible()
    })
  } finally {
    await running('cleaning', false)
    await platform.close()
  }
})

test('what is typed of a category while it is being saved stays, and is still to be saved', async ({ page }) => {
  await becomeMember(page, '/status')
  await whileAdmin(page, async () => {
    await open(page, '/admin/categories')
    await page.getByRole('button', { name: 'More' }).first().click()
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Save', exact: true }) })
    const name = form.getByLabel('Name')
    const before = await name.inputValue()
    await page.route('**/trpc/adminUpdateCategory', async (route) => {
      await name.fill(before)
      await route.continue()
    })
    await name.fill(`${before} too`)
    await press(page, 'Save')
    await expect(page.getByText(/was changed\.$/)).toBeVisible()
    await expect(name).toHaveValue(before)
    await press(page, 'Save')
    await expect(form.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  })
})
