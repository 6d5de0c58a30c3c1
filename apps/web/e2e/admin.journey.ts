import { issueAdminClaim } from '@augury/platform/admin/admins'
import { openPlatform } from '@augury/platform/site/platform'
import { webSettings } from '@augury/settings/env'
import { expect, test } from '@playwright/test'
import { sections } from '../src/lib/admin/sections.ts'
import { expectAccessible } from './accessible.ts'
import { press } from './admins.ts'
import { becomeMember, live, ticketOf } from './member.ts'
import { playModel } from './model.ts'
import { complaintsOf, open } from './open.ts'
import { findMarket, newTrader } from './trader.ts'

/** The link that `npm start` prints: it makes the first admin, so an earlier try leaves none. */
async function claimLink(): Promise<string> {
  const platform = await openPlatform(webSettings().databaseUrl)
  try {
    await platform.em().execute('delete from admin_wallet')
    return `/admin?claim=${await issueAdminClaim(platform, [])}`
  } finally {
    await platform.close()
  }
}

const DOORS = ['Left door', 'Right door', 'Another']
const MODEL_KEY = 'sk-or-v1-journey-abcd'
const PROPOSAL = {
  fields: {
    title: '<script>alert(1)</script>',
    rules: 'This market resolves to the door that the log of the house shows as opened first before May 1, 2031, 12:00 UTC.',
    resolution_source: 'The log of the house',
    resolution_source_url: 'https://example.org/log',
  },
  reasons: { rules: 'Two readers have to decide alike.' },
}
/** An untrusted logo: more than a picture. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 26" onload="alert(1)"><script>alert(1)</script><rect width="90" height="26" rx="6" fill="#0a6"/></svg>`

test('an operator makes the site theirs, and an event on it, in the browser alone', async ({ page, browser }) => {
  test.setTimeout(480_000)
  const complaints = complaintsOf(page)

  await test.step('the link of the first start makes an admin', async () => {
    await becomeMember(page, '/status')
    await page.goto('/admin')
    await expect(page).toHaveURL(/\/login\?next=%2Fadmin/)
    await page.goto(await claimLink())
    await expect(page).toHaveURL(/\/admin$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  })

  await test.step('the name of the site changes for everybody at once, and back', async () => {
    await open(page, '/admin/settings/general')
    await page.getByLabel('Name', { exact: true }).fill('Oracle House')
    await page.getByLabel('Logo', { exact: true }).setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) })
    await expect(page.getByText('2 changes not saved')).toBeVisible() // drawing and name; that it is a drawing was so before
    await press(page, 'Save')
    await expect(page.getByText('Saved. Everybody sees it now.')).toBeVisible()
    const stranger = await browser.newPage()
    await stranger.goto('/')
    await expect(stranger.getByRole('banner').getByText('Oracle House')).toBeVisible()
    const logo = decodeURIComponent((await stranger.getByRole('banner').locator('img').first().getAttribute('src'))!)
    expect(logo).toContain('#0a6')
    expect(logo).not.toMatch(/alert|onload/)
    await stranger.close()
    await open(page, '/admin/audit')
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await press(page, 'Undo it')
    await expect(page.getByText('Undone.')).toBeVisible()
    await page.getByRole('button', { name: 'Verify the chain' }).click()
    await expect(page.getByText(/entries follow from each other/)).toBeVisible()
  })

  await test.step('a theme that cannot be read is not published; its nearest one is', async () => {
    await open(page, '/admin/theme')
    await page.getByRole('button', { name: 'paper' }).click()
    await page.getByLabel('text-3', { exact: true }).fill('#d0c8b8')
    await expect(page.getByText('cannot be read by everybody')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled()
    await page.getByRole('button', { name: 'Take the nearest colours that can' }).click()
    await expect(page.getByText('readable')).toBeVisible()
    await press(page, 'Publish')
    await expect(page.getByText('Everybody sees it now.')).toBeVisible()
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--bg'))
    await page.goto('/status')
    expect(await background()).toContain('faf7f0')
    await open(page, '/admin/theme')
    await page.getByRole('button', { name: 'default' }).click()
    await press(page, 'Publish')
    await expect(page.getByText('Everybody sees it now.')).toBeVisible()
  })

  const title = `Which door opens first, ${Date.now() % 1_000_000}?`
  const question = (door: string) => `Will the ${door.toLowerCase()} open first, ${title.slice(-8, -1).trim()}?`
  await test.step('an event of which exactly one option wins is made, its rules drafted by a model and decided on by a person', async () => {
    const model = await playModel(PROPOSAL)
    try {
      await open(page, '/admin/settings/ai')
      await page.getByLabel('Key', { exact: true }).fill(MODEL_KEY)
      await press(page, 'Save')
      await expect(page.getByPlaceholder('••••abcd is kept')).toBeVisible()
      await open(page, '/admin/create')
      await page.getByRole('button', { name: /^Exactly one wins/ }).click()
      await expect(page).toHaveURL(/\/admin\/create\/[0-9a-f-]{36}$/)
      await page.getByLabel('Title').fill(title)
      await page.getByLabel('Ends (UTC)').fill('2031-05-01T12:00')
      await page.getByLabel('Category').selectOption('world')
      await press(page, 'Next')
      for (const [i, door] of DOORS.entries()) {
        await press(page, 'Add an option')
        await page.getByPlaceholder('As a row shows it').nth(i).fill(door)
        await page.getByPlaceholder('Will this one win?').nth(i).fill(question(door))
      }
      await press(page, 'Next')
      await press(page, 'Suggest with AI')
      const proposed = (name: string) =>
        page.getByRole('article').filter({ has: page.getByRole('heading', { name: new RegExp(`^${name} `) }) })
      await page.getByLabel('Rules, suggested').fill(`${PROPOSAL.fields.rules} If none opens, it is “Another”.`)
      for (const name of ['Rules', 'Source', 'Address of the source']) await proposed(name).getByRole('button', { name: 'Accept' }).click()
      await expect(page.getByLabel('Title, suggested')).toHaveValue('<script>alert(1)</script>') // shown as what it is
      await proposed('Title').getByRole('button', { name: 'Reject' }).click()
      await expect(page.getByRole('article').filter({ hasText: 'suggested' })).toHaveCount(0)
      await expect(page.getByLabel('Rules', { exact: false }).first()).toHaveValue(/^This market resolves .* it is “Another”\.$/)
      expect(model.keys).toEqual([`Bearer ${MODEL_KEY}`])
    } finally {
      await model.close()
    }
    await press(page, 'Next')
    await expect(page.getByRole('heading', { name: 'Review', exact: true })).toBeVisible() // the draft was saved first
    await press(page, 'Next')
    await expect(page.getByRole('heading', { name: 'Publish' })).toBeVisible()
    await press(page, 'Publish')
    await expect(page.getByText(/It is published/)).toBeVisible({ timeout: 30_000 })
    await page.getByRole('link', { name: 'See the event' }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByText('Right door').first()).toBeVisible()
  })

  const operator = await (await page.request.get('/api/auth/session')).json()
  const treasury = await newTrader()
  const cash = async () => (await treasury.client.getBalance({ query: { asset_type: 'COLLATERAL' } })).available
  const before = Number(await cash())
  await test.step('the operator says who gets the fees', async () => {
    await open(page, '/admin/settings/general')
    await page.getByLabel('Fee recipient').fill(treasury.address)
    await press(page, 'Save')
    await expect(page.getByText('Saved. Everybody sees it now.')).toBeVisible()
  })

  const context = await browser.newContext()
  const alice = await context.newPage()
  const ticket = ticketOf(alice)
  await test.step('a member who came by the operator’s link buys from another one', async () => {
    const [market, maker] = await Promise.all([findMarket(question('Right door')), newTrader()])
    await maker.placeFirst({ tokenId: market.no, side: 'BUY', price: '0.59', size: '7' })
    await alice.goto(`/r/${operator.affiliate_code}`)
    await becomeMember(alice, market.path)
    await live(alice)
    await ticket.getByRole('button', { name: 'Enter shares instead' }).click()
    await ticket.getByLabel('Shares', { exact: true }).fill('7')
    await ticket.getByRole('button', { name: /^Buy Yes/ }).click()
    await expect(ticket.getByRole('status')).toContainText('Bought 7 Yes at 41¢ on average.')
  })

  await test.step('the end of the event moves, which its page and those who hold shares learn', async () => {
    await open(page, `/admin/events?search=${encodeURIComponent(title)}`)
    await page.getByRole('link', { name: title }).click()
    await page.getByLabel('New end (UTC)').fill('2031-06-15T18:00')
    await page.getByLabel('Reason').fill('The doors are being painted.')
    await press(page, 'Move the end')
    await press(page, 'Move it')
    await expect(page.getByText('The end has moved.')).toBeVisible()
    await expect(page.getByRole('row', { name: /Right door.*Jun 15.*trading/ })).toBeVisible()
    await expect(async () => {
      await alice.goto('/notifications')
      await expect(alice.getByText('New end of trading')).toBeVisible({ timeout: 1000 })
      await expect(alice.getByText(/trading ends on .*Jun 15.*The doors are being painted\./)).toBeVisible({ timeout: 1000 })
    }).toPass({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Pause Left door' }).click()
    await press(page, 'Pause it')
    await expect(page.getByRole('row', { name: /Left door.*paused/ })).toBeVisible()
    await page.getByRole('button', { name: 'Resume Left door' }).click()
    await expect(page.getByRole('row', { name: /Left door.*trading/ })).toBeVisible()
    await press(page, 'Duplicate')
    await expect(page).toHaveURL(/\/admin\/create\/[0-9a-f-]{36}$/)
    await expect(page.getByLabel('Title')).toHaveValue(title)
    await expect(page.getByLabel('Ends (UTC)')).toHaveValue('')
    const market = await findMarket(question('Right door'))
    await alice.goto(market.path)
    await live(alice)
  })

  await test.step('a banned member cannot trade until the ban is lifted', async () => {
    const { address } = await (await alice.request.get('/api/auth/session')).json()
    const bid = async () => {
      await ticket.getByLabel('Order type').selectOption('limit GTC')
      await ticket.getByLabel('Limit price').fill('10')
      await ticket.getByLabel('Shares', { exact: true }).fill('5')
      await ticket.getByRole('button', { name: /^Buy Yes/ }).click()
    }
    await bid()
    const orders = alice.getByRole('region', { name: 'Your open orders' })
    await expect(orders).toContainText('0 of 5')
    await open(page, `/admin/users?search=${address}`)
    await page.getByRole('button', { name: 'Sessions' }).click()
    await page
      .getByRole('dialog', { name: /is signed in$/ })
      .getByRole('button', { name: 'Close' })
      .click()
    await page.getByRole('table').getByRole('button', { name: 'Ban' }).click()
    const sure = page.getByRole('dialog', { name: /^Ban / })
    await sure.getByLabel(/^Why/).fill('Bought from itself')
    await sure.getByRole('button', { name: 'Ban', exact: true }).click()
    await expect(page.getByText(/may not trade any more/)).toBeVisible()
    await expect(orders).toHaveCount(0)
    await bid()
    await expect(ticket.getByText('Ask the operator of this site.')).toBeVisible()
    await page.getByRole('button', { name: 'Lift ban' }).click()
    await page.getByRole('button', { name: 'Lift the ban', exact: true }).click()
    await expect(page.getByText('may trade again.')).toBeVisible()
    await bid()
    await expect(orders).toContainText('0 of 5')
  })

  await test.step('trading stops and goes on, the result is proposed with evidence, and the winner is paid', async () => {
    await open(page, '/admin/events')
    await page.getByRole('link', { name: title }).click()
    await press(page, 'Pause trading')
    await press(page, 'Pause it')
    await expect(page.getByText('Trading is paused. Orders can be cancelled.')).toBeVisible()
    await alice.reload()
    await expect(alice.getByRole('heading', { name: 'Trading is paused' })).toBeVisible()
    await expect(ticket).toContainText('The market is paused.')
    await press(page, 'Resume trading')
    await expect(page.getByText('It trades again.')).toBeVisible()
    await page.getByLabel(`How “${question('Right door')}” ended`).selectOption('1')
    await page.getByLabel('Evidence').fill('The log, line 12.')
    await page.getByLabel('Dispute window in hours').fill('0')
    await page.getByLabel(/The source that the rules name/).check()
    await press(page, 'Propose the result')
    await press(page, 'Propose it')
    await expect(page.getByText(/^Proposed\./)).toBeVisible()
    await expect(async () => {
      await alice.goto('/portfolio?tab=history')
      await expect(alice.getByRole('table')).toContainText('+$7.00', { timeout: 2_000 })
    }).toPass({ timeout: 60_000 })
    await context.close()
  })

  await test.step('the fee and the part of it that the link earned are booked to the millionth', async () => {
    await open(page, '/admin/system')
    const job = page.getByRole('row', { name: /^affiliates / })
    await expect(async () => {
      await job.getByRole('button', { name: 'Run now' }).press('Enter')
      await expect(page.getByText('The job affiliates ran.')).toBeVisible({ timeout: 5_000 })
    }).toPass({ timeout: 60_000 })
    await page.goto('/admin/affiliates')
    // 7 shares × 0.41 × 0.59 × 4 %, half of that for the link, and the rest for whom the operator named.
    const row = page.getByRole('row').filter({ hasText: operator.affiliate_code })
    await expect(row.getByTitle('$0.067732')).toHaveText('$0.07')
    await expect(row.getByTitle('$0.033866')).toHaveText('$0.03')
    expect(Number(await cash()) - before).toBe(33_866)
  })

  await test.step('every page of the house is accessible and fits a phone', async () => {
    const paths = ['/admin', ...sections.flatMap(({ pages }) => pages.map(({ href }) => href))]
    await page.setViewportSize({ width: 360, height: 780 })
    for (const path of paths) {
      await open(page, path)
      await expectAccessible(page, path)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path).toBe(true)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    for (const path of ['/admin/users', '/admin/events', '/admin/comments', '/admin/withdrawals']) {
      await open(page, path)
      const fits = await page.locator('.scroll').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)
      expect(fits, `${path}: all of its buttons are seen`).toBe(true)
    }
  })
  expect(complaints).toEqual([])
})
