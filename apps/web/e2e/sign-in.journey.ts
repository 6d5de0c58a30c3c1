import { totpCode } from '@augury/client/totp'
import { expect, type Page, test } from '@playwright/test'
import { press, whileAdmin } from './admins.ts'
import { becomeMember } from './member.ts'
import { listens, open } from './open.ts'

/** Calls the site as its own pages do. */
const call = (page: Page, path: string, body: unknown) =>
  page.evaluate(
    async ([to, sent]) => {
      const answer = await fetch(to, { method: 'POST', headers: { 'content-type': 'application/json' }, body: sent })
      return answer.json()
    },
    [path, JSON.stringify(body)] as const,
  )

test('with an authenticator, the wallet alone does not sign in; the next code does', async ({ page }) => {
  await becomeMember(page, '/portfolio')
  const { otpauthUri, recoveryCodes } = await call(page, '/api/auth/two-factor/enroll', {})
  await call(page, '/api/auth/two-factor/confirm', { code: await totpCode(otpauthUri) })

  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()

  await open(page, '/login?next=/portfolio')
  await page.getByRole('button', { name: /^Sandbox wallet/ }).click()
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  await expect(page.getByLabel('Code')).toBeFocused()
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toContainText('No money moved.')
  await expect(page.getByLabel('Code')).toBeFocused()

  await page.getByRole('button', { name: 'I lost my authenticator' }).click()
  await page.getByLabel('Recovery code').fill(`${recoveryCodes[0]}x`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toContainText('The recovery code is not right')
  await page.getByLabel('Recovery code').fill(recoveryCodes[0])
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/portfolio$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Portfolio' })).toBeVisible()
})

test('by the keyboard alone: in by the sandbox wallet', async ({ page }) => {
  test.slow()
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.40' })
  await open(page, '/login?next=/portfolio')
  const wallet = page.getByRole('button', { name: /^Sandbox wallet/ })
  for (let n = 0; n < 80 && !(await wallet.evaluate((button) => button === document.activeElement)); n++) await page.keyboard.press('Tab')
  await expect(wallet).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/portfolio$/, { timeout: 30_000 })
  await expect(page.getByRole('heading', { level: 1, name: 'Portfolio' })).toBeVisible()
})

test('wallets without an icon, or with a broken one, have a picture, and WalletConnect is not there without a project', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const provider = { request: async () => null }
    const icons = { None: undefined, Empty: 'data:,', Broken: 'data:image/png;base64,AAAA', Elsewhere: 'https://elsewhere.test/icon.png' }
    addEventListener('eip6963:requestProvider', () => {
      for (const [name, icon] of Object.entries(icons))
        dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info: { uuid: name, name, icon }, provider } }))
    })
  })
  const offered = page.waitForResponse('**/wallets')
  await open(page, '/login')
  expect(await (await offered).json()).toMatchObject({ chain: { chainId: '0x13882' }, walletConnect: null })
  for (const name of ['None', 'Empty', 'Broken', 'Elsewhere']) {
    const wallet = page.getByRole('button', { name: new RegExp(`^${name}`) })
    await expect(wallet.locator('svg')).toBeVisible()
    await expect(wallet.locator('img')).toHaveCount(0)
  }
  await expect(page.getByRole('button', { name: /WalletConnect/ })).toHaveCount(0)
  expect((await page.request.get('/login')).headers()['content-security-policy']).not.toContain('walletconnect')
})

test('with a project id a wallet on a phone can be chosen: its program is loaded then, and waiting for it can be stopped', async ({
  page,
}) => {
  const scripts: string[] = []
  page.on('request', (request) => void (request.resourceType() === 'script' && scripts.push(request.url())))
  await becomeMember(page, '/status')
  const project = async (id: string) => {
    await open(page, '/admin/settings/general')
    await page.getByLabel('WalletConnect project').fill(id)
    await press(page, 'Save')
    await expect(page.getByText('Saved.')).toBeVisible()
  }
  const visitor = await page.context().browser()!.newPage()
  await whileAdmin(page, async () => {
    await project('abcdef0123456789abcdef0123456789')
    try {
      visitor.on('request', (request) => void (request.resourceType() === 'script' && scripts.push(request.url())))
      const answer = await visitor.goto('/login')
      expect(answer!.headers()['content-security-policy']).toContain('wss://relay.walletconnect.org')
      await listens(visitor)
      const wallet = visitor.getByRole('button', { name: /^WalletConnect/ })
      await expect(wallet).toBeEnabled()
      const before = scripts.length
      await wallet.click()
      await expect.poll(() => scripts.length).toBeGreaterThan(before)
      await visitor.getByRole('button', { name: 'Cancel' }).click()
      await expect(visitor.getByText('You declined the request in your wallet. No money moved.')).toBeVisible()
      await expect(wallet).toBeEnabled()
    } finally {
      await project('')
      await visitor.close()
    }
  })
})

test('a wallet that says nothing is waited for in words, and one that says no gives the focus back', async ({ page }) => {
  await page.addInitScript(() => {
    const answer = Promise.withResolvers()
    Object.assign(window, { sayNo: () => answer.reject({ code: 4001 }) })
    const info = { uuid: 'slow', name: 'Slow wallet', rdns: 'org.example', icon: 'data:,' }
    const detail = { info, provider: { request: () => answer.promise } }
    addEventListener('eip6963:requestProvider', () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })))
  })
  await open(page, '/login')
  const wallet = page.getByRole('button', { name: /^Slow wallet/ })
  await wallet.press('Enter')
  await expect(page.getByText('Answer in your wallet.')).toBeVisible()
  await page.evaluate('sayNo()')
  await expect(page.getByText('You declined the request in your wallet. No money moved.')).toBeVisible()
  await expect(wallet).toBeFocused()
})

