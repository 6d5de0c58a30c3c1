import { expect, test } from 'vitest'
import { signedMessage } from '../../platform/test/signing-in.ts'
import { Browser, walletOf } from './browser.ts'
import { approvalBy, type Holder, holder, newCredential, signInBy } from './passkey-holder.ts'
import { testSite } from './test-site.ts'

const at = await testSite()
let wallets = 8100

const titles = async (browser: Browser) => (await browser.get('/api/notifications')).body.map(({ title }: { title: string }) => title)
const add = async ({ browser, kept }: Pick<Holder, 'browser' | 'kept'>, name = 'Laptop') => {
  const made = await newCredential(browser, { for: 'add' })
  const approval = await approvalBy(browser, kept, { action: 'add_passkey' })
  return { ...made, answer: await browser.post('/api/auth/passkeys', { credential: made.credential, name, approval }) }
}
const recover = async (code: string, browser = new Browser(at)) => {
  const { status, body } = await browser.post('/api/auth/passkeys/options', { for: 'recovery', code })
  if (status !== 200) return { status, body, browser, kept: null }
  const { credential, kept } = await newCredential(browser, { for: 'recovery', code })
  return { ...(await browser.post('/api/auth/passkeys/recovery', { code, credential })), browser, kept }
}
/** The proof of an action by a wallet. */
const approvalByWallet = async (browser: Browser, wallet: ReturnType<typeof walletOf>, action: object, statement?: string) => {
  const { body } = await browser.post('/api/auth/approvals', action)
  return signedMessage(at.site, wallet, body.nonce, statement ?? body.statement)
}

test('a second passkey signs in to the same account, and the first cannot be registered again', async () => {
  const one = await holder(at)
  const { kept, answer } = await add(one)
  expect(answer).toMatchObject({ status: 200, body: { passkeys: [{ name: 'Phone' }, { name: 'Laptop' }], recoveryCodes: [] } })
  expect((await signInBy(new Browser(at), kept)).body.user.id).toBe(one.user.id)
  const { body } = await one.browser.post('/api/auth/passkeys/options', { for: 'add' })
  expect(body.creation.excludeCredentials.map(({ id }: { id: string }) => id)).toEqual([one.kept.id, kept.id])
  expect(await titles(one.browser)).toEqual(['A passkey was added'])
})

test('a credential belongs to one account', async () => {
  const [one, two] = [await holder(at), await holder(at)]
  const { credential } = await newCredential(one.browser, { for: 'add' })
  const first = await approvalBy(one.browser, one.kept, { action: 'add_passkey' })
  expect((await one.browser.post('/api/auth/passkeys', { credential, approval: first })).status).toBe(200)
  const again = await approvalBy(one.browser, one.kept, { action: 'add_passkey' })
  expect((await one.browser.post('/api/auth/passkeys', { credential, approval: again })).body.code).toBe('passkey_refused')
  const other = await approvalBy(two.browser, two.kept, { action: 'add_passkey' })
  expect((await two.browser.post('/api/auth/passkeys', { credential, approval: other })).body.code).toBe('passkey_refused')
})

test('a passkey is renamed and removed, but the last way in stays', async () => {
  const one = await holder(at)
  const { kept } = await add(one)
  const elsewhere = new Browser(at)
  await signInBy(elsewhere, kept)
  const { passkeys } = (await one.browser.get('/api/auth/ways-in')).body
  const path = (n: number) => `/api/auth/passkeys/${passkeys[n].id}`
  const remove = async (n: number) => {
    const approval = await approvalBy(one.browser, one.kept, { action: 'remove_passkey', id: passkeys[n].id })
    return one.browser.post(`${path(n)}/remove`, { approval })
  }
  const wrong = await approvalBy(one.browser, one.kept, { action: 'remove_passkey', id: passkeys[0].id })
  expect((await one.browser.post(`${path(1)}/remove`, { approval: wrong })).body.code).toBe('approval_invalid')
  expect((await one.browser.call('PATCH', path(1), { name: '  Work laptop ' })).body.passkeys[1].name).toBe('Work laptop')
  expect((await remove(1)).body.passkeys).toHaveLength(1)
  expect((await elsewhere.get('/api/auth/session')).body).toBeNull()
  expect(await signInBy(new Browser(at), kept)).toMatchObject({ status: 401, body: { code: 'passkey_refused' } })
  expect((await remove(1)).body.code).toBe('passkey_not_found')
  expect((await remove(0)).body.code).toBe('last_way_in')
  expect(await titles(one.browser)).toEqual(['A passkey was removed', 'A passkey was added'])
})

