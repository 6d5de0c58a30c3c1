import type { AddressInfo } from 'node:net'
import type { Job, SyncResult } from '@augury/platform/sync/run-job'
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

/** Status of `/healthz` after a job has succeeded for some minutes and then failed for some, when nobody asked before. */
async function statusAfter(wellMinutes: number, failingMinutes: number, before = () => {}): Promise<number> {
  let result = done
  const schedule = startSchedule([settlement], async () => result, pino({ level: 'silent' }))
  const server = await serveHealth(0, '127.0.0.1', { ...schedule, jobs: [settlement], metrics: async () => '' })
  await vi.advanceTimersByTimeAsync(wellMinutes * MINUTE)
  result = failed
  await vi.advanceTimersByTimeAsync(failingMinutes * MINUTE)
  before()
  const { status } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/healthz`)
  server.close()
  server.closeAllConnections()
  await schedule.stop()
  return status
}

test('a worker is ill once a job has failed for a quarter of an hour', async () => {
  expect(await statusAfter(1, 16)).toBe(503)
})

test('a failure after an hour of success is no illness, although nobody asked in that hour', async () => {
  expect(await statusAfter(60, 1)).toBe(200)
})

test('a clock that is set ahead makes nobody ill', async () => {
  expect(await statusAfter(60, 0, () => vi.setSystemTime(Date.now() + 60 * MINUTE))).toBe(200)
})