test('pages of members send visitors to sign in, and back', async ({ page }) => {
  await page.goto('/portfolio?tab=orders')
  await expect(page).toHaveURL(/\/login\?next=/)
  await listens(page)
  await page.getByRole('button', { name: /^Sandbox wallet/ }).click()
  await expect(page).toHaveURL(/\/portfolio\?tab=orders$/)
})

test('signing in never leads to another site', async ({ page }) => {
  for (const next of ['https://evil.example/', '//evil.example/', '/\\evil.example']) {
    await open(page, `/login?next=${encodeURIComponent(next)}`)
    await page.getByRole('button', { name: /^Sandbox wallet/ }).click()
    await expect(page).toHaveURL((url) => url.pathname === '/' && url.hostname === 'localhost')
    await page.context().clearCookies()
  }
})

test('play money comes from the faucet, a withdrawal has a page of its own', async ({ page }) => {
  await becomeMember(page, '/money')
  await page.getByRole('button', { name: 'Get $100.00', exact: true }).click()
  await expect(page.getByText('$100.00 of play money is in your account.')).toBeVisible()
  const amount = page.getByLabel('Amount')
  await amount.fill('9,500,000,000')
  await expect(amount).toHaveAccessibleDescription('That number is too large.')
  await amount.fill('25')
  await page.getByRole('button', { name: 'Withdraw $25.00' }).click()
  await page.getByRole('button', { name: 'Yes, withdraw' }).click()
  await expect(page).toHaveURL(/\/money\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { name: 'Withdrawal of $25.00' })).toBeVisible()
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: /Waiting|Approved|On its way/ })
      .first(),
  ).toBeVisible()
})

test('nothing is withdrawn to the address of zeros', async ({ page }) => {
  await becomeMember(page, '/money')
  await page.getByLabel('Amount').fill('25')
  const to = page.getByLabel('To the address')
  await to.fill(`0x${'0'.repeat(40)}`)
  await expect(to).toHaveAccessibleDescription('This address has no owner. Money sent there is lost.')
  await expect(page.getByRole('button', { name: 'Withdraw $25.00' })).toBeDisabled()
  await to.fill('0x12')
  await expect(to).toHaveAccessibleDescription(/^An address is 0x and 40/)
})

test('an error of the faucet stands apart from its buttons', async ({ page }) => {
  await becomeMember(page, '/money')
  await page.route('**/trpc/takeFromFaucet', (route) => route.abort())
  const last = page.getByRole('button', { name: 'Get $10,000.00' })
  await last.click()
  const note = page.locator('.trouble', { has: page.getByRole('alert') }).last()
  const { y } = (await note.boundingBox())!
  const button = (await last.boundingBox())!
  expect(y - button.y - button.height).toBeGreaterThan(8)
})

test('an error of a quote for another coin stands apart from its field', async ({ page }) => {
  await becomeMember(page, '/money')
  const integrate = async (name: string) => {
    await open(page, '/admin/settings/swap')
    await page.getByLabel('Integrator').fill(name)
    await press(page, 'Save')
    await expect(page.getByText('Saved.')).toBeVisible()
  }
  await whileAdmin(page, async () => {
    await integrate('journey')
    try {
      await page.route('**/trpc/swap.quote*', (route) => route.abort())
      await open(page, '/money')
      const card = page.getByRole('region', { name: 'From another coin or chain' })
      const field = card.getByLabel('Amount')
      await field.fill('12')
      await expect(card.getByRole('alert')).toBeVisible()
      const { y } = (await card.locator('.trouble').last().boundingBox())!
      const above = (await field.boundingBox())!
      expect(y - above.y - above.height).toBeGreaterThan(8)
    } finally {
      await integrate('')
    }
  })
})

test('a member says where to be written to, and reads it back', async ({ page }) => {
  await becomeMember(page, '/settings/profile')
  const card = page.getByRole('region', { name: 'E-mail' })
  await card.getByLabel('E-mail').fill('ada@example.org')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('This site sends no e-mail, so addresses are not verified.')).toBeVisible()
  await page.reload()
  await expect(card.getByLabel('E-mail')).toHaveValue('ada@example.org')
})

test('the advice after a missing answer is in the language of the page', async ({ page }) => {
  await becomeMember(page, '/settings/profile')
  await page.context().addCookies([{ name: 'locale', value: 'es', url: page.url() }])
  await open(page, '/settings/profile')
  await page.route('**/trpc/changeEmail', (route) => route.abort())
  const form = page.locator('form', { has: page.locator('input[type="email"]') })
  await form.getByRole('textbox').fill('ada@example.org')
  await form.getByRole('button').click()
  await expect(page.getByRole('alert')).toContainText('Vuelve a cargar esta página en un momento')
})

test('the page that confirms an e-mail says when its link is none, or no longer', async ({ page }) => {
  await page.goto('/confirm-email')
  await expect(page.getByText('Open the link in our email to come here.')).toBeVisible()
  await page.goto('/login')
  await page.goto(`/confirm-email#${'a'.repeat(43)}`)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('alert')).toContainText('Your e-mail was not confirmed.')
})

test('a member who comes to the page of signing in gets it, and is led on', async ({ page }) => {
  await becomeMember(page, '/status')
  const answer = await page.request.get('/login?next=/portfolio')
  expect(answer.status()).toBe(200)
  await page.goto('/login?next=/portfolio')
  await expect(page).toHaveURL(/\/portfolio$/)
})
