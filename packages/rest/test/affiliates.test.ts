import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { httpVisit } from '@augury/platform/authorization/visit'
import { isReferralCode } from '@augury/platform/identity/join'
import { markReferral, referralLink } from '@augury/platform/identity/referral-mark'
import { runJob } from '@augury/platform/jobs/run-job'
import { useCases } from '@augury/platform/operations'
import { affiliatesJob } from '@augury/platform/sync/affiliates'
import { getAddress, zeroAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { memberOn } from './as-member.ts'
import { Browser, walletOf } from './browser.ts'
import { enable, fund, tradingSite } from './exchange.ts'

const at = await tradingSite()
const COOKIE = '__Host-augury_referral'
const DAY = 86_400_000
let wallets = 7000

/** A browser that followed a link this many days ago. */
const follow = (code: string, daysAgo = 0, browser = new Browser(at)): Browser => {
  const visit = httpVisit({ method: 'GET', header: () => undefined, clientAddress: '' }, true)
  markReferral(visit, code, new Date(at.clock.now() - daysAgo * DAY))
  const [line] = visit.answerHeaders()['Set-Cookie'] as string[]
  browser.jar.set(COOKIE, /=([^;]*)/.exec(line!)![1]!)
  return browser
}
const join = async (browser = new Browser(at), wallet: PrivateKeyAccount = walletOf(++wallets)) => {
  const { user } = (await browser.signIn(wallet)).body
  return { browser, wallet, id: user.id as string, code: user.affiliate_code as string }
}
const referrerOf = async (id: string) => (await at.rows('select referrer_id, status from referral where user_id = ?', [id]))[0]
const info = async (browser: Browser) => (await browser.get('/api/affiliate-info')).body
const statement = (who: { browser: Browser }) =>
  memberOn(at, who.browser).then((member) => useCases.affiliateStatement(at.site, member, { query: { offset: 0, limit: 50 } } as never))
const sync = () => runJob(at.site, workerScheduler('test'), affiliatesJob(at.site.exchange.operator))

test.each<[string, string, { code: string | null; to: string } | null]>([
  ['a link', 'https://site.test/r/abc123', { code: 'abc123', to: '/' }],
  ['one in capitals', 'https://site.test/r/ABC123', { code: 'abc123', to: '/' }],
  ['one to a page', 'https://site.test/r/abc123?to=/event/rain%3Fx=1', { code: 'abc123', to: '/event/rain?x=1' }],
  ['one on a page', 'https://site.test/event/rain?a=1&r=abc123&b=2', { code: 'abc123', to: '/event/rain?a=1&b=2' }],
  ['one on the front page', 'https://site.test/?r=abc123', { code: 'abc123', to: '/' }],
  ['one to another site', 'https://site.test/r/abc123?to=https://evil.test/', { code: 'abc123', to: '/' }],
  ['one to another site without a scheme', 'https://site.test/r/abc123?to=//evil.test/', { code: 'abc123', to: '/' }],
  ['one to another site by a backslash', 'https://site.test/r/abc123?to=/\\evil.test/', { code: 'abc123', to: '/' }],
  ['one to another site by a detour', 'https://site.test/r/abc123?to=/.//evil.test/', { code: 'abc123', to: '/' }],
  ['one on a path of two slashes', 'https://site.test//evil.test/?r=abc123', { code: 'abc123', to: '/' }],
  ['no code', 'https://site.test/event/rain', null],
  ['what is no code', 'https://site.test/?r=<script>', null],
  ['what is no code, in a path', 'https://site.test/r/%22%3E%3Cscript%3E', { code: null, to: '/' }],
  ['a code that is too short', 'https://site.test/r/abc?to=/event/rain', { code: null, to: '/event/rain' }],
  ['a code that is too long', `https://site.test/r/${'a'.repeat(33)}`, { code: null, to: '/' }],
  ['a path below a code', 'https://site.test/r/abc123/x?to=//evil.test/', { code: null, to: '/' }],
  ['a link that lost its code', 'https://site.test/r', { code: null, to: '/' }],
  ['the same with a slash', 'https://site.test/r/', { code: null, to: '/' }],
  ['a code with the space that pasting added', 'https://site.test/r/abc123%20/', { code: 'abc123', to: '/' }],
  ['a page whose name begins alike', 'https://site.test/rain', null],
])('%s', (_, address, expected) => {
  expect(referralLink(new URL(address))).toEqual(expected)
})

test('who joins within 30 days of following a link is referred for life, and the referrer is notified', async () => {
  const [anna, berta] = [await join(), await join()]
  const late = await join(follow(anna.code, 30))
  expect(await referrerOf(late.id)).toEqual({ referrer_id: anna.id, status: 'pending' })
  expect(late.browser.jar.has(COOKIE)).toBe(false)
  expect((await anna.browser.get('/api/notifications')).body).toMatchObject([
    { title: 'A new member joined by your link', link_target: 'affiliate' },
  ])
  expect(await info(late.browser)).toEqual({
    ...{ referrerAddress: at.site.exchange.operatorAddress, affiliateAddress: anna.wallet.address },
    ...{ affiliateSharePercent: 50, tradeFeeBps: 400 },
  })
  expect(await info(new Browser(at))).toMatchObject({ affiliateAddress: zeroAddress })
  const treasury = `0x${'ab'.repeat(20)}` as const
  await at.rows(`insert into settings_version (group_name, number, values, created_at) values ('general', 1, ?, now())`, [
    JSON.stringify({ feeRecipientWallet: treasury }),
  ])
  expect(await info(new Browser(at))).toMatchObject({ referrerAddress: getAddress(treasury) })
  await join(follow(berta.code, 0, late.browser), late.wallet)
  expect(await referrerOf(late.id)).toMatchObject({ referrer_id: anna.id })
  const both = await join(follow(berta.code, 0, follow(anna.code)))
  expect(await referrerOf(both.id)).toMatchObject({ referrer_id: berta.id })
})

test('links that are too old, from the future, forged, unknown, or of a banned member do not count', async () => {
  const { code, id } = await join()
  const edited = new Browser(at)
  edited.jar.set(COOKIE, `${code}-zzzzzzzz-x`)
  for (const browser of [follow(code, 31), follow(code, -1), follow('abcdef'), edited])
    expect(await referrerOf((await join(browser)).id)).toBeUndefined()
  await at.rows('update users set banned_at = now() where id = ?', [id])
  expect(await referrerOf((await join(follow(code))).id)).toBeUndefined()
})

test('a code is a referrer’s unless it is unknown or its member is banned', async () => {
  const { code, id } = await join()
  expect([await isReferralCode(at.site, code), await isReferralCode(at.site, 'abcdef')]).toEqual([true, false])
  await at.rows('update users set banned_at = now() where id = ?', [id])
  expect(await isReferralCode(at.site, code)).toBe(false)
})

test('self-referral is refused: not by a second wallet on a browser that is signed in or trades, nor as their proxy wallet', async () => {
  const own = await join()
  follow(own.code, 0, own.browser)
  expect(await referrerOf((await join(own.browser)).id)).toBeUndefined()
  const trader = await join()
  expect((await enable(trader.browser, trader.wallet)).status).toBe(200)
  await trader.browser.post('/api/auth/sign-out')
  follow(trader.code, 0, trader.browser)
  expect(await referrerOf((await join(trader.browser)).id)).toBeUndefined()
  const proxy = walletOf(++wallets)
  await at.rows(
    `update users set proxy_wallet_address = ?, proxy_wallet_signature = '0x', proxy_wallet_signed_at = now(), proxy_wallet_status = 'signed' where id = ?`,
    [proxy.address.toLowerCase(), trader.id],
  )
  expect(await referrerOf((await join(follow(trader.code), proxy)).id)).toBeUndefined()
  await expect(at.rows('insert into referral (user_id, referrer_id, created_at) values (?, ?, now())', [own.id, own.id])).rejects.toThrow(
    'referral_not_of_oneself',
  )
})

test('the statement is what the exchange paid, order by order and to the millionth', async () => {
  const anna = await join()
  const bert = await join(follow(anna.code))
  const maker = await join()
  for (const { wallet, browser } of [bert, maker]) {
    await fund(at, wallet.address, '1000')
    expect((await enable(browser, wallet)).status).toBe(200)
  }
  expect(await referrerOf(bert.id)).toMatchObject({ status: 'counted' }) // before they could trade
  const { yes, no, condition } = at.markets.rain
  const order = { orderType: 'GTC', side: 'BUY' }
  for (const [price, size] of [
    ['0.55', '13.37'],
    ['0.54', '7.01'],
    ['0.5', '99.99'],
  ])
    await maker.browser.post('/api/orders', { ...order, tokenId: no, price, size })
  for (const size of ['20.38', '31', '5.5'])
    expect((await bert.browser.post('/api/orders', { ...order, tokenId: yes, price: '0.5', size })).body.state).toBe('filled')

  expect(await sync()).toMatchObject({ success: true, shares: 3, errors: 0 })
  expect(await sync()).toMatchObject({ success: true, shares: 0 })
  const shown = await statement(anna)
  expect(shown).toMatchObject({
    ...{ code: anna.code, link: `https://site.test/r/${anna.code}`, affiliateShareBps: 5000, referrals: 1, traders: 1 },
    shares: [{ trader: bert.wallet.address, market: { condition_id: condition, event_slug: 'rain' } }, {}, {}],
  })
  // Computed by hand: each fill is 400 bp of lots · k · (10⁴ − k), an order rounds once, half of it is shared, rounded down.
  const fill = (lots: number, k: number) => (400 * lots * k * (10_000 - k)) / 1e8
  const fees = [fill(1337, 4500) + fill(701, 4600), fill(3100, 5000), fill(550, 5000)].map(Math.round)
  const earned = fees.reduce((sum, fee) => sum + Math.floor(fee / 2), 0)
  await at.rows(`insert into settings_version (group_name, number, values, created_at) values ('affiliate', 1, ?, now())`, [
    JSON.stringify({ affiliateShareBps: 1250 }),
  ])
  expect(await statement(anna)).toMatchObject({ affiliateShareBps: 1250 }) // in whole percents it would be said to be less than it is
  expect([shown.fees, shown.earned]).toEqual([String(fees[0]! + fees[1]! + fees[2]!), String(earned)])
  expect(shown.shares.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(earned)
  await enable(anna.browser, anna.wallet)
  expect(await cashOf(anna)).toBe(earned)
  expect((await statement(bert)).shares).toEqual([])
})

/** Balance of an account at the exchange, in millionths. */
async function cashOf({ browser, wallet }: { browser: Browser; wallet: PrivateKeyAccount }): Promise<number> {
  const member = await memberOn(at, browser)
  const funds = await useCases.getFunds(at.site, member, {} as never)
  expect(wallet.address.toLowerCase()).toBe(member.address)
  return Number(funds.cash!.available)
}

test('a referral that could not be sent to the exchange is sent by the job; one it already has stays', async () => {
  const [anna, berta] = [await join(), await join()]
  const [fresh, known] = [await join(follow(anna.code)), await join(follow(anna.code))]
  expect(await sync()).toMatchObject({ success: true, errors: 0 })
  expect(await referrerOf(fresh.id)).toMatchObject({ status: 'pending' }) // only accounts with a key by this deployment are sent
  for (const { browser, wallet } of [fresh, known]) await enable(browser, wallet)
  await at.rows(`update referral set status = 'pending' where user_id = ?`, [fresh.id])
  await at.rows(`update referral set status = 'pending', referrer_id = ? where user_id = ?`, [berta.id, known.id])
  expect(await sync()).toMatchObject({ success: true, referrals: expect.any(Number), errors: 0 })
  expect([await referrerOf(fresh.id), await referrerOf(known.id)]).toMatchObject([{ status: 'counted' }, { status: 'taken' }])
  expect(await info(known.browser)).toMatchObject({ affiliateAddress: zeroAddress })
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
