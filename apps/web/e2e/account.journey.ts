import { totpCode } from '@augury/client/totp'
import { expect, test } from '@playwright/test'
import { becomeMember, live, ticketOf } from './member.ts'
import { open } from './open.ts'
import { newTrader, quietMarket } from './trader.ts'

test('an API key whose answer was lost is given by the next press, and is one key', async ({ page }) => {
  await becomeMember(page, '/settings/api-keys')
  // The exchange is asked from another origin, where no page may say which address it comes from.
  await page.context().setExtraHTTPHeaders({})
  let isLost = true
  await page.route('**/auth/api-key', async (route) => {
    if (!isLost || route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort()
  })
  await page.getByLabel('Name').fill('market maker')
  const create = page.getByRole('button', { name: 'Create key' })
  await create.click()
  await expect(page.getByText('The key may have been made or not.')).toBeVisible() // all that it asks again by itself is lost too
  isLost = false
  await create.click()
  await expect(page.getByText('These secrets are shown this once.')).toBeVisible()
  await expect(page.getByRole('row', { name: /market maker/ })).toHaveCount(1)
  await expect(page.getByText('Secrets cannot be shown again.')).toBeVisible()

  // What cannot be given back is asked for first.
  const revoke = page.getByRole('button', { name: 'Revoke market maker' })
  await revoke.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await revoke.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(page.getByRole('row', { name: /market maker/ })).toHaveCount(0)
})

test('the secret of a key stays on the page when the site went away meanwhile, and the next key is another one', async ({ page }) => {
  await becomeMember(page, '/settings/api-keys')
  await page.context().setExtraHTTPHeaders({})
  const site = /__data\.json|trpc\/getSession/
  await page.route(site, (route) => route.abort())
  const secrets = page.getByText('These secrets are shown this once.')
  for (const name of ['first', 'second']) {
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Create key' }).click()
    await expect(secrets).toBeVisible()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await expect(secrets).toHaveCount(0)
  }
  await page.unroute(site)
  await page.reload()
  for (const name of ['first', 'second']) await expect(page.getByRole('row', { name: new RegExp(`^${name} `) })).toHaveCount(1)
})

test('what was done stays told when the site went away meanwhile', async ({ page }) => {
  await becomeMember(page, '/money')
  await page.route('**/__data.json*', (route) => route.abort())
  await page.route('**/trpc/getSession*', (route) => route.abort())
  const asked = page.waitForEvent('requestfailed', (request) => request.url().includes('getSession'))
  await page.getByRole('button', { name: 'Get $100.00' }).click()
  await asked
  await expect(page.getByRole('button', { name: 'Get $100.00' })).toHaveAttribute('aria-disabled', 'false')
  await expect(page.getByRole('status').filter({ hasText: '$100.00' })).toBeVisible()
})

test('an address beyond the end of a list leads to where the list begins', async ({ page }) => {
  await becomeMember(page, '/money')
  await page.goto('/notifications?offset=500')
  await expect(page).toHaveURL(/\/notifications$/)
  await page.goto('/portfolio?tab=history&kind=transfers&offset=500')
  await expect(page).toHaveURL(/\/portfolio\?tab=history&kind=transfers$/)
  await expect(page.getByRole('table')).toContainText('Deposit')
})

test('the maker of a trade finds their own side on their profile', async ({ page }) => {
  const [market, other] = await Promise.all([quietMarket(), newTrader()])
  await becomeMember(page, market.path)
  await live(page)
  const ticket = ticketOf(page)
  await ticket.getByLabel('Order type').selectOption('limit GTC')
  await ticket.getByLabel('Limit price').fill('20')
  await ticket.getByLabel('Shares', { exact: true }).fill('10')
  await ticket.getByRole('button', { name: /^Buy Yes/ }).click()
  await expect(ticket.getByRole('status')).toContainText('10 shares wait')
  await other.client.placeOrder({ body: { tokenId: market.no, side: 'BUY', orderType: 'FAK', price: '0.8', size: '10' } })

  const { address } = await (await page.request.get('/api/auth/session')).json()
  await expect(async () => {
    await open(page, `/u/${address}`)
    await expect(page.getByRole('region', { name: 'Latest trades' })).toContainText('Bought 10 Yes at 20¢', { timeout: 2_000 })
  }).toPass()
})

test('the second factor is turned on step by step, and its button leads to the step that is missing', async ({ page }) => {
  await becomeMember(page, '/settings/security')
  await page.getByRole('button', { name: 'Set up an authenticator' }).click()
  await expect(page.getByRole('heading', { name: 'Scan this' })).toBeFocused()
  const turnOn = page.getByRole('button', { name: 'Turn on' })
  await turnOn.click()
  const kept = page.getByLabel('I have kept them in a safe place')
  await expect(kept).toBeFocused()
  await kept.check()
  await turnOn.click()
  const code = page.getByLabel('Code of the authenticator')
  await expect(code).toBeFocused()
  await code.fill('12345')
  await turnOn.click()
  await expect(page.getByRole('alert')).toContainText('The second factor was not turned on.')
  await expect(code).toBeFocused()
  await code.fill(await totpCode((await page.locator('[data-secret]').textContent())!))
  await turnOn.click()
  await expect(page.getByRole('status').filter({ hasText: 'On. Sign-ins and withdrawals ask for a code.' })).toBeFocused()
})

test('closing the dialog for a fresh proof returns the focus to the pressed button', async ({ page }) => {
  await becomeMember(page, '/settings/profile')
  const refusal = { error: 'This needs a fresh proof.', code: 'step_up_required' }
  await page.route('**/trpc/changeEmail', (route) =>
    route.fulfill({ status: 403, json: { error: { message: refusal.error, data: { refusal } } } }),
  )
  const card = page.getByRole('region', { name: 'E-mail' })
  await card.getByRole('textbox').fill('ada@example.org')
  const save = card.getByRole('button', { name: 'Save' })
  await save.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Is it still you?' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(save).toBeFocused()
})

test('a phone shows of the leaderboard what the places are by', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  for (const [by, shown, hidden] of [
    ['vol', 'Volume', 'Gain or loss'],
    ['pnl', 'Gain or loss', 'Volume'],
  ] as const) {
    // The first trades of the sandbox are counted within a minute.
    await expect(async () => {
      await open(page, `/leaderboard?by=${by}`)
      await expect(page.getByRole('columnheader', { name: shown })).toBeVisible({ timeout: 2_000 })
    }).toPass()
    await expect(page.getByRole('columnheader', { name: hidden })).toBeHidden()
  }
})

