import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { runJob } from '@augury/platform/jobs/run-job'
import { withdrawalsJob } from '@augury/platform/sync/withdrawals'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { enable, fund, tradingSite } from './exchange.ts'

const at = await tradingSite()
const destination = walletOf(9999).address
const DAY = 86_400_000
let wallets = 9500

/** A member who joined `daysAgo` and just signed in. */
const member = async (daysAgo = 0, amount = '100') => {
  const browser = new Browser(at)
  const wallet = walletOf(++wallets)
  const { user } = (await browser.signIn(wallet)).body
  await at.rows('update users set created_at = ? where id = ?', [new Date(at.clock.now() - daysAgo * DAY), user.id])
  await fund(at, wallet.address, amount)
  return { browser, wallet, user }
}
/** Marks the browser as one where the member enabled trading `daysAgo`. */
const know = async ({ browser, user }: Awaited<ReturnType<typeof member>>, daysAgo: number) => {
  const mark = 'm'.repeat(43)
  browser.jar.set('__Host-augury_context', mark)
  await at.rows(`insert into trading_context (user_id, slot, context_hash, created_at) values (?, 0, sha256(?::bytea), ?)`, [
    user.id,
    Buffer.from(mark),
    new Date(at.clock.now() - daysAgo * DAY),
  ])
}
const take = (browser: Browser, amount: string) => browser.post('/api/withdrawals', { amount, destination })
const sync = () => runJob(at.site, workerScheduler('test'), withdrawalsJob(at.site.exchange.treasury))
const statuses = async (browser: Browser) => (await browser.get('/api/withdrawals')).body.map(({ status }: { status: string }) => status)
const titles = async (browser: Browser) => (await browser.get('/api/notifications')).body.map(({ title }: { title: string }) => title)

test.each([
  ['who has just joined', 0, null, 'sent'],
  ['on a device of long ago', 30, 2, 'sent'],
  ['on a device that is new', 30, 0.5, 'requested'],
  ['on no device that is known', 30, null, 'requested'],
])('a member %s: %i days here, device of %s', async (_, joined, known, status) => {
  const who = await member(joined)
  if (known !== null) await know(who, known)
  expect((await take(who.browser, '1')).body.status).toBe(status)
})

test('nothing is sent to the address of zeros, which has no owner', async () => {
  const { browser } = await member()
  const body = { amount: '1', destination: `0x${'0'.repeat(40)}` }
  const details = [{ path: 'destination', problem: expect.stringContaining('no owner') }]
  expect(await browser.post('/api/withdrawals', body)).toMatchObject({ status: 400, body: { code: 'invalid_payload', details } })
  expect(await statuses(browser)).toEqual([])
})

test('a held withdrawal is notified, waits for a day, and then continues', async () => {
  const { browser } = await member(30)
  const { body } = await take(browser, '60')
  expect(body).toMatchObject({ status: 'requested', held_until: new Date(at.clock.now() + DAY).toISOString() })
  expect(await titles(browser)).toEqual(['A withdrawal was asked for on a new device'])
  at.clock.advance(DAY - 1000)
  await sync()
  expect(await statuses(browser)).toEqual(['requested'])
  at.clock.advance(1000)
  await sync()
  expect(await statuses(browser)).toEqual(['sent'])
})

test('only its member may cancel it while it waits', async () => {
  const [one, other] = [await member(30), await member(30)]
  const { body } = await take(one.browser, '60')
  const path = `/api/withdrawals/${body.id}`
  expect(await other.browser.call('DELETE', path)).toMatchObject({ status: 404, body: { code: 'withdrawal_not_found' } })
  expect((await one.browser.call('DELETE', path)).body.status).toBe('cancelled')
  expect((await one.browser.call('DELETE', path)).body.status).toBe('cancelled')
  at.clock.advance(2 * DAY)
  await sync()
  expect(await statuses(one.browser)).toEqual(['cancelled'])
  const fresh = await member()
  const gone = (await take(fresh.browser, '1')).body
  expect((await fresh.browser.call('DELETE', `/api/withdrawals/${gone.id}`)).body.code).toBe('withdrawal_gone_on')
})

test('cancelled and released at the same time, only one takes effect', async () => {
  for (let round = 0; round < 5; round++) {
    const { browser, wallet } = await member(30, '10')
    const { body } = await take(browser, '10')
    at.clock.advance(DAY)
    const [cancelled] = await Promise.all([browser.call('DELETE', `/api/withdrawals/${body.id}`), sync()])
    await sync()
    const [status] = await statuses(browser)
    expect(status).toBe(cancelled.status === 200 ? 'cancelled' : 'sent')
    const { data } = await at.site.exchange.anybody.listActivity({ query: { user: wallet.address } }).then((data) => ({ data }))
    expect(data.filter(({ type }) => type === 'WITHDRAWAL').length).toBe(status === 'sent' ? 1 : 0)
  }
})