test('another member’s passkey is neither renamed nor removed, whatever is proven', async () => {
  const [one, two] = [await holder(at), await holder(at)]
  await add(two)
  const [{ id }] = (await one.browser.get('/api/auth/ways-in')).body.passkeys
  const approval = await approvalBy(two.browser, two.kept, { action: 'remove_passkey', id })
  const unknown = { status: 404, body: { code: 'passkey_not_found' } }
  expect(await two.browser.post(`/api/auth/passkeys/${id}/remove`, { approval })).toMatchObject(unknown)
  expect(await two.browser.call('PATCH', `/api/auth/passkeys/${id}`, { name: 'Mine' })).toMatchObject(unknown)
})

test.each([
  ['of 200 characters', 'x'.repeat(200), null],
  ['with a control character', 'a\u0007b', null],
  ['of spaces', '   ', null],
  ['with right-to-left overrides', 'Safe\u202Egnp.exe', 'Safegnp.exe'],
  ['of invisible characters', '\u200b\u2066\u2069', null],
  ['in another script', 'هاتفي 📱', 'هاتفي 📱'],
])('a name %s is shown as it is seen, or refused', async (_, name, shown) => {
  const { browser } = await holder(at)
  const [{ id }] = (await browser.get('/api/auth/ways-in')).body.passkeys
  const { status, body } = await browser.call('PATCH', `/api/auth/passkeys/${id}`, { name })
  expect([status, body.passkeys?.[0].name ?? null]).toEqual([shown === null ? 400 : 200, shown])
})

test('a recovery code counts once, adds a passkey, and signs every other device out', async () => {
  const { browser, user, recoveryCodes } = await holder(at)
  const typed = recoveryCodes[0]!.toUpperCase().replaceAll('-', ' ')
  const recovered = await recover(typed)
  expect(recovered).toMatchObject({ status: 200, body: { user: { id: user.id, ways_in: { passkeys: 2, recovery_codes: 9 } } } })
  expect((await browser.get('/api/auth/session')).body).toBeNull()
  expect((await signInBy(new Browser(at), recovered.kept!)).status).toBe(200)
  expect(await recover(typed)).toMatchObject({ status: 401, body: { code: 'recovery_code_invalid' } })
  expect(await titles(recovered.browser)).toContain('A recovery code was used')
  const audited = await at.rows(`select details from audit_log where subject_id = ? and action = 'account_recovered'`, [user.id])
  expect(audited).toMatchObject([{ details: { emailed: false, left: 9 } }])
})

test('a code of another account does not answer a challenge of this one', async () => {
  const [one, two] = [await holder(at), await holder(at)]
  const browser = new Browser(at)
  const { credential } = await newCredential(browser, { for: 'recovery', code: one.recoveryCodes[0] })
  const answer = await browser.post('/api/auth/passkeys/recovery', { code: two.recoveryCodes[0], credential })
  expect(answer).toMatchObject({ status: 401, body: { code: 'passkey_refused' } })
  expect((await recover(two.recoveryCodes[0]!)).status).toBe(200)
})

test('new recovery codes replace those of before', async () => {
  const { browser, kept, recoveryCodes } = await holder(at)
  const approval = await approvalBy(browser, kept, { action: 'renew_codes' })
  const { body } = await browser.post('/api/auth/recovery-codes', { approval })
  expect(body.recoveryCodes).toHaveLength(10)
  expect((await recover(recoveryCodes[0]!)).body.code).toBe('recovery_code_invalid')
  expect((await recover(body.recoveryCodes[0])).status).toBe(200)
})

