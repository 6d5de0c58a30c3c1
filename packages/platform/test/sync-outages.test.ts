import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { type Job, runJob } from '../src/jobs/run-job.ts'
import { testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
const scheduler = workerScheduler('test')
const read = async <T>(sql: string): Promise<T[]> => platform.em().execute(sql)

test('a run that fails while the database is unavailable releases its lease when it is back', async () => {
  const cut: Job = {
    name: 'prices',
    async work() {
      await read('alter table sync_run rename to sync_run_away')
      throw new Error('the connection has ended')
    },
  }
  const ended = runJob(platform, scheduler, cut)
  await setTimeout(1500)
  await read('alter table sync_run_away rename to sync_run')
  expect(await ended).toEqual({ success: false, error: 'the connection has ended' })
  expect(await read('select holder, state from sync_job join sync_run on job_name = name')).toEqual([{ holder: null, state: 'failed' }])
})

test('a process that ends does not wait for an unavailable database', async () => {
  const ending = new AbortController()
  const cut: Job = {
    name: 'volume',
    async work() {
      await read('alter table sync_run rename to sync_run_away')
      ending.abort()
      throw new Error('the connection has ended')
    },
  }
  await expect(runJob(platform, scheduler, cut, { signal: ending.signal })).rejects.toThrow('sync_run')
  await read('alter table sync_run_away rename to sync_run')
})