test('a member cannot withdraw more than 100 000 a day, however many requests are concurrent', async () => {
  const { browser, wallet } = await member(0, '100000')
  await at.site.exchange
    .treasury()
    .then((exchange) => exchange.deposit({ body: { address: wallet.address, amount: '400000000000', ref: `more-${wallet.address}` } }))
  const answers = await Promise.all(Array.from({ length: 8 }, () => take(browser, '30000')))
  expect(answers.filter(({ status }) => status === 200).length).toBe(3)
  const refused = answers.find(({ status }) => status !== 200)!
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { code: 'withdrawal_limit', details: { limit: '100000', available: '10000' } },
  ])
  expect((await take(browser, '10000')).status).toBe(200)
  at.clock.advance(DAY)
  await browser.signIn(wallet)
  await at.rows('update users set created_at = ? where address = ?', [at.site.now(), wallet.address.toLowerCase()])
  expect((await take(browser, '30000')).status).toBe(200)
})

test('what the limit refuses leaves the code to be used again', async () => {
  const { browser } = await member(0, '100000')
  const { secret } = await browser.enroll()
  const take = (amount: string, more = {}) => browser.post('/api/withdrawals', { amount, destination, ...more })
  const totp = browser.code(secret)
  expect((await take('100000.000001', { totp })).body.code).toBe('withdrawal_limit')
  expect((await take('0', { totp })).body.code).toBe('invalid_amount')
  expect((await take('1', { totp })).status).toBe(200)
  expect((await take('1', { totp })).body.code).toBe('second_factor_failed')
})

test('what the balance refuses leaves the code to be used again, where the balance is known', async () => {
  const { browser, wallet } = await member()
  const { secret } = await browser.enroll()
  expect((await enable(browser, wallet)).status).toBe(200)
  const totp = browser.code(secret)
  const take = (amount: string) => browser.post('/api/withdrawals', { amount, destination, totp })
  expect(await take('100.000001')).toMatchObject({ status: 400, body: { code: 'insufficient_balance' } })
  expect(await statuses(browser)).toEqual([])
  expect((await take('100')).status).toBe(200)
})

test('a cancelled withdrawal does not count towards the limit', async () => {
  const { browser } = await member(30, '100000')
  const { body } = await take(browser, '100000')
  expect((await take(browser, '1')).body).toMatchObject({ code: 'withdrawal_limit', details: { available: '0' } })
  expect((await browser.call('DELETE', `/api/withdrawals/${body.id}`)).body.status).toBe('cancelled')
  expect((await take(browser, '100000')).status).toBe(200)
})

test('a returned withdrawal does not count towards the limit', async () => {
  const { browser } = await member(0, '100000')
  const { body } = await take(browser, '100000')
  expect([body.status, (await take(browser, '1')).body.code]).toEqual(['sent', 'withdrawal_limit'])
  await at.site.exchange.treasury().then((exchange) => exchange.returnWithdrawal({ params: { ref: `withdrawal-${body.id}` } }))
  await sync()
  expect([await statuses(browser), (await take(browser, '100000')).status]).toEqual([['returned'], 200])
})

test('a held withdrawal counts on the day it continues, and a pending one always', async () => {
  const who = await member(30, '100000')
  const { browser, wallet, user } = who
  const exchange = await at.site.exchange.treasury()
  await exchange.deposit({ body: { address: wallet.address, amount: '200000000000', ref: `plenty-${wallet.address}` } })
  const here = async () => {
    await browser.signIn(wallet)
    const { body } = await take(browser, '1')
    return body.code ?? body.status
  }
  expect((await take(browser, '100000')).body.status).toBe('requested')
  await know(who, 2)
  expect(await here()).toBe('withdrawal_limit')
  at.clock.advance(DAY)
  await sync()
  expect([await statuses(browser), await here()]).toEqual([['sent'], 'withdrawal_limit'])
  at.clock.advance(DAY - 1000)
  expect(await here()).toBe('withdrawal_limit')
  at.clock.advance(1000)
  await at.rows(`update withdrawal set status = 'approved' where user_id = ?`, [user.id]) // as if the exchange had been unreachable for so long
  expect(await here()).toBe('withdrawal_limit')
  await sync()
  expect([await statuses(browser), await here()]).toEqual([['sent'], 'withdrawal_limit'])
  await at.rows(`update withdrawal set status = 'settled', updated_at = ? where user_id = ?`, [at.site.now(), user.id])
  at.clock.advance(DAY - 1000)
  expect(await here()).toBe('withdrawal_limit')
  at.clock.advance(1000)
  expect(await here()).toBe('sent')
})

test.each(['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])(
  'a member may name a withdrawal %s, and it goes on like any other',
  async (ref) => {
    const { browser } = await member(30)
    expect((await browser.post('/api/withdrawals', { amount: '1', destination, ref })).body).toMatchObject({ id: ref, status: 'requested' })
    at.clock.advance(DAY)
    await sync()
    expect(await statuses(browser)).toEqual(['sent'])
  },
)

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
