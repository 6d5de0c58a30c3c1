import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { openExchange } from '@augury/platform/exchange/exchange-access'
import { runJob } from '@augury/platform/jobs/run-job'
import { withdrawalsJob } from '@augury/platform/sync/withdrawals'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { platformApp } from '../src/platform.ts'
import { Browser, walletOf } from './browser.ts'
import { fund, tradingSite, WALLET } from './exchange.ts'

const at = await tradingSite()
const destination = walletOf(9999).address
const treasury = await at.site.exchange.treasury()
/** Milliseconds after which a request has reached the exchange or never will. */
const LATE = 120_000
let wallets = 9000

const member = async (amount: string) => {
  const browser = new Browser(at)
  const wallet = walletOf(++wallets)
  const { user } = (await browser.signIn(wallet)).body
  await fund(at, wallet.address, amount)
  return { browser, wallet, user }
}
const take = (browser: Browser, amount: string, more = {}) => browser.post('/api/withdrawals', { amount, destination, ...more })
const list = async (browser: Browser) => (await browser.get('/api/withdrawals')).body
const sync = async (exchange = at.site.exchange.treasury) =>
  (await runJob(at.site, workerScheduler('test'), withdrawalsJob(exchange))) as Record<string, unknown>
const titles = async (browser: Browser) => (await browser.get('/api/notifications')).body.map(({ title }: { title: string }) => title)
const refOf = ({ id }: { id: string }) => ({ params: { ref: `withdrawal-${id}` } })

afterEach(async () => {
  await at.rows(`update withdrawal set status = 'settled' where status in ('requested', 'approved', 'sent')`)
})

test('the amount is reserved at once, and settled when paid out', async () => {
  const { browser } = await member('100')
  const { status, body } = await take(browser, '60.5')
  const now = at.site.now().toISOString()
  expect([status, body]).toEqual([
    200,
    {
      ...{ id: body.id, amount: '60500000', destination, status: 'sent', held_until: null, created_at: now, updated_at: now },
      awaits_admins: false,
      ...{ chain_id: null, tx_hash: null, block: null },
    },
  ])
  const details = { available: '39500000', reserved: '0', required: '60000000' }
  expect(await take(browser, '60')).toMatchObject({ status: 400, body: { code: 'insufficient_balance', details } })
  expect((await list(browser)).map((each: { status: string }) => each.status)).toEqual(['refused', 'sent'])
  await sync()
  expect((await list(browser))[1].status).toBe('sent')
  await treasury.settleWithdrawal(refOf(body))
  expect(await sync()).toMatchObject({ success: true, withdrawals: 1, errors: 0 })
  expect((await list(browser))[1]).toMatchObject({ id: body.id, status: 'settled' })
  expect(await sync()).toMatchObject({ success: true, errors: 0 })
  expect((await titles(browser)).sort()).toEqual(['Withdrawal completed', 'Withdrawal on its way', 'Withdrawal refused'])
})

test('a returned amount is credited', async () => {
  const { browser } = await member('10')
  const { body } = await take(browser, '10')
  await treasury.returnWithdrawal(refOf(body))
  await sync()
  expect((await list(browser))[0].status).toBe('returned')
  expect((await take(browser, '10')).status).toBe(200)
})

test('a withdrawal without an answer by the exchange is retried, and debited once', async () => {
  const { browser, user, wallet } = await member('50')
  const address = wallet.address.toLowerCase()
  const now = at.site.now()
  const [lost] = await at.rows(
    `insert into withdrawal (user_id, address, destination, amount, created_at, updated_at) values (?, ?, ?, 30000000, ?, ?) returning id`,
    [user.id, address, destination.toLowerCase(), now, now],
  )
  // The exchange had reserved it; only the response was lost.
  await treasury.withdraw({ body: { address: wallet.address, amount: '30000000', ref: `withdrawal-${lost!.id}` } })
  expect(await sync()).not.toHaveProperty('withdrawals')
  at.clock.advance(LATE)
  const away = async () => Promise.reject(new Error('no exchange'))
  expect(await sync(away)).toMatchObject({ errors: 1, errorDetails: [{ context: lost!.id, error: 'no exchange' }] })
  expect((await list(browser))[0].status).toBe('approved')
  expect(await at.rows('select item from sync_failure')).toEqual([{ item: lost!.id }])
  at.clock.advance(LATE)
  await sync()
  expect((await list(browser))[0].status).toBe('sent')
  expect(await at.rows('select item from sync_failure')).toEqual([])
  expect((await take(browser, '20.000001')).body.code).toBe('insufficient_balance')
  expect((await take(browser, '20')).status).toBe(200)
})

