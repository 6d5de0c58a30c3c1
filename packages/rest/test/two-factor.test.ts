import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const at = await testSite()
const [SESSION, PENDING] = ['__Host-augury_session', '__Host-augury_second_factor']
const MINUTE = 60_000
const failed = (code: string) => ({ status: 401, body: { error: 'Sign-in failed.', code } })
let wallets = 2000

const enrolled = async () => {
  const wallet = walletOf(++wallets)
  const browser = new Browser(at)
  const { user } = (await browser.signIn(wallet)).body
  return { wallet, browser, user, ...(await browser.enroll()) }
}
const wrong = (right: string) => (right === '000000' ? '000001' : '000000')
const verify = (browser: Browser, body: unknown) => browser.post('/api/auth/two-factor/verify-totp', body)

test('with the second factor on, a wallet alone does not sign in', async () => {
  const { wallet, secret, user } = await enrolled()
  const browser = new Browser(at)
  const first = await browser.signIn(wallet)
  expect([first.status, first.body]).toEqual([200, { twoFactorRedirect: true }])
  expect([browser.jar.has(SESSION), browser.jar.has(PENDING)]).toEqual([false, true])
  const pending = browser.jar.get(PENDING)!
  expect((await browser.get('/api/auth/session')).body).toBeNull()
  expect((await browser.get('/api/auth/sessions')).status).toBe(401)
  expect((await browser.get('/api/auth/sessions', { headers: { authorization: `Bearer ${pending}` } })).status).toBe(401)
  expect((await browser.get('/api/auth/sessions', { headers: { cookie: `${SESSION}=${pending}` } })).status).toBe(401)

  const second = await verify(browser, { code: browser.code(secret) })
  expect(second).toMatchObject({ status: 200, body: { user: { id: user.id, two_factor_enabled: true }, token: browser.jar.get(SESSION) } })
  expect([browser.jar.has(PENDING), browser.jar.get(SESSION) === pending]).toEqual([false, false])
  browser.jar.set(PENDING, pending)
  browser.jar.delete(SESSION)
  at.clock.advance(30_000)
  expect(await verify(browser, { code: browser.code(secret) })).toMatchObject(failed('second_factor_not_pending'))
})

test('the second step needs the first', async () => {
  const { secret } = await enrolled()
  const browser = new Browser(at)
  expect(await verify(browser, { code: browser.code(secret) })).toMatchObject(failed('second_factor_not_pending'))
  browser.jar.set(PENDING, 'a'.repeat(43))
  expect(await verify(browser, { code: browser.code(secret) })).toMatchObject(failed('second_factor_not_pending'))
})

test('a member without a second factor has no second step either', async () => {
  const browser = new Browser(at)
  await browser.signIn(walletOf(++wallets))
  expect(await verify(browser, { code: '000000' })).toMatchObject(failed('second_factor_not_pending'))
})

test('the time claimed by a browser is ignored', async () => {
  const wallet = walletOf(++wallets)
  const browser = new Browser(at)
  await browser.signIn(wallet)
  const { secret } = await browser.enroll()
  await browser.signIn(wallet)
  const headers = { date: new Date(at.clock.now() + 3_600_000).toUTCString() }
  const verify = (code: string) => browser.post('/api/auth/two-factor/verify-totp', { code }, { headers })
  expect((await verify(browser.code(secret, 120))).body.code).toBe('second_factor_failed')
  expect((await verify(browser.code(secret))).status).toBe(200)
})

test('the first step is valid for ten minutes', async () => {
  const { wallet, secret } = await enrolled()
  const browser = new Browser(at)
  await browser.signIn(wallet)
  at.clock.advance(10 * MINUTE)
  expect(await verify(browser, { code: browser.code(secret) })).toMatchObject(failed('second_factor_not_pending'))
})

test('a code is accepted once, and no older one after it', async () => {
  const { wallet, secret } = await enrolled()
  const [one, two] = [new Browser(at), new Browser(at)]
  await one.signIn(wallet)
  await two.signIn(wallet)
  const code = one.code(secret)
  expect((await verify(one, { code })).status).toBe(200)
  expect(await verify(two, { code })).toMatchObject(failed('second_factor_failed'))
  expect(await verify(two, { code: two.code(secret, -1) })).toMatchObject(failed('second_factor_failed'))
  at.clock.advance(30_000)
  expect((await verify(two, { code: two.code(secret) })).status).toBe(200)
})

test('the code that turned the second factor on is used up', async () => {
  const wallet = walletOf(++wallets)
  const browser = new Browser(at)
  await browser.signIn(wallet)
  const { otpauthUri } = (await browser.post('/api/auth/two-factor/enroll')).body
  const secret = new URL(otpauthUri).searchParams.get('secret')!
  const code = browser.code(secret)
  expect((await browser.post('/api/auth/two-factor/confirm', { code })).status).toBe(200)
  const other = new Browser(at)
  await other.signIn(wallet)
  expect(await verify(other, { code })).toMatchObject(failed('second_factor_failed'))
})

