import type { Job, SyncResult } from '@augury/platform/jobs/run-job'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startSchedule } from '../src/schedule.ts'

const HOUR = 3_600_000
const done: SyncResult = { success: true, errors: 0, errorDetails: [], timeLimitReached: false }
const job = (name: string, everySeconds?: number): Job => ({
  name,
  ...(everySeconds === undefined ? {} : { everySeconds }),
  work: async () => {},
})

beforeEach(() => {
  vi.useFakeTimers({
    now: Date.UTC(2026, 10, 20, 12),
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Counts the runs of jobs while minutes pass. */
async function runsOf(jobs: readonly Job[], minutes: number, before: () => void): Promise<Record<string, number>> {
  const runs: Record<string, number> = {}
  const run = async ({ name }: Job) => {
    runs[name] = (runs[name] ?? 0) + 1
    return done
  }
  const schedule = startSchedule(jobs, run, pino({ level: 'silent' }))
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  before()
  for (const name of Object.keys(runs)) runs[name] = 0
  await vi.advanceTimersByTimeAsync(minutes * 60_000)
  await schedule.stop()
  return runs
}

test('jobs run in their turns', async () => {
  const runs = await runsOf([job('settlement', 5), job('prices')], 30, () => {})
  expect(runs.settlement).toBeGreaterThan(300)
  expect(runs.prices).toBe(6)
})

test('while the clock stands an hour before what it was, jobs go on', async () => {
  const runs = await runsOf([job('settlement', 5), job('prices')], 30, () => vi.setSystemTime(Date.now() - HOUR))
  expect(runs.settlement).toBeGreaterThan(100)
  expect(runs.prices).toBeGreaterThan(1)
})

test('when the clock is set ahead, jobs go on', async () => {
  const runs = await runsOf([job('settlement', 5), job('prices')], 30, () => vi.setSystemTime(Date.now() + HOUR))
  expect(runs.settlement).toBeGreaterThan(300)
  expect(runs.prices).toBeGreaterThan(4)
})