test('a request with a ref is one withdrawal however often it is sent, and needs no second proof', async () => {
  const { browser } = await member('10')
  const { secret } = await browser.enroll()
  const request = { ref: crypto.randomUUID(), totp: browser.code(secret) }
  const first = await take(browser, '3', request)
  expect([first.status, first.body]).toMatchObject([200, { id: request.ref, status: 'sent' }])
  expect(await take(browser, '3', request)).toMatchObject({ status: 200, body: first.body })
  expect(await take(browser, '4', request)).toMatchObject({ status: 409, body: { code: 'duplicate_ref' } })
  const elsewhere = { ...request, destination: walletOf(9998).address }
  expect(await take(browser, '3', elsewhere)).toMatchObject({ status: 409, body: { code: 'duplicate_ref' } })
  const other = await member('10')
  expect(await take(other.browser, '3', { ref: request.ref })).toMatchObject({ status: 409, body: { code: 'duplicate_ref' } })
  expect(await list(browser)).toHaveLength(1)
  expect(await list(other.browser)).toEqual([])
})

test('concurrent equal requests are one withdrawal', async () => {
  const { browser } = await member('100')
  const ref = crypto.randomUUID()
  const answers = await Promise.all(Array.from({ length: 10 }, () => take(browser, '3', { ref })))
  expect(answers.map(({ status, body }) => [status, body.id])).toEqual(answers.map(() => [200, ref]))
  expect(await list(browser)).toHaveLength(1)
})

test('concurrent equal requests count once towards the daily limit', async () => {
  const { browser } = await member('100000')
  const ref = crypto.randomUUID()
  const answers = await Promise.all(Array.from({ length: 6 }, () => take(browser, '60000', { ref })))
  expect(answers.map(({ status, body }) => [status, body.id])).toEqual(answers.map(() => [200, ref]))
  expect(await take(browser, '40000.000001')).toMatchObject({ body: { code: 'withdrawal_limit', details: { available: '40000' } } })
})

/** A member whose request is refused for lack of funds; `meanwhile` runs before the refusal arrives. */
async function refusedMeanwhile(meanwhile: (address: string) => Promise<unknown>) {
  const { browser, wallet } = await member('1')
  const withdraw: typeof treasury.withdraw = (input) =>
    treasury.withdraw(input).catch(async (refusal) => {
      await meanwhile(wallet.address)
      throw refusal
    })
  const slow = asking(browser, async () => ({ ...treasury, withdraw }))
  return { browser, answer: await take(slow, '50') }
}

/** The same session at a site with another connection to the exchange. */
function asking(browser: Browser, exchange: typeof at.site.exchange.treasury): Browser {
  const site = { ...at.site, exchange: { ...at.site.exchange, treasury: exchange } }
  const other = new Browser({ ...at, app: platformApp({ site, onBug: (bug) => void at.bugs.push(bug) }) })
  for (const [name, value] of browser.jar) other.jar.set(name, value)
  return other
}

