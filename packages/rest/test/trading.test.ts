import { workerScheduler } from '@augury/platform/identity/scheduler'
import { ordersJob } from '@augury/platform/sync/orders'
import { runJob } from '@augury/platform/sync/run-job'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { enable, enabling, fund, tradingSite } from './exchange.ts'

const at = await tradingSite()
const CONTEXT = '__Host-augury_context'
const notEnabled = { status: 403, body: { error: 'Enable trading to continue.', code: 'trading_not_enabled' } }
let wallets = 5000

const signedIn = async (wallet = walletOf(++wallets)) => {
  const browser = new Browser(at)
  const { user, token } = (await browser.signIn(wallet)).body
  return { browser, wallet, user, token }
}
const trader = async (amount = '100') => {
  const member = await signedIn()
  const answer = await enable(member.browser, member.wallet)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  await fund(at, member.wallet.address, amount)
  return { ...member, answer }
}
const order = (tokenId: string, price: string, size: string, more = {}) => ({
  tokenId,
  side: 'BUY',
  orderType: 'GTC',
  price,
  size,
  ...more,
})
const place = (browser: Browser, body: unknown) => browser.post('/api/orders', body)
const titles = async (browser: Browser): Promise<string[]> =>
  (await browser.get('/api/notifications')).body.map(({ title }: { title: string }) => title)

