import { assert } from '@augury/testing/authenticator'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { fund, tradingSite } from './exchange.ts'
import { approvalBy, holder, newCredential, signInBy } from './passkey-holder.ts'
import { CONTEXT, order, place } from './traders.ts'

const at = await tradingSite()
const destination = walletOf(7777).address
const elsewhere = walletOf(7778).address
const required = { status: 403, body: { code: 'approval_required' } }
const invalid = { status: 401, body: { code: 'approval_invalid' } }
const withdraw = (amount: string, to: string = destination) => ({ action: 'withdraw', amount, destination: to })

const trader = async () => {
  const member = await holder(at)
  const enabled = await member.browser.post('/api/trading-credentials/own-key')
  if (enabled.status !== 200) throw new Error(JSON.stringify(enabled.body))
  await fund(at, member.user.address, '100')
  return member
}

/** A browser with the cookies of another: the session, and the device. */
const thiefOf = (browser: Browser): Browser => {
  const thief = new Browser(at)
  for (const [name, value] of browser.jar) thief.jar.set(name, value)
  return thief
}

test('an account with a passkey trades by the key that the site keeps', async () => {
  const { browser } = await trader()
  const placed = await place(browser, order(at.markets.rain.yes, '0.03', '10'))
  expect(placed).toMatchObject({ status: 200, body: { state: 'live' } })
  expect(browser.jar.has(CONTEXT)).toBe(true)
  expect((await browser.get('/api/open-orders')).body.data).toHaveLength(1)
})

test('enabling trading takes a sign-in within 15 minutes, and an account whose key is kept', async () => {
  const { browser } = await holder(at)
  at.clock.advance(901_000)
  expect(await browser.post('/api/trading-credentials/own-key')).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
  const other = new Browser(at)
  await other.signIn(walletOf(7001))
  expect(await other.post('/api/trading-credentials/own-key')).toMatchObject({ status: 409, body: { code: 'key_not_kept' } })
})

test('a stolen cookie changes nothing that matters: each needs a passkey of the account', async () => {
  const { browser, kept, user } = await trader()
  const thief = thiefOf(browser)
  expect((await thief.get('/api/auth/session')).body.id).toBe(user.id)
  const { passkeys } = (await thief.get('/api/auth/ways-in')).body
  expect(await thief.post('/api/withdrawals', { amount: '50', destination: elsewhere })).toMatchObject(required)
  // With a passkey of the thief's own, which is not one of the account.
  const own = await holder(at)
  const { credential } = await newCredential(thief, { for: 'add' })
  const tries: [string, object, object][] = [
    ['/api/withdrawals', { amount: '50', destination: elsewhere }, withdraw('50', elsewhere)],
    ['/api/auth/passkeys', { credential }, { action: 'add_passkey' }],
    [`/api/auth/passkeys/${passkeys[0].id}/remove`, {}, { action: 'remove_passkey', id: passkeys[0].id }],
    ['/api/auth/recovery-codes', {}, { action: 'renew_codes' }],
  ]
  for (const [path, body, action] of tries) {
    const approval = await approvalBy(thief, { ...own.kept, counter: 0 }, action)
    const answer = await thief.post(path, { ...body, approval })
    expect([path, answer.status, answer.body.code]).toEqual([path, 401, 'passkey_refused'])
  }
  const proof = await signedLink(thief)
  const approval = await approvalBy(thief, own.kept, { action: 'link_wallet', address: walletOf(7779).address })
  expect(await thief.post('/api/auth/wallets', { ...proof, approval })).toMatchObject({ status: 401, body: { code: 'passkey_refused' } })
  expect((await browser.get('/api/withdrawals')).body).toEqual([])
  expect((await signInBy(new Browser(at), kept)).status).toBe(200)
})

const signedLink = (browser: Browser) => browser.signed(walletOf(7779))

test('a proof counts for one destination and one amount, once', async () => {
  const { browser, kept } = await trader()
  const other = await approvalBy(browser, kept, withdraw('10', elsewhere))
  expect(await browser.post('/api/withdrawals', { amount: '10', destination, approval: other })).toMatchObject(invalid)
  const less = await approvalBy(browser, kept, withdraw('1'))
  expect(await browser.post('/api/withdrawals', { amount: '10', destination, approval: less })).toMatchObject(invalid)
  const approval = await approvalBy(browser, kept, withdraw('10.0', destination.toLowerCase()))
  expect(await browser.post('/api/withdrawals', { amount: '10', destination, approval })).toMatchObject({ status: 200 })
  expect(await browser.post('/api/withdrawals', { amount: '10', destination, approval })).toMatchObject(invalid)
  const late = await approvalBy(browser, kept, withdraw('10'))
  at.clock.advance(300_000)
  expect(await browser.post('/api/withdrawals', { amount: '10', destination, approval: late })).toMatchObject(invalid)
})

test('money does not leave for the account’s own address, whose key the site keeps', async () => {
  const { browser, kept, user } = await trader()
  const approval = await approvalBy(browser, kept, withdraw('10', user.address))
  const refused = await browser.post('/api/withdrawals', { amount: '10', destination: user.address, approval })
  expect(refused).toMatchObject({ status: 400, body: { code: 'withdrawal_destination', details: { reason: 'account_key' } } })
})

test('a proof of another session, and one for signing in, count for nothing', async () => {
  const { browser, kept } = await trader()
  const other = new Browser(at)
  await signInBy(other, kept)
  const foreign = await approvalBy(other, kept, withdraw('10'))
  expect(await browser.post('/api/withdrawals', { amount: '10', destination, approval: foreign })).toMatchObject(invalid)
  const { body } = await browser.post('/api/auth/passkeys/options', { for: 'sign_in' })
  const approval = { passkey: assert(kept, body.request, 'https://site.test') }
  expect(await browser.post('/api/withdrawals', { amount: '10', destination, approval })).toMatchObject(invalid)
})