/** The exchange behind a network that cuts the connection of the first withdrawal and delivers its request later, when told to. */
async function slowNetwork() {
  const { promise: kept, resolve: keep } = Promise.withResolvers<() => Promise<Response>>()
  let withdrawals = 0
  const server = createServer(async (request, response) => {
    const { host, connection, 'content-length': length, ...headers } = request.headers as Record<string, string>
    const { method = 'GET', url } = request
    const body = method === 'GET' ? null : await text(request)
    const forward = () => fetch(at.clobUrl + url, { method, headers, body })
    if (url === '/operator/withdrawals' && ++withdrawals === 1) {
      keep(forward)
      request.destroy()
      return
    }
    const answer = await forward()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const clobUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { exchange: openExchange({ clobUrl, publicClobUrl: at.clobUrl, platformWalletKey: WALLET }), kept }
}

test('a request that was cut off and arrives late is not refused because of a retry', async () => {
  const { exchange, kept } = await slowNetwork()
  const { browser, wallet } = await member('1')
  expect(await take(asking(browser, exchange.treasury), '50')).toMatchObject({ status: 200, body: { status: 'approved' } })
  await fund(at, wallet.address, '50')
  expect((await (await kept)()).status).toBe(200)
  at.clock.advance(LATE)
  await sync()
  expect(await list(browser)).toMatchObject([{ status: 'sent' }])
})

test('an amount reserved while a refusal was in flight is not refused', async () => {
  const { browser, answer } = await refusedMeanwhile(async (address) => {
    await fund(at, address, '50')
    at.clock.advance(LATE)
    await sync()
  })
  expect(answer).toMatchObject({ status: 200, body: { status: 'sent' } })
  expect(await list(browser)).toMatchObject([{ status: 'sent' }])
})

test('a refusal does not end a withdrawal while another request is in flight, even if its response is lost', async () => {
  const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const withdraw: typeof treasury.withdraw = async (input) => {
    await treasury.withdraw(input)
    asked.resolve()
    await told.promise
    throw new Error('the answer was lost')
  }
  let job: Promise<unknown> = Promise.resolve()
  const { browser, answer } = await refusedMeanwhile(async (address) => {
    await fund(at, address, '50')
    at.clock.advance(LATE)
    job = sync(async () => ({ ...treasury, withdraw }))
    await asked.promise
  })
  expect(answer).toMatchObject({ status: 200, body: { status: 'approved' } })
  told.resolve()
  await job
  expect(await list(browser)).toMatchObject([{ status: 'approved' }])
  at.clock.advance(LATE)
  await sync()
  const [row] = await list(browser)
  expect(row.status).toBe('sent')
  await treasury.settleWithdrawal(refOf(row))
  await sync()
  expect(await list(browser)).toMatchObject([{ status: 'settled' }])
})

test("a late request after another's refusal still reserves the amount", async () => {
  const { browser, wallet } = await member('1')
  const withdraw: typeof treasury.withdraw = async (input) => {
    at.clock.advance(LATE)
    await sync()
    expect(await list(browser)).toMatchObject([{ status: 'refused' }])
    await fund(at, wallet.address, '50')
    return treasury.withdraw(input)
  }
  const late = asking(browser, async () => ({ ...treasury, withdraw }))
  expect(await take(late, '50')).toMatchObject({ status: 200, body: { status: 'sent' } })
  expect(await list(browser)).toMatchObject([{ status: 'sent' }])
})

test('a recent request is not repeated while it may still arrive', async () => {
  const { browser, answer } = await refusedMeanwhile(async (address) => {
    await fund(at, address, '50')
    at.clock.advance(LATE - 1)
    expect(await sync()).not.toHaveProperty('withdrawals')
  })
  expect(answer).toMatchObject({ status: 400, body: { code: 'insufficient_balance' } })
  expect(await list(browser)).toMatchObject([{ status: 'refused' }])
})

test('twenty concurrent requests take no more than the balance', async () => {
  const { browser } = await member('10')
  const answers = await Promise.all(Array.from({ length: 20 }, () => take(browser, '3')))
  expect(answers.filter(({ status }) => status === 200).length).toBe(3)
})

test('zero and amounts that are too large are refused', async () => {
  const { browser } = await member('10')
  for (const amount of ['0', '0.000000', '9007199254.740992', '9999999999999999'])
    expect([amount, await take(browser, amount)]).toMatchObject([amount, { status: 400, body: { code: 'invalid_amount' } }])
  expect(await list(browser)).toEqual([])
})

test('a session proven an hour ago cannot withdraw', async () => {
  const { browser, user } = await member('10')
  at.clock.advance(3_600_000)
  expect(await take(browser, '1')).toMatchObject({ status: 403, body: { code: 'step_up_required', details: { by: 'wallet' } } })
  expect(await at.rows('select from withdrawal where user_id = ?', [user.id])).toEqual([])
})

test('with the second factor on, a code is good for one withdrawal, and wrong ones count', async () => {
  const { browser } = await member('10')
  const { secret } = await browser.enroll()
  at.clock.advance(3_600_000)
  expect((await take(browser, '1')).body).toMatchObject({ code: 'step_up_required', details: { by: 'totp' } })
  const totp = browser.code(secret)
  expect((await take(browser, '1', { totp })).status).toBe(200)
  expect(await take(browser, '1', { totp })).toMatchObject({ status: 401, body: { code: 'second_factor_failed' } })
  const other = await member('10')
  expect((await take(other.browser, '1', { totp: '000000' })).body.code).toBe('two_factor_not_enrolled')
})

test.each([
  [{ amount: '0', destination }, 'invalid_amount'],
  [{ amount: '-1', destination }, 'invalid_payload'],
  [{ amount: '1.0000001', destination }, 'invalid_payload'],
  [{ amount: '1', destination: 'bank' }, 'invalid_payload'],
  [{ amount: '1', destination, address: destination }, 'invalid_payload'],
])('%o is refused', async (body, code) => {
  const { browser, user } = await member('10')
  const refused = await browser.post('/api/withdrawals', body)
  expect([refused.status, refused.body.code]).toEqual([400, code])
  expect(await at.rows('select from withdrawal where user_id = ?', [user.id])).toEqual([])
})

test('withdrawals are private, and wait while the exchange is unavailable', async () => {
  const [one, other] = [await member('10'), await member('10')]
  await take(one.browser, '1')
  expect(await list(other.browser)).toEqual([])
  await at.stopExchange()
  const { status, body } = await take(other.browser, '1')
  expect([status, body.status]).toEqual([200, 'approved'])
  expect(at.bugs).toEqual([])
})
