import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { memberEvents } from '@augury/platform/inbox/member-events'
import { runJob } from '@augury/platform/jobs/run-job'
import { affiliatesJob } from '@augury/platform/sync/affiliates'
import { depositsJob } from '@augury/platform/sync/deposits'
import { ordersJob } from '@augury/platform/sync/orders'
import { eventually } from '@augury/testing/eventually'
import { expect, test } from 'vitest'
import { memberOn } from './as-member.ts'
import { Browser, walletOf } from './browser.ts'
import { enable, fund, tradingSite } from './exchange.ts'

const at = await tradingSite()
const jobs = [depositsJob(at.site.exchange.treasury), affiliatesJob(at.site.exchange.operator), ordersJob(at.site.exchange.treasury)]
const sync = () => Promise.all(jobs.map((job) => runJob(at.site, workerScheduler('test'), job)))
const failed = { success: false, error: expect.stringMatching(/log ended before position \d+.*backup\.md/) }
const letters = () => at.rows('select job_name, item, attempts from sync_failure order by job_name')
/** As the admin's *Retry*. */
const retry = () => at.rows('update sync_failure set attempts = 1, dead = false, next_at = last_at')
const places = async () => [
  ...(await at.rows('select cursor from sync_job where cursor is not null order by name')).map(({ cursor }) => String(cursor)),
  ...(await at.rows('select epoch, seq from notice_cursor order by user_id')).map(({ epoch, seq }) => `${epoch}-${seq}`),
]

const browser = new Browser(at)
const wallet = walletOf(8001)
await browser.signIn(wallet)
await fund(at, wallet.address, '1000')
await enable(browser, wallet)
await at.rows(`update users set created_at = '2020-01-01'`)
/** Two commands of the member that cause no notification, as the member asked for them. */
async function trade(): Promise<void> {
  const { orderId } = (
    await browser.post('/api/orders', { orderType: 'GTC', side: 'BUY', tokenId: at.markets.rain.yes, price: '0.4', size: '5' })
  ).body
  expect((await browser.call('DELETE', `/api/orders/${orderId}`)).status).toBe(200)
}
/** Trades as soon as a restored exchange is reachable again. */
const tradeAgain = () => eventually(trade)

test('a log restored to a point after what was read is read on', async () => {
  await trade()
  expect(await sync()).toMatchObject([{ success: true, deposits: 1 }, { success: true }, { success: true, events: 2 }])
  const restore = await at.backUpExchange()
  await tradeAgain()
  await restore()
  await tradeAgain()
  await fund(at, wallet.address, '2')
  expect(await sync()).toMatchObject([
    { success: true, deposits: 1 },
    { success: true, shares: 0 },
    { success: true, events: 2 },
  ])
  expect(new Set((await places()).map((place) => place.split('-')[0]))).toHaveLength(1)
})

test('nothing is read from a log restored to before what was read, however long it grows, until an admin allows it', async () => {
  const restore = await at.backUpExchange()
  await tradeAgain()
  await fund(at, wallet.address, '3')
  expect(await sync()).toMatchObject([{ success: true, deposits: 1 }, { success: true }, { success: true, events: 2 }])
  const read = await places()
  const seen = await at.rows(`select seq from notice_cursor`)
  await restore()
  // Longer than what was read: only the timeline shows that it is another log.
  for (let n = 0; n < 4; n++) await tradeAgain()
  await fund(at, wallet.address, '4')
  expect(await sync()).toMatchObject([failed, failed, failed])
  at.clock.advance(3_600_000)
  expect(await sync()).toMatchObject([failed, failed, failed])
  expect(await places()).toEqual(read)
  expect(await letters()).toEqual(['affiliates', 'deposits', 'orders'].map((job_name) => ({ job_name, item: 'log', attempts: 2 })))

  await retry()
  expect(await sync()).toMatchObject([{ success: true, deposits: 1 }, { success: true }, { success: true }])
  expect(await letters()).toEqual([])
  const [timeline] = new Set((await places()).map((place) => place.split('-')[0]))
  expect(Number(timeline)).toBeGreaterThan(Number(read[0]!.split('-')[0]))
  expect(Number((await at.rows(`select seq from notice_cursor`))[0]!.seq)).toBeGreaterThan(Number(seen[0]!.seq))
  expect(await sync()).toMatchObject([{ success: true, deposits: 0 }, { success: true }, { success: true, events: 0 }])
})

test('cursors stored without a timeline are continued, and have one afterwards', async () => {
  const before = await places()
  await at.rows(`update sync_job set cursor = split_part(cursor, '-', 2)`)
  await at.rows('update notice_cursor set epoch = null')
  expect(await sync()).toMatchObject([{ success: true }, { success: true }, { success: true }])
  expect(await places()).toEqual(before)
  // But a log that ends before a cursor must be another one.
  await at.rows(`update sync_job set cursor = '1000000' where cursor is not null`)
  await at.rows('update notice_cursor set epoch = null, seq = 1000000')
  expect(await sync()).toMatchObject([failed, failed, failed])
})

test('a member’s stream sends nothing after a position in a history that was rewritten', async () => {
  const member = await memberOn(at, browser)
  const eventsAfter = async (from: { epoch: number; position: number }) => {
    const events = []
    const options = { from, signal: new AbortController().signal, stillThere: async () => false }
    for await (const each of memberEvents(at.site, member, options)) events.push(...each)
    return events
  }
  const { exchange } = await at.site.exchange.watcher()
  const { data: all } = await exchange.listEvents({ query: { account: wallet.address, after: 0, limit: 500 } })
  expect(all.length).toBeGreaterThan(8)
  const epochs = [...new Set(all.map((event) => event.epoch))]
  expect(epochs.length).toBe(3)
  const rewritten = all.findIndex((event) => event.epoch === epochs[1])
  const place = (n: number) => ({ epoch: all[n]!.epoch, position: all[n]!.seq })
  // At once: each ends only when it looks whether its member is still there.
  const [whole, after, none] = await Promise.all(
    [{ epoch: 1, position: 0 }, place(rewritten - 1), { ...place(rewritten), epoch: 1 }].map(eventsAfter),
  )
  expect(whole).toEqual(all)
  expect(after).toEqual(all.slice(rewritten))
  expect(none).toEqual([])
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
