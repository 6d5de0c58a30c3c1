import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { type Job, runJob } from '@augury/platform/jobs/run-job'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const at = await testSite({ adminWallets: [walletOf(4100).address.toLowerCase() as `0x${string}`] })
const admin = new Browser(at)
await admin.signIn(walletOf(4100))

/** A job with one item that fails while `broken`. */
let broken = true
const job: Job = {
  name: 'volume',
  async work(_, run) {
    if (run.waits('m-1')) return
    run.count('tried', 1)
    if (broken) run.fail('m-1', new Error('the exchange answers 404'))
    await run.step(null, async () => {}, ['m-1'])
  },
}
const run = () => runJob(at.site, workerScheduler('worker test'), job)
const minutes = (count: number) => at.clock.advance(count * 60_000)
const deadLetters = async () => (await admin.get('/admin/api/sync/dead-letters')).body
const state = async () => (await admin.get('/admin/api/sync')).body.data[0]

test('a failing item is retried with growing delays, and as a dead letter once a day', async () => {
  const pauses = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440]
  for (const [index, pause] of pauses.entries()) {
    expect(await run()).toMatchObject({ tried: 1, errors: 1, errorDetails: [{ context: 'm-1', error: 'the exchange answers 404' }] })
    const { data, totalCount } = await deadLetters()
    expect([totalCount, data]).toEqual([
      1,
      [expect.objectContaining({ job: 'volume', item: 'm-1', attempts: index + 1, dead: index >= 7, error: 'the exchange answers 404' })],
    ])
    minutes(pause - 1)
    expect(await run()).toMatchObject({ errors: 0, errorDetails: [] })
    expect((await state()).dead).toBe(index >= 7 ? 1 : 0)
    minutes(1)
  }
})

test('an admin can have it retried at once, which is logged', async () => {
  await run()
  const retry = (item: string) => admin.post('/admin/api/sync/dead-letters/retry', { job: 'volume', item })
  expect((await retry('m-1')).body).toEqual({ success: true })
  expect((await deadLetters()).data).toMatchObject([{ attempts: 1, dead: false }])
  expect(await run()).toMatchObject({ tried: 1 })
  expect((await retry('m-2')).body).toEqual({ success: false, error: 'There is no such failure.', code: 'dead_letter_not_found' })
  const log = (await admin.get('/admin/api/audit-log?action=sync_retried')).body.data
  expect(log.map(({ details }: { details: { target: string } }) => details.target)).toEqual(['volume m-1'])
})

test('a successful item has no failure any more', async () => {
  broken = false
  minutes(10)
  expect(await run()).toMatchObject({ tried: 1, errors: 0 })
  expect(await deadLetters()).toEqual({ data: [], totalCount: 0 })
})

test('the state of a job has its last run and the age of its last success', async () => {
  minutes(10)
  expect(await state()).toMatchObject({
    job: 'volume',
    running_since: null,
    mid_round: false,
    lag_seconds: 600,
    waiting: 0,
    dead: 0,
    last_run: { scheduler: 'worker test', state: 'finished', counters: { tried: 1 }, errors: 0, time_limit_reached: false, message: null },
  })
})

test('a job that never succeeded lags since its first run, so that an alert fires', async () => {
  const never = { name: 'never', work: () => Promise.reject(new Error('torn')) }
  for (const pause of [20, 15]) {
    await runJob(at.site, workerScheduler('worker test'), never)
    minutes(pause)
  }
  const { data } = (await admin.get('/admin/api/sync')).body
  expect(data).toContainEqual(expect.objectContaining({ job: 'never', lag_seconds: 2100 }))
})

test('runs are listed, newest first, by job', async () => {
  const { data, totalCount } = (await admin.get('/admin/api/sync/runs?job=volume&limit=2')).body
  expect(data).toHaveLength(2)
  expect(totalCount).toBeGreaterThan(20)
  expect(new Date(data[0].started_at) >= new Date(data[1].started_at)).toBe(true)
  expect((await admin.get('/admin/api/sync/runs?job=nothing')).body).toEqual({ data: [], totalCount: 0 })
})

test('an admin runs a job at once', async () => {
  const { status, body } = await admin.post('/admin/api/sync/prices/run')
  expect([status, body]).toMatchObject([
    200,
    { success: true, data: { job: 'prices', state: 'finished', counters: { scanned: 0 }, errors: 0, message: null } },
  ])
  const [row] = await at.rows(`select scheduler from sync_run where job_name = 'prices'`)
  expect(row).toEqual({ scheduler: `admin ${walletOf(4100).address.toLowerCase()}` })
  const log = (await admin.get('/admin/api/audit-log?action=sync_started')).body.data
  expect(log).toMatchObject([{ details: { target: 'prices' } }])
  expect((await admin.post('/admin/api/sync/nothing/run')).body).toEqual({
    success: false,
    error: 'There is no such job.',
    code: 'job_not_found',
  })
})

test('a job that takes long is answered for at once, also when it is asked for again, and ends with the site at the latest', async () => {
  const slow = await testSite({ adminWallets: at.site.settings.adminWallets })
  const browser = new Browser(slow)
  await browser.signIn(walletOf(4100))
  const locked = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  const holding = slow.site.em().transactional(async (em) => {
    await em.execute('lock table market in access exclusive mode')
    locked.resolve()
    await free.promise
  })
  await locked.promise
  const [first, second] = [await browser.post('/admin/api/sync/prices/run'), await browser.post('/admin/api/sync/prices/run')]
  expect(first.body).toMatchObject({ success: true, data: { job: 'prices', state: 'running', finished_at: null } })
  expect(second.body.data.id).toBe(first.body.data.id)
  free.resolve()
  await holding
  expect((await browser.get('/admin/api/audit-log?action=sync_started')).body.totalCount).toBe(1)
  await slow.site.background.close()
  expect(await slow.rows(`select state from sync_run where job_name = 'prices'`)).toEqual([{ state: 'finished' }])
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
