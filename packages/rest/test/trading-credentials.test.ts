import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { enable, enabling, fund, tradingSite } from './exchange.ts'
import { CONTEXT, notEnabled, order, place, signedIn, titles, trader } from './traders.ts'

const at = await tradingSite()

test('a wallet’s signature enables trading on the sending device, and the key is never shown', async () => {
  const { browser, wallet } = await signedIn(at)
  const nothing = { enabled: false, updatedAt: null }
  const before = (await browser.get('/api/trading-credentials')).body
  expect(before).toMatchObject({ clob: nothing, relayer: nothing, usable: false, login: { chainId: 80002, path: '/auth/api-key' } })
  expect(await place(browser, order(at.markets.rain.yes, '0.5', '10'))).toMatchObject(notEnabled)

  const enabled = await enable(browser, wallet)
  const clob = { enabled: true, updatedAt: at.site.now().toISOString() }
  expect([enabled.status, enabled.body]).toEqual([
    200,
    { clob, relayer: nothing, usable: true, login: before.login, context: null, proxy_wallet_missing: false },
  ])
  expect(browser.jar.get(CONTEXT)).toMatch(/^[\w-]{43}$/)
  const { user } = { user: (await browser.get('/api/auth/session')).body }
  expect(user.settings.trading).toEqual({ clob, relayer: nothing })

  const [row] = await at.rows('select key, secret, passphrase from trading_credential where user_id = ?', [user.id])
  expect(row!.secret).toMatch(/^v1\.1\.[\w-]+$/)
  const opened = (field: string) => at.site.vault.open(String(row![field]), { user: user.id, field: `trading_credential.clob.${field}` })
  const secrets = [opened('secret'), opened('passphrase'), String(row!.key)]
  const seen = [enabled.body]
  for (const path of ['/api/trading-credentials', '/api/auth/session', '/api/notifications', '/api/auth/sessions', '/api/open-orders'])
    seen.push((await browser.get(path)).body)
  expect(secrets.filter((secret) => JSON.stringify(seen).includes(secret))).toEqual([])
  const contexts = JSON.stringify(await at.rows('select context_hash::text from trading_context'))
  expect(contexts).not.toContain(Buffer.from(browser.jar.get(CONTEXT)!).toString('hex'))
})

test('a banned member cannot enable trading', async () => {
  const { browser, wallet, user } = await signedIn(at)
  await at.rows('update users set banned_at = now() where id = ?', [user.id])
  expect(await enable(browser, wallet)).toMatchObject({ status: 403, body: { code: 'account_banned' } })
})

test('a device without trading enabled can neither trade nor see orders', async () => {
  const { wallet, browser } = await trader(at)
  const { body } = await place(browser, order(at.markets.rain.yes, '0.03', '10'))
  const other = await signedIn(at, wallet)
  expect(await place(other.browser, order(at.markets.rain.yes, '0.03', '10'))).toMatchObject(notEnabled)
  expect(await other.browser.call('DELETE', `/api/orders/${body.orderId}`)).toMatchObject(notEnabled)
  expect((await other.browser.get('/api/open-orders')).body).toEqual({ data: [], next_cursor: 'LTE=' })
  expect((await other.browser.get('/api/trading-credentials')).body).toMatchObject({ clob: { enabled: true }, usable: false })
  other.browser.jar.set(
    CONTEXT,
    browser.jar.get(CONTEXT)!.replace(/^./, (letter) => (letter === 'a' ? 'b' : 'a')),
  )
  expect(await place(other.browser, order(at.markets.rain.yes, '0.03', '10'))).toMatchObject(notEnabled)
  const stranger = await trader(at)
  stranger.browser.jar.set(CONTEXT, browser.jar.get(CONTEXT)!)
  expect(await place(stranger.browser, order(at.markets.rain.yes, '0.03', '10'))).toMatchObject(notEnabled)
})

