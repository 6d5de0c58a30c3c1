import { workerScheduler } from '@augury/platform/identity/scheduler'
import { affiliatesJob } from '@augury/platform/sync/affiliates'
import { depositsJob } from '@augury/platform/sync/deposits'
import { runJob } from '@augury/platform/sync/run-job'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { fund, tradingSite } from './exchange.ts'

const at = await tradingSite()
const jobs = [depositsJob(at.site.exchange.treasury), affiliatesJob(at.site.exchange.operator)]
const sync = () => Promise.all(jobs.map((job) => runJob(at.site, workerScheduler('test'), job)))
const cursors = async () => (await at.rows('select cursor from sync_job order by name')).map(({ cursor }) => Number(cursor))

test('nothing is taken in from a log that ends before what was read of it, and somebody is told to look', async () => {
  const browser = new Browser(at)
  await browser.signIn(walletOf(8001))
  await fund(at, walletOf(8001).address, '5')
  await sync()
  const read = await cursors()
  // As when the exchange was put back from a backup, and this deployment was not.
  await at.rows('update sync_job set cursor = (cursor::bigint + 1000)::text')
  const failed = { success: false, error: expect.stringMatching(/log ended before position \d+.*backup\.md/) }
  expect(await sync()).toMatchObject([failed, failed])
  expect(await cursors()).toEqual(read.map((seq) => seq + 1000))
  const letters = () => at.rows('select job_name, item, attempts from sync_failure order by job_name')
  expect(await letters()).toEqual(['affiliates', 'deposits'].map((job_name) => ({ job_name, item: 'log', attempts: 1 })))
  // Longer again than what was read, it is still another one.
  await at.rows('update sync_job set cursor = (cursor::bigint - 1000)::text')
  await fund(at, walletOf(8001).address, '6')
  at.clock.advance(3_600_000)
  expect(await sync()).toMatchObject([failed, failed])
  expect((await letters()).map(({ attempts }) => attempts)).toEqual([2, 2])
  // What an admin does by *Retry*.
  await at.rows('update sync_failure set attempts = 1, dead = false, next_at = last_at')
  expect(await sync()).toMatchObject([
    { success: true, deposits: 1 },
    { success: true, shares: 0 },
  ])
  expect(await letters()).toEqual([])
})
