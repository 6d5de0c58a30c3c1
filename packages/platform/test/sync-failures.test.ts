import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { type Job, type Run, runJob } from '../src/jobs/run-job.ts'
import { openPlatform } from '../src/site/platform.ts'
import { cleaningJob } from '../src/sync/cleaning.ts'
import { testPlatform } from './test-platform.ts'

const { platform, clock, databaseUrl } = await testPlatform()
const read = async <T = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
const run = (work: (run: Run) => Promise<void>, by = platform) => {
  const job: Job = { name: 'volume', work: (_, run) => work(run) }
  return runJob(by, workerScheduler('test'), job)
}
const clean = () => runJob(platform, workerScheduler('test'), cleaningJob())
const failing = (item: string) =>
  run(async (run) => {
    if (run.waits(item)) return
    run.fail(item, new Error('torn'))
    await run.step(null, async () => {}, [item])
  })
const NOON = clock.now()
const HOUR = 3_600_000
const DAY = 24 * HOUR

beforeEach(async () => {
  await read('delete from sync_run; delete from sync_failure; delete from sync_job')
  clock.advance(NOON - clock.now())
})

afterEach(() => void vi.useRealTimers())

test.each([
  ['a byte that no text holds', 'half\0of it', 'halfof it'],
  ['half a letter at its end', `${'x'.repeat(499)}\u{1f327}`, 'x'.repeat(499)],
])('a reason with %s is stored, and the lease is released at once', async (_, message, kept) => {
  const result = await run(async (run) => {
    run.fail('m-1', new Error(message))
    await run.step(null, async () => {}, ['m-1'])
    throw new Error(message)
  })
  expect(result).toEqual({ success: false, error: kept })
  expect(
    await read('select holder, state, message, error_details, error from sync_job join sync_run on true join sync_failure on true'),
  ).toEqual([{ holder: null, state: 'failed', message: kept, error_details: [{ context: 'm-1', error: kept }], error: kept }])
})

test('a failure during the write of another step is stored with the next', async () => {
  await run(async (run) => {
    await run.step(null, async () => {
      setImmediate(() => run.fail('m-1', new Error('torn'))) // like a source that is read concurrently
    })
    await run.step(null, async () => {}, ['m-1'])
  })
  expect(await read('select item from sync_failure')).toEqual([{ item: 'm-1' }])
})

test('a failure recorded by a clock a year ahead does not wait for a year', async () => {
  clock.advance(365 * DAY)
  await failing('m-1')
  clock.advance(-365 * DAY)
  expect(await failing('m-1')).toMatchObject({ errors: 1 })
  const [kept] = await read<{ last_at: string; next_at: string }>('select last_at, next_at, attempts from sync_failure')
  expect([new Date(kept!.last_at).getTime(), kept]).toEqual([NOON, expect.objectContaining({ attempts: 2 })])
  expect(await failing('m-1')).toMatchObject({ errors: 0 })
  clock.advance(10 * 60_000)
  expect(await failing('m-1')).toMatchObject({ errors: 1 })
})

test('failures of items that a job no longer processes are deleted, others are kept', async () => {
  await failing('over')
  clock.advance(DAY)
  await failing('lasting')
  clock.advance(2 * DAY + HOUR)
  expect(await clean()).not.toHaveProperty('sync_failure') // the worker may have been stopped
  await failing('lasting')
  expect(await clean()).toMatchObject({ success: true, sync_failure: 1 })
  expect(await read('select item from sync_failure')).toEqual([{ item: 'lasting' }])
})

test('a table whose rows cannot be deleted does not prevent cleaning others', async () => {
  await failing('over')
  clock.advance(4 * DAY)
  await failing('lasting')
  await read('alter table swap_request rename to swap_request_away')
  const result = await clean()
  await read('alter table swap_request_away rename to swap_request')
  expect(result).toMatchObject({ success: true, sync_failure: 1, errors: 1, errorDetails: [{ context: 'swap_request' }] })
  expect(await clean()).toMatchObject({ errors: 0 })
  expect(await read(`select item from sync_failure where job_name = 'cleaning'`)).toEqual([])
})

test.each([
  ['an hour ahead', HOUR, "the clock of this machine is 3600 s ahead of the database's: set the wrong one right"],
  ['an hour behind', -HOUR, "the clock of this machine is 3600 s behind the database's: set the wrong one right"],
])('a job whose clock is %s does nothing and reports it, for any runner', async (_, off, error) => {
  const machine = await openPlatform(databaseUrl)
  onTestFinished(() => machine.close())
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + off })
  let done = 0
  const work = async () => void done++
  expect(await run(work, machine)).toMatchObject({
    success: false,
    error: expect.stringMatching(error.replace(/\d+ s/, '3[56]\\d\\d s')),
  })
  expect(done).toBe(0)
  vi.useRealTimers()
  expect(await run(work, machine)).toMatchObject({ success: true })
  expect(done).toBe(1)
})