test('a sixth device replaces the first, and the member is notified of each', async () => {
  const { wallet, browser } = await trader(at)
  const others = []
  for (let i = 0; i < 5; i++) {
    at.clock.advance(1000)
    const other = await signedIn(at, wallet)
    if (i === 4) expect((await browser.get('/api/trading-credentials')).body.usable).toBe(true)
    expect((await enable(other.browser, wallet)).status).toBe(200)
    others.push(other.browser)
  }
  expect(await place(browser, order(at.markets.rain.yes, '0.04', '10'))).toMatchObject(notEnabled)
  for (const [i, other] of others.entries()) expect((await place(other, order(at.markets.rain.yes, `0.1${i}`, '5'))).status).toBe(200)
  const notifications = (await others[0]!.get('/api/notifications')).body
  expect(notifications.filter(({ title }: { title: string }) => title === 'Trading was enabled on a new device').length).toBe(6)
  expect(notifications.map(({ metadata }: { metadata: { evicted?: boolean } }) => metadata.evicted)).toEqual([
    true,
    ...Array(5).fill(false),
  ])
  at.clock.advance(1000)
  expect((await enable(others[0]!, wallet)).status).toBe(200)
  expect(
    (
      await at.rows('select count(*)::int as n from notification where user_id = (select id from users where address = ?)', [
        wallet.address.toLowerCase(),
      ])
    )[0],
  ).toEqual({ n: 6 })
})

test('a script without cookies sends the context it was given', async () => {
  const { wallet } = await signedIn(at)
  const { token } = (await new Browser(at).signIn(wallet)).body
  const script = new Browser(at)
  const bearer = { authorization: `Bearer ${token}`, origin: null }
  const { login } = (await script.get('/api/trading-credentials', { headers: bearer })).body
  expect(login.host).toBe(new URL(at.clobUrl).host)
  const signer = new Browser(at)
  await signer.signIn(wallet)
  const enabled = await script.post('/api/trading-credentials', await enabling(signer, wallet), { headers: bearer })
  expect(enabled.body.context).toMatch(/^[\w-]{43}$/)
  expect(script.jar.has(CONTEXT)).toBe(false)
  await fund(at, wallet.address, '10')
  const body = order(at.markets.rain.yes, '0.05', '10')
  expect(await script.post('/api/orders', body, { headers: bearer })).toMatchObject(notEnabled)
  const headers = { ...bearer, 'x-trading-context': enabled.body.context }
  expect((await script.post('/api/orders', body, { headers })).status).toBe(200)
  const again = await script.post('/api/trading-credentials', await enabling(signer, wallet), { headers })
  expect(again.body.context).toBe(enabled.body.context)
})

test.each<[string, (browser: Browser, wallet: ReturnType<typeof walletOf>) => Promise<unknown>, number, string]>([
  ['signed too long ago', (browser, wallet) => enabling(browser, wallet, { seconds: -40 }), 400, 'stale_login'],
  ['signed for another exchange', (browser, wallet) => enabling(browser, wallet, { host: 'elsewhere.example' }), 400, 'bad_login'],
  ['signed by another wallet of another member', (browser) => enabling(browser, walletOf(4999)), 403, 'other_wallet'],
  [
    'signed by another wallet under this name',
    async (browser, wallet) => ({ ...(await enabling(browser, walletOf(4999))), address: wallet.address }),
    400,
    'bad_login',
  ],
  ['of a third set', async () => ({ set: 'bank' }), 400, 'invalid_payload'],
  ['with more than is asked', async (browser, wallet) => ({ ...(await enabling(browser, wallet)), secret: 'x' }), 400, 'invalid_payload'],
])('credentials %s are refused', async (_, make, status, code) => {
  const { browser, wallet, user } = await signedIn(at)
  const refused = await browser.post('/api/trading-credentials', await make(browser, wallet))
  expect([refused.status, refused.body.code]).toEqual([status, code])
  expect([browser.jar.has(CONTEXT), await at.rows('select from trading_credential where user_id = ?', [user.id])]).toEqual([false, []])
})

test('with the second factor on, a session proven an hour ago must be proven again to enable trading', async () => {
  const { browser, wallet } = await signedIn(at)
  const { secret } = await browser.enroll()
  at.clock.advance(3_600_000)
  expect(await enable(browser, wallet)).toMatchObject({ status: 403, body: { code: 'step_up_required', details: { by: 'totp' } } })
  expect((await browser.post('/api/auth/two-factor/verify-totp', { code: browser.code(secret) })).status).toBe(200)
  expect((await enable(browser, wallet)).status).toBe(200)
})

