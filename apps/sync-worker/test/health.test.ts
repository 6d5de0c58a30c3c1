import type { AddressInfo } from 'node:net'
import type { Job, SyncResult } from '@augury/platform/jobs/run-job'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serveHealth } from '../src/health.ts'
import { startSchedule } from '../src/schedule.ts'

const MINUTE = 60_000
const done: SyncResult = { success: true, errors: 0, errorDetails: [], timeLimitReached: false }
const failed: SyncResult = { success: false, error: 'no answer' }
const settlement: Job = { name: 'settlement', everySeconds: 5, work: async () => {} }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Statuses of `/readyz` and `/healthz` after a job has succeeded for some minutes and then failed for some, without earlier requests. */
async function statusAfter(wellMinutes: number, failingMinutes: number, before = () => {}): Promise<number[]> {
  let result = done
  const going = new AbortController()
  const schedule = startSchedule([settlement], async () => result, pino({ level: 'silent' }))
  const server = await serveHealth(0, '127.0.0.1', { ...schedule, jobs: [settlement], metrics: async () => '', going: going.signal })
  await vi.advanceTimersByTimeAsync(wellMinutes * MINUTE)
  result = failed
  await vi.advanceTimersByTimeAsync(failingMinutes * MINUTE)
  before()
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)).status
  const statuses = [await statusOf('/readyz'), await statusOf('/healthz')]
  going.abort()
  expect([await statusOf('/readyz'), await statusOf('/healthz')], 'told to stop').toEqual([503, 200])
  server.close()
  server.closeAllConnections()
  await schedule.stop()
  return statuses
}

test('a worker is ill once a job has failed for a quarter of an hour', async () => {
  expect(await statusAfter(1, 16)).toEqual([503, 200])
})

test('a failure after an hour of success leaves it healthy, although no probe came in that hour', async () => {
  expect(await statusAfter(60, 1)).toEqual([200, 200])
})

test('a clock that is set ahead does not make it unhealthy', async () => {
  expect(await statusAfter(60, 0, () => vi.setSystemTime(Date.now() + 60 * MINUTE))).toEqual([200, 200])
})