test('a wallet’s signature enables trading on the device that sends it, and nothing of the key is ever shown', async () => {
  const { browser, wallet } = await signedIn()
  const nothing = { enabled: false, updatedAt: null }
  const before = (await browser.get('/api/trading-credentials')).body
  expect(before).toMatchObject({ clob: nothing, relayer: nothing, usable: false, login: { chainId: 80002, path: '/auth/api-key' } })
  expect(await place(browser, order(at.markets.rain.yes, '0.5', '10'))).toMatchObject(notEnabled)

  const enabled = await enable(browser, wallet)
  const clob = { enabled: true, updatedAt: at.site.now().toISOString() }
  expect([enabled.status, enabled.body]).toEqual([200, { clob, relayer: nothing, usable: true, login: before.login, context: null }])
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

test('orders are placed, seen and cancelled with the member’s key', async () => {
  const { browser } = await trader()
  const placed = await place(browser, order(at.markets.rain.no, '0.4', '10'))
  expect([placed.status, placed.body.state]).toEqual([200, 'live'])
  await place(browser, order(at.markets.snow.yes, '0.2', '5.5'))

  const { data, next_cursor } = (await browser.get('/api/open-orders')).body
  expect(next_cursor).toBe('LTE=')
  expect(data.length).toBe(2)
  expect(data[0]).toEqual({
    ...{ id: placed.body.orderId, side: 'buy', type: 'GTC', status: 'live', price: 0.4 },
    ...{ maker_amount: '4000000', taker_amount: '10000000', size_matched: '0' },
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    expiration: null,
    outcome: { index: 1, text: 'No' },
    market: {
      ...{ condition_id: at.markets.rain.condition, title: 'Will it rain?', slug: 'rain-market', is_active: true, is_resolved: false },
      ...{ icon_url: '', event_slug: 'rain', event_title: 'Will it rain?' },
    },
  })
  expect(data[1]).toMatchObject({ maker_amount: '1100000', taker_amount: '5500000' })
  const ids = async (path: string) => (await browser.get(path)).body.data.map(({ id }: { id: string }) => id)
  expect(await ids('/api/events/rain/open-orders')).toEqual([data[0].id])
  expect(await ids(`/api/events/rain/open-orders?conditionId=${at.markets.rain.condition.toUpperCase().replace('0X', '0x')}`)).toEqual([
    data[0].id,
  ])
  expect(await ids(`/api/events/rain/open-orders?conditionId=${at.markets.snow.condition}`)).toEqual([])
  expect(await ids(`/api/open-orders?market=${at.markets.snow.condition}`)).toEqual([data[1].id])
  expect((await browser.get('/api/events/nothing/open-orders')).body).toEqual({ error: 'Event not found.', code: 'event_not_found' })

  const stranger = await trader()
  const cancel = (who: Browser, id: string) => who.call('DELETE', `/api/orders/${id}`)
  expect(await cancel(stranger.browser, data[0].id)).toMatchObject({
    status: 403,
    body: { error: 'Order belongs to another user', code: 'order_not_owned' },
  })
  expect((await stranger.browser.get('/api/open-orders')).body.data).toEqual([])
  const cancelled = await cancel(browser, data[0].id)
  expect([cancelled.status, cancelled.body.canceled]).toEqual([200, [data[0].id]])
  expect(await cancel(browser, data[0].id)).toMatchObject({
    status: 409,
    body: { error: 'Order is already filled or cancelled', code: 'order_ended', state: 'cancelled' },
  })
  expect(await cancel(browser, `0x${'0'.repeat(64)}`)).toMatchObject({ status: 404, body: { error: 'Order not found' } })
  expect(await ids('/api/open-orders')).toEqual([data[1].id])
})

test('what the exchange refuses is refused in its words', async () => {
  const { browser } = await trader('1')
  const poor = await place(browser, order(at.markets.rain.yes, '0.5', '10'))
  expect(poor).toMatchObject({ status: 400, body: { code: 'insufficient_balance', details: { available: '1000000' } } })
  expect((await place(browser, order('1', '0.5', '10'))).body.code).toBe('unknown_token')
  expect((await place(browser, order(at.markets.rain.yes, '0.505', '10'))).body.code).toBe('invalid_price_tick')
  expect((await place(browser, { ...order(at.markets.rain.yes, '0.5', '10'), owner: 'x' })).body.code).toBe('invalid_payload')
})

test('a member who was banned places nothing, and cancels', async () => {
  const { browser, user } = await trader()
  const { body } = await place(browser, order(at.markets.rain.yes, '0.01', '10'))
  await at.rows('update users set banned_at = now() where id = ?', [user.id])
  expect(await place(browser, order(at.markets.rain.yes, '0.02', '10'))).toMatchObject({ status: 403, body: { code: 'account_banned' } })
  expect((await browser.call('DELETE', `/api/orders/${body.orderId}`)).status).toBe(200)
})

test('a device on which trading was not enabled trades nothing and sees nothing', async () => {
  const { wallet, browser } = await trader()
  const { body } = await place(browser, order(at.markets.rain.yes, '0.03', '10'))
  const other = await signedIn(wallet)
  expect(await place(other.browser, order(at.markets.rain.yes, '0.03', '10'))).toMatchObject(notEnabled)
  expect(await other.browser.call('DELETE', `/api/orders/${body.orderId}`)).toMatchObject(notEnabled)
  expect((await other.browser.get('/api/open-orders')).body).toEqual({ data: [], next_cursor: 'LTE=' })
  expect((await other.browser.get('/api/trading-credentials')).body).toMatchObject({ clob: { enabled: true }, usable: false })
  other.browser.jar.set(
    CONTEXT,
    browser.jar.get(CONTEXT)!.replace(/^./, (letter) => (letter === 'a' ? 'b' : 'a')),
  )
  expect(await place(other.browser, order(at.markets.rain.yes, '0.03', '10'))).toMatchObject(notEnabled)
  const stranger = await trader()
  stranger.browser.jar.set(CONTEXT, browser.jar.get(CONTEXT)!)
  expect(await place(stranger.browser, order(at.markets.rain.yes, '0.03', '10'))).toMatchObject(notEnabled)
})

test('a sixth device takes the place of the first, and the member is told of each', async () => {
  const { wallet, browser } = await trader()
  const others = []
  for (let i = 0; i < 5; i++) {
    at.clock.advance(1000)
    const other = await signedIn(wallet)
    if (i === 4) expect((await browser.get('/api/trading-credentials')).body.usable).toBe(true)
    expect((await enable(other.browser, wallet)).status).toBe(200)
    others.push(other.browser)
  }
  expect(await place(browser, order(at.markets.rain.yes, '0.04', '10'))).toMatchObject(notEnabled)
  for (const [i, other] of others.entries()) expect((await place(other, order(at.markets.rain.yes, `0.1${i}`, '5'))).status).toBe(200)
  const told = (await others[0]!.get('/api/notifications')).body
  expect(told.filter(({ title }: { title: string }) => title === 'Trading was enabled on a new device').length).toBe(6)
  expect(told.map(({ metadata }: { metadata: { evicted?: boolean } }) => metadata.evicted)).toEqual([true, ...Array(5).fill(false)])
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

test('a script has no cookies: it sends back what it was answered', async () => {
  const { wallet } = await signedIn()
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
  const { browser, wallet, user } = await signedIn()
  const refused = await browser.post('/api/trading-credentials', await make(browser, wallet))
  expect([refused.status, refused.body.code]).toEqual([status, code])
  expect([browser.jar.has(CONTEXT), await at.rows('select from trading_credential where user_id = ?', [user.id])]).toEqual([false, []])
})

test('with the second factor on, a session that was proven an hour ago enables nothing until it is proven again', async () => {
  const { browser, wallet } = await signedIn()
  const { secret } = await browser.enroll()
  at.clock.advance(3_600_000)
  expect(await enable(browser, wallet)).toMatchObject({ status: 403, body: { code: 'step_up_required', details: { by: 'totp' } } })
  expect((await browser.post('/api/auth/two-factor/verify-totp', { code: browser.code(secret) })).status).toBe(200)
  expect((await enable(browser, wallet)).status).toBe(200)
})

test('a relayer set is kept sealed, by who was just there', async () => {
  const { browser, wallet, user } = await signedIn()
  const set = { set: 'relayer', address: wallet.address, key: 'k-1', secret: 'c2VjcmV0', passphrase: 'open-sesame' }
  at.clock.advance(3_600_000)
  expect(await browser.post('/api/trading-credentials', set)).toMatchObject({ status: 403, body: { details: { by: 'wallet' } } })
  const fresh = await signedIn(wallet)
  expect((await fresh.browser.post('/api/trading-credentials', set)).body).toMatchObject({ relayer: { enabled: true }, usable: false })
  const dump = JSON.stringify(await at.rows('select * from trading_credential where user_id = ?', [user.id]))
  expect([dump.includes('c2VjcmV0'), dump.includes('open-sesame')]).toEqual([false, false])
  const gone = await fresh.browser.call('DELETE', '/api/trading-credentials?set=relayer')
  expect(gone.body.relayer).toEqual({ enabled: false, updatedAt: null })
})

test('sealed credentials that were moved to another member, or changed, are refused, and the member is told', async () => {
  const [one, other] = [await trader(), await trader()]
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
  const { wallet, browser, user } = await trader()
  const second = await signedIn(wallet)
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
  const { browser, user } = await trader()
  const [row] = await at.rows(`select * from trading_credential where user_id = ?`, [user.id])
  const opened = (field: string) => at.site.vault.open(String(row![field]), { user: user.id, field: `trading_credential.clob.${field}` })
  const apiKey = { address: String(row!.address), key: String(row!.key), secret: opened('secret'), passphrase: opened('passphrase') }
  await at.site.exchange.as(apiKey).deleteKey()
  expect(await place(browser, order(at.markets.rain.yes, '0.06', '10'))).toMatchObject(notEnabled)
  expect((await titles(browser))[0]).toBe('Enable trading again')
})

test('a member is told of a fill once, and nobody else is; reading is marked', async () => {
  const [maker, taker] = [await trader(), await trader()]
  const resting = await place(maker.browser, order(at.markets.snow.yes, '0.6', '10'))
  const filled = await place(taker.browser, order(at.markets.snow.no, '0.4', '10'))
  expect(filled.body.state).toBe('filled')
  await runJob(at.site, workerScheduler('test'), ordersJob(at.site.exchange.treasury))
  const all: { id: string; title: string }[] = (await maker.browser.get('/api/notifications')).body
  const told = all.find(({ title }) => title === 'Order filled')!
  expect(told).toMatchObject({
    ...{ category: 'trade', title: 'Order filled', link_type: 'order', link_target: resting.body.orderId, read_at: null },
    description: 'Bought 10 of 10 Yes at 60¢: Will it snow?',
  })
  expect((await titles(maker.browser)).filter((title) => title === 'Order filled').length).toBe(1)
  const mark = (who: Browser, body?: unknown) => who.call('PUT', `/api/notifications/${told.id}`, body)
  expect(await mark(taker.browser)).toMatchObject({
    status: 404,
    body: { error: 'Notification not found.', code: 'notification_not_found' },
  })
  expect((await mark(maker.browser)).body).toEqual({ ...told, read_at: at.site.now().toISOString() })
  expect((await mark(maker.browser, { read: false })).body.read_at).toBeNull()
  expect((await maker.browser.call('PUT', '/api/notifications', { read: true })).body).toEqual({ success: true })
  const unread = async (who: Browser) =>
    (await who.get('/api/notifications')).body.filter(({ read_at }: { read_at: string | null }) => read_at === null).length
  expect([await unread(maker.browser), await unread(taker.browser)]).toEqual([0, 2])
  expect((await maker.browser.get('/api/notifications?limit=1&offset=1')).body.length).toBe(1)
  for (const id of ['x', '01890a5d-ac96-774b-bcce-b302099a8057'])
    expect((await maker.browser.call('PUT', `/api/notifications/${id}`)).status).toBe(404)
})

test('the lock of the second factor is told', async () => {
  const { browser, wallet } = await signedIn()
  const { secret } = await browser.enroll()
  const guesser = new Browser(at)
  await guesser.signIn(wallet)
  const wrong = guesser.code(secret) === '000000' ? '000001' : '000000'
  for (let i = 0; i < 5; i++) await guesser.post('/api/auth/two-factor/verify-totp', { code: wrong })
  expect(await titles(browser)).toEqual(['Sign-in was locked'])
})

test('when the exchange is away nothing is promised, and lists are what they were', async () => {
  const { browser, wallet } = await trader()
  const late = await signedIn()
  const login = await enabling(late.browser, late.wallet)
  await at.stopExchange()
  expect(await place(browser, order(at.markets.rain.yes, '0.08', '10'))).toMatchObject({ status: 500, body: { code: 'outcome_unknown' } })
  expect(await browser.get('/api/open-orders')).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  expect(await late.browser.post('/api/trading-credentials', login)).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  expect(await titles(browser)).toEqual(['Trading was enabled on a new device'])
  expect(await browser.call('DELETE', '/api/trading-credentials')).toMatchObject({ status: 503 })
  expect((await browser.get('/api/trading-credentials')).body.usable).toBe(true)
  expect(wallet.address).toMatch(/^0x/)
})

test('nothing failed that nobody expected', () => {
  expect(at.bugs).toEqual([])
})