test('relayer credentials are stored sealed, and need a fresh proof', async () => {
  const { browser, wallet, user } = await signedIn(at)
  const set = { set: 'relayer', address: wallet.address, key: 'k-1', secret: 'c2VjcmV0', passphrase: 'open-sesame' }
  at.clock.advance(3_600_000)
  expect(await browser.post('/api/trading-credentials', set)).toMatchObject({ status: 403, body: { details: { by: 'wallet' } } })
  const fresh = await signedIn(at, wallet)
  expect((await fresh.browser.post('/api/trading-credentials', set)).body).toMatchObject({ relayer: { enabled: true }, usable: false })
  const dump = JSON.stringify(await at.rows('select * from trading_credential where user_id = ?', [user.id]))
  expect([dump.includes('c2VjcmV0'), dump.includes('open-sesame')]).toEqual([false, false])
  const gone = await fresh.browser.call('DELETE', '/api/trading-credentials?set=relayer')
  expect(gone.body.relayer).toEqual({ enabled: false, updatedAt: null })
})

test('sealed credentials that were moved to another member or changed are refused, and the member is notified', async () => {
  const [one, other] = [await trader(at), await trader(at)]
  await at.rows(
    `update trading_credential set secret = (select secret from trading_credential where user_id = ? and set = 'clob') where user_id = ?`,
    [one.user.id, other.user.id],
  )
  expect(await place(other.browser, order(at.markets.rain.yes, '0.06', '10'))).toMatchObject(notEnabled)
  expect((await other.browser.get('/api/open-orders')).body.data).toEqual([])
  expect(await titles(other.browser)).toEqual(['Enable trading again', 'Trading was enabled on a new device'])
  expect((await other.browser.get('/api/auth/session')).body.settings.trading.clob.enabled).toBe(false)
  expect((await place(one.browser, order(at.markets.rain.yes, '0.06', '10'))).status).toBe(200)
  await at.rows(
    `update trading_credential set passphrase = overlay(passphrase placing 'AAAA' from length(passphrase) - 3) where user_id = ?`,
    [one.user.id],
  )
  expect(await place(one.browser, order(at.markets.rain.yes, '0.06', '10'))).toMatchObject(notEnabled)
  await enable(one.browser, one.wallet)
  expect((await place(one.browser, order(at.markets.rain.yes, '0.07', '10'))).status).toBe(200)
})

test('disabling trading revokes the key at the exchange, for every device', async () => {
  const { wallet, browser, user } = await trader(at)
  const second = await signedIn(at, wallet)
  await enable(second.browser, wallet)
  const keyOf = async () => (await at.rows(`select key from trading_credential where user_id = ?`, [user.id]))[0]?.key
  const key = await keyOf()
  const disabled = await browser.call('DELETE', '/api/trading-credentials')
  expect([disabled.status, disabled.body.clob.enabled, disabled.body.usable]).toEqual([200, false, false])
  expect(browser.jar.has(CONTEXT)).toBe(false)
  expect(await place(second.browser, order(at.markets.rain.yes, '0.06', '10'))).toMatchObject(notEnabled)
  expect((await browser.call('DELETE', '/api/trading-credentials')).status).toBe(200)
  await enable(browser, wallet)
  expect(await keyOf()).not.toBe(key)
})

test('a key that was revoked at the exchange is not tried again', async () => {
  const { browser, user } = await trader(at)
  const [row] = await at.rows(`select * from trading_credential where user_id = ?`, [user.id])
  const opened = (field: string) => at.site.vault.open(String(row![field]), { user: user.id, field: `trading_credential.clob.${field}` })
  const apiKey = { address: String(row!.address), key: String(row!.key), secret: opened('secret'), passphrase: opened('passphrase') }
  await at.site.exchange.as(apiKey).deleteKey()
  expect(await place(browser, order(at.markets.rain.yes, '0.06', '10'))).toMatchObject(notEnabled)
  expect((await titles(browser))[0]).toBe('Enable trading again')
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