test('five wrong codes, over any sign-ins, lock for 15 minutes, then 30, then an hour; a correct one resets this', async () => {
  const { wallet, secret, user } = await enrolled()
  const guess = async () => {
    const browser = new Browser(at)
    await browser.signIn(wallet)
    return verify(browser, { code: wrong(browser.code(secret)) })
  }
  const right = async () => {
    const browser = new Browser(at)
    await browser.signIn(wallet)
    return verify(browser, { code: browser.code(secret) })
  }
  for (const minutes of [15, 30, 60]) {
    for (let i = 0; i < 5; i++) expect(await guess()).toMatchObject(failed('second_factor_failed'))
    const locked = await right()
    expect(locked).toMatchObject(failed('second_factor_locked'))
    expect(locked.headers.get('retry-after')).toBe(String(minutes * 60))
    at.clock.advance(minutes * MINUTE - 1)
    expect(await right()).toMatchObject(failed('second_factor_locked'))
    at.clock.advance(1)
  }
  expect((await right()).status).toBe(200)
  at.clock.advance(30_000)
  for (let i = 0; i < 5; i++) await guess()
  expect((await right()).headers.get('retry-after')).toBe('900')
  const entries = await at.rows(`select action from audit_log where subject_id = ? and action = 'two_factor_locked'`, [user.id])
  expect(entries.length).toBe(4)
})

test('four wrong codes lock nothing', async () => {
  const { wallet, secret } = await enrolled()
  const browser = new Browser(at)
  await browser.signIn(wallet)
  for (let i = 0; i < 4; i++) await verify(browser, { code: wrong(browser.code(secret)) })
  expect((await verify(browser, { code: browser.code(secret) })).status).toBe(200)
})

test('a recovery code is accepted once, in any spelling, and wrong ones count', async () => {
  const { wallet, recoveryCodes, user } = await enrolled()
  expect(recoveryCodes.length).toBe(10)
  expect(new Set(recoveryCodes).size).toBe(10)
  const browser = new Browser(at)
  await browser.signIn(wallet)
  const recoveryCode = recoveryCodes[3]!.toUpperCase().replaceAll('-', ' ')
  expect((await verify(browser, { recoveryCode })).status).toBe(200)
  const again = new Browser(at)
  await again.signIn(wallet)
  for (let i = 0; i < 5; i++) expect(await verify(again, { recoveryCode })).toMatchObject(failed('second_factor_failed'))
  expect(await verify(again, { recoveryCode: recoveryCodes[4] })).toMatchObject(failed('second_factor_locked'))
  expect(await at.rows('select count(*)::int as left from recovery_code where user_id = ?', [user.id])).toEqual([{ left: 9 }])
})

test('recovery codes of others are refused', async () => {
  const [one, other] = [await enrolled(), await enrolled()]
  const browser = new Browser(at)
  await browser.signIn(one.wallet)
  expect(await verify(browser, { recoveryCode: other.recoveryCodes[0] })).toMatchObject(failed('second_factor_failed'))
})

test.each([['12345'], ['1234567'], ['12345６'], ['12 456'], ['+12345'], [''], [null], [123456], [['123456']]])(
  '%j as a code is a request that makes no sense',
  async (code) => {
    const browser = new Browser(at)
    expect((await verify(browser, { code })).status).toBe(400)
    expect((await verify(browser, { code, recoveryCode: 'x' })).status).toBe(400)
  },
)

test('the database holds the secret sealed and recovery codes hashed', async () => {
  const { secret, recoveryCodes, user } = await enrolled()
  const [row] = await at.rows('select secret from two_factor where user_id = ?', [user.id])
  expect(row!.secret).toMatch(/^v1\.1\.[\w-]+$/)
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const dump = JSON.stringify(
    await at.rows('select two_factor::text from two_factor union all select recovery_code::text from recovery_code'),
  )
  const plain = recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')])
  expect([secret, ...plain].filter((text) => dump.includes(text) || dump.includes(Buffer.from(text).toString('hex')))).toEqual([])
})

test('a sealed secret moved to another member is refused', async () => {
  const [one, other] = [await enrolled(), await enrolled()]
  await at.rows('update two_factor set secret = (select secret from two_factor where user_id = ?) where user_id = ?', [
    one.user.id,
    other.user.id,
  ])
  const browser = new Browser(at)
  await browser.signIn(other.wallet)
  expect((await verify(browser, { code: browser.code(one.secret) })).status).toBe(500)
  expect(at.bugs.splice(0)).toEqual([expect.objectContaining({ name: 'VaultError' })])
})

test('turning it on gives this device a new token and signs out the others', async () => {
  const wallet = walletOf(++wallets)
  const [one, other] = [new Browser(at), new Browser(at)]
  await other.signIn(wallet)
  await one.signIn(wallet)
  const before = one.jar.get(SESSION)!
  await one.enroll()
  expect(one.jar.get(SESSION)).not.toBe(before)
  expect((await one.get('/api/auth/sessions')).body.length).toBe(1)
  expect((await other.get('/api/auth/sessions')).status).toBe(401)
  const copy = new Browser(at)
  copy.jar.set(SESSION, before)
  expect((await copy.get('/api/auth/sessions')).status).toBe(401)
})