test('a wallet is linked and signs in to the account, which keeps its address; it is no admin by that', async () => {
  const { browser, kept, user } = await holder(at)
  const wallet = walletOf(++wallets)
  await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [wallet.address.toLowerCase()])
  const approval = await approvalBy(browser, kept, { action: 'link_wallet', address: wallet.address })
  const linked = await browser.post('/api/auth/wallets', { ...(await browser.signed(wallet)), approval })
  expect(linked).toMatchObject({ status: 200, body: { wallets: [{ address: wallet.address, primary: false }], keeps_key: true } })
  const other = new Browser(at)
  expect((await other.signIn(wallet)).body.user).toMatchObject({ id: user.id, address: user.address, is_admin: false })

  const removal = await approvalByWallet(other, wallet, { action: 'unlink_wallet', address: wallet.address })
  const gone = await other.post('/api/auth/wallets/remove', { address: wallet.address, approval: removal })
  expect(gone).toMatchObject({ status: 200, body: { wallets: [] } })
  expect((await new Browser(at).signIn(wallet)).body.user.id).not.toBe(user.id)
})

test('a wallet that has an account is not linked to another, nor one of another signer', async () => {
  const { browser, kept } = await holder(at)
  const wallet = walletOf(++wallets)
  await new Browser(at).signIn(wallet)
  const approve = () => approvalBy(browser, kept, { action: 'link_wallet', address: wallet.address })
  const known = await browser.post('/api/auth/wallets', { ...(await browser.signed(wallet)), approval: await approve() })
  expect(known.body.code).toBe('wallet_known')
  const { message } = await browser.signed(wallet)
  const { signature } = await browser.signed(walletOf(++wallets))
  expect((await browser.post('/api/auth/wallets', { message, signature, approval: await approve() })).body.code).toBe('wallet_refused')
})

test('a member with a wallet adds a passkey by a signature of the wallet for that alone', async () => {
  const browser = new Browser(at)
  const wallet = walletOf(++wallets)
  const { user } = (await browser.signIn(wallet)).body
  const { credential, kept } = await newCredential(browser, { for: 'add' })
  const send = (approval: object) => browser.post('/api/auth/passkeys', { credential, name: 'Key', approval })
  const action = { action: 'add_passkey' }
  const other = await approvalByWallet(browser, wallet, action, 'Sign in to trade.')
  expect((await send(other)).body.code).toBe('approval_invalid')
  const stranger = await approvalByWallet(browser, walletOf(++wallets), action)
  expect((await send(stranger)).body.code).toBe('wallet_refused')
  expect((await send(await browser.signed(wallet))).body.code).toBe('approval_invalid')
  const added = await send(await approvalByWallet(browser, wallet, action))
  expect(added).toMatchObject({ status: 200, body: { passkeys: [{ name: 'Key' }], keeps_key: false } })
  expect(added.body.recoveryCodes).toHaveLength(10)
  expect((await signInBy(new Browser(at), kept)).body.user.id).toBe(user.id)
  const { passkeys, wallets: own } = (await browser.get('/api/auth/ways-in')).body
  const removal = await approvalBy(browser, kept, { action: 'unlink_wallet', address: own[0].address })
  const stays = await browser.post('/api/auth/wallets/remove', { address: own[0].address, approval: removal })
  expect([passkeys.length, stays.body.code]).toEqual([1, 'wallet_not_linked'])
})

test('an account has at most twenty passkeys', async () => {
  const { browser, user } = await holder(at)
  await at.rows(
    `insert into passkey (user_id, credential, public_key, name, created_at)
     select ?, 'many' || n, 'k', 'n', now() from generate_series(1, 19) n`,
    [user.id],
  )
  expect((await browser.post('/api/auth/passkeys/options', { for: 'add' })).body.code).toBe('too_many_passkeys')
})
