import { assert, register } from '@augury/testing/authenticator'
import { expect, test } from 'vitest'
import { Browser } from './browser.ts'
import { approvalBy, holder, newCredential, signInBy } from './passkey-holder.ts'
import { testSite } from './test-site.ts'

const at = await testSite()
const ORIGIN = 'https://site.test'
const refused = { status: 401, body: { code: 'passkey_refused' } }

test('a passkey opens an account, and signs in to it from a browser that knows nothing of it', async () => {
  const { browser, kept, user, recoveryCodes } = await holder(at, { username: 'calm_otter' })
  expect(user).toMatchObject({ username: 'calm_otter', ways_in: { passkeys: 1, wallets: 0, recovery_codes: 10 } })
  expect(new Set(recoveryCodes).size).toBe(10)
  expect((await browser.get('/api/auth/session')).body.id).toBe(user.id)
  await browser.post('/api/auth/sign-out')
  expect((await browser.get('/api/auth/session')).body).toBeNull()

  const other = new Browser(at)
  expect(await signInBy(other, kept)).toMatchObject({ status: 200, body: { user: { id: user.id, address: user.address } } })
  const { body } = await other.get('/api/auth/ways-in')
  expect(body).toMatchObject({ passkeys: [{ name: 'Phone', last_used_at: at.site.now().toISOString() }], wallets: [], keeps_key: true })
})

test('the key of the account and its codes are stored sealed or hashed', async () => {
  const { user, recoveryCodes } = await holder(at)
  const [row] = await at.rows('select secret from account_key where user_id = ?', [user.id])
  expect(row!.secret).toMatch(/^v1\.1\.[\w-]+$/)
  const rows = JSON.stringify(await at.rows('select code_hash::text from account_recovery where user_id = ?', [user.id]))
  expect(rows).not.toContain(Buffer.from(recoveryCodes[0]!).toString('hex'))
})

test('a challenge counts once, in its browser, for what it was asked for, and for five minutes', async () => {
  const { kept } = await holder(at)
  const browser = new Browser(at)
  const options = async (wanted: object) => (await browser.post('/api/auth/passkeys/options', wanted)).body
  const send = (credential: object, from = browser) => from.post('/api/auth/passkeys/sign-in', { credential })

  const { request } = await options({ for: 'sign_in' })
  expect(await send(assert(kept, request, ORIGIN), new Browser(at))).toMatchObject(refused)
  const answer = assert(kept, request, ORIGIN)
  expect((await send(answer)).status).toBe(200)
  await browser.post('/api/auth/passkeys/options', { for: 'sign_in' })
  expect(await send(answer)).toMatchObject(refused)

  const late = assert(kept, (await options({ for: 'sign_in' })).request, ORIGIN)
  at.clock.advance(300_000)
  expect(await send(late)).toMatchObject(refused)

  const { creation } = await options({ for: 'sign_up', username: 'another_use' })
  expect(await send(assert(kept, creation, ORIGIN))).toMatchObject(refused)
  expect(await send(assert(kept, { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }, ORIGIN))).toMatchObject(refused)
})

test.each([
  ['another origin', { origin: 'https://site.test.evil.example' }],
  ['plain http', { origin: 'http://site.test' }],
  ['a page in a frame of another site', { crossOrigin: true }],
  ['another relying party', { rpId: 'evil.example' }],
  ['a user who was not verified', { flags: 0x01 }],
  ['a user who was not present', { flags: 0x04 }],
  ['the handle of another account', { userHandle: Buffer.alloc(16).toString('base64url') }],
])('an assertion from %s is refused, and uses its challenge up', async (_, unusual) => {
  const { kept } = await holder(at)
  const browser = new Browser(at)
  expect(await signInBy(browser, kept, unusual)).toMatchObject(refused)
  const { body } = await browser.post('/api/auth/passkeys/options', { for: 'sign_in' })
  const forged = assert(kept, body.request, ORIGIN, unusual)
  expect(await browser.post('/api/auth/passkeys/sign-in', { credential: forged })).toMatchObject(refused)
  const right = assert(kept, body.request, ORIGIN)
  expect(await browser.post('/api/auth/passkeys/sign-in', { credential: right })).toMatchObject(refused)
})