test('setting it up asks for a fresh proof, and a code or a new sign-in is one', async () => {
  const wallet = walletOf(++wallets)
  const browser = new Browser(at)
  await browser.signIn(wallet)
  at.clock.advance(15 * MINUTE + 1)
  const stale = { status: 403, body: { code: 'step_up_required', details: { by: 'wallet' } } }
  expect(await browser.post('/api/auth/two-factor/enroll')).toMatchObject(stale)
  await browser.signIn(wallet)
  const { secret } = await browser.enroll()
  at.clock.advance(60 * MINUTE)
  expect(await browser.post('/api/auth/two-factor/enroll')).toMatchObject({ status: 403, body: { details: { by: 'totp' } } })
  const before = browser.jar.get(SESSION)
  expect((await verify(browser, { code: browser.code(secret) })).status).toBe(200)
  expect(browser.jar.get(SESSION)).not.toBe(before)
  expect(await browser.post('/api/auth/two-factor/enroll')).toMatchObject({ status: 409, body: { code: 'two_factor_enabled' } })
})

test('an unconfirmed setup has no effect and can be restarted', async () => {
  const wallet = walletOf(++wallets)
  const browser = new Browser(at)
  await browser.signIn(wallet)
  expect(await browser.post('/api/auth/two-factor/confirm', { code: '000000' })).toMatchObject({
    status: 409,
    body: { code: 'two_factor_not_enrolled' },
  })
  const first = (await browser.post('/api/auth/two-factor/enroll')).body
  expect((await new Browser(at).signIn(wallet)).body.user.two_factor_enabled).toBe(false)
  const stale = new URL(first.otpauthUri).searchParams.get('secret')!
  const { secret } = await browser.enroll()
  const other = new Browser(at)
  await other.signIn(wallet)
  expect(await verify(other, { code: other.code(stale) })).toMatchObject(failed('second_factor_failed'))
  expect(await verify(other, { recoveryCode: first.recoveryCodes[0] })).toMatchObject(failed('second_factor_failed'))
  expect((await verify(other, { code: other.code(secret) })).status).toBe(200)
  expect(await browser.post('/api/auth/two-factor/confirm', { code: '000000' })).toMatchObject({
    status: 409,
    body: { code: 'two_factor_enabled' },
  })
})

test('a code turns it off, and then a wallet is enough again', async () => {
  const { wallet, browser, secret, user } = await enrolled()
  const guess = () => browser.post('/api/auth/two-factor/disable', { code: wrong(browser.code(secret)) })
  expect(await guess()).toMatchObject({ status: 401, body: { error: 'The code is wrong.', code: 'second_factor_failed' } })
  const off = await browser.post('/api/auth/two-factor/disable', { code: browser.code(secret) })
  expect(off).toMatchObject({ status: 200, body: { user: { two_factor_enabled: false } } })
  expect(await browser.post('/api/auth/two-factor/disable', { code: '000000' })).toMatchObject({
    status: 409,
    body: { code: 'two_factor_not_enrolled' },
  })
  expect((await new Browser(at).signIn(wallet)).body.user.id).toBe(user.id)
  expect(await at.rows('select from recovery_code where user_id = ?', [user.id])).toEqual([])
  expect((await browser.get('/api/notifications')).body).toMatchObject([{ title: 'The second factor was turned off' }])
})

test('after an admin removed the second factor the wallet alone signs in, which is logged', async () => {
  const [{ wallet, browser, user }, boss] = [await enrolled(), new Browser(at)]
  const own = (await boss.signIn(walletOf(++wallets))).body.user
  const reset = (id: string) => boss.call('DELETE', `/admin/api/users/${id}/two-factor`)
  expect((await reset(user.id)).status).toBe(403)
  await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [own.address.toLowerCase()])
  expect(await reset(own.id)).toMatchObject({ status: 409, body: { code: 'own_admin' } })
  for (const _ of [1, 2]) expect((await reset(user.id)).body).toEqual({ success: true })
  expect((await browser.get('/api/auth/session')).body).toBeNull()
  expect((await browser.signIn(wallet)).body.user).toMatchObject({ id: user.id, two_factor_enabled: false })
  expect((await browser.get('/api/notifications')).body).toMatchObject([{ title: 'The second factor was turned off' }])
  expect(await at.rows('select from recovery_code where user_id = ?', [user.id])).toEqual([])
  const log = await at.rows(
    `select actor_id, details from audit_log where action = 'two_factor_disabled' and subject_id = ? and actor_id <> subject_id`,
    [user.id],
  )
  expect(log).toMatchObject([{ actor_id: own.id, details: { target: user.id, after: { ended: 1 } } }])
})

test('a lock is notified', async () => {
  const { browser, wallet, secret } = await enrolled()
  const guesser = new Browser(at)
  await guesser.signIn(wallet)
  for (let i = 0; i < 5; i++) await verify(guesser, { code: wrong(guesser.code(secret)) })
  expect((await browser.get('/api/notifications')).body.map(({ title }: { title: string }) => title)).toEqual(['Sign-in was locked'])
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
