import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { live, ticketOf } from './member.ts'
import { open } from './open.ts'
import { visitingTraders } from './orders.ts'
import { quietMarket } from './trader.ts'

const { comeIn, leave } = visitingTraders()
test.afterEach(leave)

/** A wallet of nobody, to withdraw to. */
const ELSEWHERE = '0x000000000000000000000000000000000000dEaD'
const nameOf = () => `journey_${crypto.randomUUID().slice(0, 8)}`

/** Gives the browser an authenticator in software, as a phone with a screen lock has one; returns how to take its passkeys away. */
async function withAuthenticator(page: Page, address: string) {
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': address })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    forget: () => devtools.send('WebAuthn.clearCredentials', { authenticatorId }),
    /** What comes of a finger that the device does not know. */
    deny: (denied: boolean) => devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !denied }),
  }
}

/** Opens an account in the form that is open, and returns its name and recovery codes. */
async function signUp(page: Page) {
  const name = nameOf()
  await page.getByRole('button', { name: 'Create an account with a passkey' }).click()
  const field = page.getByLabel('Your name here')
  await expect(field).toHaveValue(/^[a-z]+_[a-z]+_\d{3}$/)
  await field.fill(name)
  await page.getByRole('button', { name: 'Create account' }).click()
  const codes = page.locator('[data-secret] code')
  await expect(codes).toHaveCount(10)
  const texts = await codes.allTextContents()
  await expectAccessible(page, 'recovery codes')
  await page.getByRole('button', { name: 'I have kept them in a safe place' }).click()
  return { name, codes: texts }
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.locator('#account').getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('link', { name: 'Sign in', exact: true })).toBeVisible()
}

test('a visitor without a wallet opens an account at the ticket, trades, leaves and comes back', async ({ page }) => {
  test.slow()
  await withAuthenticator(page, '203.0.113.61')
  const [market, maker] = await Promise.all([quietMarket(), comeIn()])
  await maker.place({ tokenId: market.no, side: 'BUY', price: '0.6', size: '100' })
  await page.goto(market.path)
  await live(page)
  const ticket = ticketOf(page)
  await ticket.getByLabel('Amount').fill('10')
  await ticket.getByRole('button', { name: 'Sign in to trade' }).click()
  const { name } = await signUp(page)
  await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: 30_000 })
  await ticket.getByRole('button', { name: /^Buy Yes · \$10\.\d\d$/ }).click()
  const confirm = ticket.getByRole('button', { name: /^Confirm/ })
  await expect(ticket.getByRole('status').or(confirm)).toBeVisible()
  if (await confirm.isVisible()) await confirm.click()
  await expect(ticket.getByRole('status')).toContainText(/Bought 24\.\d+ Yes at 40¢ on average/)

  await signOut(page)
  await open(page, '/login?next=/portfolio')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(/\/portfolio$/, { timeout: 30_000 })
  await expect(page.getByRole('button', { name: `Account of ${name}` })).toBeVisible()
  await expect(page.getByRole('table').getByRole('link').first()).toContainText('Yes')
})

test('a withdrawal is confirmed by the passkey: without it, the cookie of the member takes nothing out', async ({ page }) => {
  test.slow()
  const authenticator = await withAuthenticator(page, '203.0.113.62')
  await open(page, '/login?next=/money')
  await signUp(page)
  await expect(page).toHaveURL(/\/money$/, { timeout: 30_000 })
  // Where money travels by a chain, the faucet's deposit is credited a moment later.
  await expect(page.getByText('$1,000.00 available')).toBeVisible({ timeout: 60_000 })
  const sent = await page.evaluate(async (destination) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch('/api/withdrawals', { method: 'POST', headers, body: JSON.stringify({ amount: '5', destination }) })
    return { status: answer.status, ...(await answer.json()) }
  }, ELSEWHERE)
  expect(sent).toMatchObject({ status: 403, code: 'approval_required' })

  const withdraw = async () => {
    await page.getByLabel('Amount').last().fill('5')
    await page.getByLabel('To the address').fill(ELSEWHERE)
    await page.getByRole('button', { name: 'Withdraw $5.00' }).click()
    await page.getByRole('button', { name: 'Yes, withdraw' }).click()
  }
  await authenticator.deny(true)
  await withdraw()
  await expect(page.getByRole('alert').last()).toContainText('The withdrawal was not made.')
  await authenticator.deny(false)
  await withdraw()
  await expect(page).toHaveURL(/\/money\/[0-9a-f-]{36}$/)
})

test('a lost passkey is replaced by a recovery code, and then removed', async ({ page }) => {
  test.slow()
  const authenticator = await withAuthenticator(page, '203.0.113.63')
  await open(page, '/login?next=/settings/security')
  const { name, codes } = await signUp(page)
  await expect(page.getByRole('heading', { name: 'Ways to sign in' })).toBeVisible({ timeout: 30_000 })
  await signOut(page)
  await authenticator.forget()

  await open(page, '/login/recover')
  await page.getByLabel('Recovery code').fill('00000-00000-00000-00000-00000')
  await page.getByRole('button', { name: 'Add a new passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('The code is wrong, was used, or has expired.')
  await page.getByLabel('Recovery code').fill(codes[3]!)
  await page.getByRole('button', { name: 'Add a new passkey' }).click()
  await expect(page).toHaveURL(/\/settings\/security$/)
  await expect(page.getByRole('button', { name: `Account of ${name}` })).toBeVisible()
  await expect(page.getByText('Recovery codes left: 9')).toBeVisible()

  const removals = page.getByRole('button', { name: /^Remove / })
  await expect(removals).toHaveCount(2)
  await removals.first().click()
  await expect(removals).toHaveCount(1)
  await removals.first().click()
  await expect(page.getByRole('alert')).toContainText('It is the last way into this account.')

  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 780 })
    await expectAccessible(page, `ways to sign in at ${width}`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Name of the passkey').fill('My \u202Enew phone')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('My new phone', { exact: true })).toBeVisible()
})

test('what the device refuses is explained, and opens no account', async ({ page }) => {
  const authenticator = await withAuthenticator(page, '203.0.113.64')
  await authenticator.deny(true)
  await open(page, '/login')
  await page.getByRole('button', { name: 'Create an account with a passkey' }).click()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('alert')).toContainText('No account was created.', { timeout: 60_000 })
  await expect(page.getByRole('alert')).toContainText('No money moved.')
  await expect(page.getByRole('link', { name: 'Sign in', exact: true })).toBeVisible()
})