test.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['another relying party', { rpId: 'evil.example' }],
  ['a user who was not verified', { flags: 0x41 }],
  ['a challenge that was never issued', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }],
])('a registration from %s opens no account', async (_, unusual) => {
  const browser = new Browser(at)
  const { credential } = await newCredential(browser, { for: 'sign_up', username: 'nobody_here' }, unusual)
  expect(await browser.post('/api/auth/passkeys/sign-up', { credential })).toMatchObject(refused)
  expect(await at.rows(`select from users where username = 'nobody_here'`)).toEqual([])
})

test('a credential that no account has, or that was removed, is refused', async () => {
  const { kept, user } = await holder(at)
  const browser = new Browser(at)
  const foreign = register({ challenge: 'AAAA', rp: { id: 'site.test' }, user: { id: kept.userHandle } }, ORIGIN).kept
  expect(await signInBy(browser, foreign)).toMatchObject(refused)
  expect(await signInBy(browser, { ...foreign, id: kept.id })).toMatchObject(refused)
  await at.rows('delete from passkey where user_id = ?', [user.id])
  expect(await signInBy(browser, kept)).toMatchObject(refused)
})

test('a passkey whose counter goes backwards was copied: it is suspended, and its member notified', async () => {
  const { browser, kept, user } = await holder(at, { counter: 7 })
  const copy = { ...kept }
  expect((await signInBy(new Browser(at), kept)).status).toBe(200)
  expect(await signInBy(new Browser(at), copy)).toMatchObject({ status: 401, body: { code: 'passkey_suspended' } })
  kept.counter = 20
  expect(await signInBy(new Browser(at), kept)).toMatchObject({ status: 401, body: { code: 'passkey_suspended' } })
  expect((await browser.get('/api/notifications')).body[0]).toMatchObject({ title: 'A passkey was suspended', metadata: { name: 'Phone' } })
  const audited = await at.rows(`select details from audit_log where subject_id = ? and action = 'passkey_suspended'`, [user.id])
  expect(audited).toMatchObject([{ details: { counter: 8, seen: 8 } }])
})

test('a forged answer suspends nothing, whatever counter it has', async () => {
  const { kept } = await holder(at, { counter: 7 })
  const forger = register({ challenge: 'AAAA', rp: { id: 'site.test' }, user: { id: kept.userHandle } }, ORIGIN).kept
  expect(await signInBy(new Browser(at), { ...forger, id: kept.id, counter: 1 })).toMatchObject(refused)
  expect((await signInBy(new Browser(at), kept)).status).toBe(200)
})

test('a name is taken once, also by two that were offered it, and names of the site are reserved', async () => {
  const [one, two] = [new Browser(at), new Browser(at)]
  const wanted = { for: 'sign_up', username: 'Twice_Asked' }
  const [first, second] = [await newCredential(one, wanted), await newCredential(two, { ...wanted, username: 'twice_asked' })]
  expect((await one.post('/api/auth/passkeys/sign-up', { credential: first.credential })).status).toBe(200)
  const late = await two.post('/api/auth/passkeys/sign-up', { credential: second.credential })
  expect(late).toMatchObject({ status: 409, body: { code: 'username_taken' } })
  expect((await two.post('/api/auth/passkeys/options', wanted)).body.code).toBe('username_taken')
  expect((await two.post('/api/auth/passkeys/options', { for: 'sign_up', username: 'Support' })).body.code).toBe('username_reserved')
})

test('with the second factor on, a passkey alone does not sign in', async () => {
  const { browser, kept } = await holder(at)
  expect(await browser.post('/api/auth/two-factor/enroll')).toMatchObject({ status: 403, body: { code: 'approval_required' } })
  await browser.enroll(await approvalBy(browser, kept, { action: 'second_factor' }))
  const other = new Browser(at)
  expect(await signInBy(other, kept)).toMatchObject({ status: 200, body: { twoFactorRedirect: true } })
  expect((await other.get('/api/auth/session')).body).toBeNull()
})

test('one session’s sign-up ends another’s in the same browser', async () => {
  const { browser, user } = await holder(at)
  const { credential } = await newCredential(browser, { for: 'sign_up', username: 'second_self' })
  const { body } = await browser.post('/api/auth/passkeys/sign-up', { credential })
  expect(body.user.id).not.toBe(user.id)
  expect(await at.rows('select from session where user_id = ?', [user.id])).toEqual([])
})