test('an age grows while its page is looked at', async ({ page }) => {
  await becomeMember(page, '/settings/devices')
  await page.clock.install()
  await open(page, '/settings/devices')
  const age = page.getByRole('main').locator('time').first()
  await expect(age).toHaveText(/^(now|\d+ s ago)$/)
  await page.clock.fastForward('05:00')
  await expect(age).toHaveText('5 min ago')
})

test('a member who disabled trading is led to where it is enabled again', async ({ page }) => {
  await becomeMember(page, '/settings/devices')
  await page.getByRole('button', { name: 'Disable trading everywhere' }).click()
  await page.getByRole('button', { name: 'Yes, disable on every device' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Enable trading here' }).click()
  await expect(page.getByRole('main').getByRole('button', { name: /Enable trading|Sandbox wallet/ })).toBeVisible()
})

test('the news of the bell stand in the middle of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await becomeMember(page, '/portfolio')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const box = (await page.locator('[popover]:popover-open').boundingBox())!
  expect([box.x, 360 - box.x - box.width]).toEqual([16, 16])
})

test('a switch of the notifications goes back where nothing came of it', async ({ page }) => {
  await becomeMember(page, '/settings/notifications')
  await page.route('**/trpc/muteNotifications*', (route) => route.abort())
  const orders = page.getByRole('switch', { name: /^Your orders/ })
  await orders.click()
  await expect(page.getByText('Your choice was not kept.').or(page.getByText('No answer came.')).first()).toBeVisible()
  await expect(orders).toBeChecked()

  const device = page.getByRole('switch', { name: 'Show system messages' })
  await device.click()
  await expect(page.getByText('Your browser does not allow it.')).toBeVisible()
  await expect(device).not.toBeChecked()
})
