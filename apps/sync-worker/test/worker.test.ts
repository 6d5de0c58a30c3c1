import { migratePlatform } from '@augury/domain/platform/database'
import { migratedDatabase } from '@augury/testing/database'
import { eventually } from '@augury/testing/eventually'
import { expect, test } from 'vitest'
import { exchangeThat, startWorker } from './workers.ts'

/** An exchange that knows no market. */
const empty = (path: string) => (path === '/markets' ? { limit: 100, count: 0, next_cursor: 'LTE=', data: [] } : [])
const LIMIT = 90_000 // a program begins

const deployment = () => migratedDatabase('platform', migratePlatform)

test(
  'a worker runs every job at its start, tells how they went, and ends at SIGTERM',
  async () => {
    const { worker, health, metrics } = await startWorker(await deployment(), await exchangeThat(empty))
    const done = { result: { success: true, scanned: 0, errors: 0, errorDetails: [], timeLimitReached: false } }
    const jobs = {
      events: done,
      resolution: done,
      volume: done,
      prices: done,
      books: done,
      users: done,
      cleaning: { result: { success: true } },
    }
    await eventually(async () => expect(await health()).toMatchObject([200, { status: 'ok', ill: [], jobs }]))
    const figures = await metrics()
    expect(figures).toMatch(/^augury_sync_runs_total\{task="prices",outcome="done"\} [1-9]/m)
    expect(figures).toMatch(/^augury_sync_lag_seconds\{task="prices"\} \d/m)
    expect(figures).toMatch(/^augury_sync_dead_letters\{task="prices"\} 0$/m)
    expect(await worker.stop()).toBe(0)
  },
  LIMIT,
)

test(
  'a worker without a database lives on and goes quietly',
  async () => {
    const { worker, health, metrics } = await startWorker('postgres://nobody@127.0.0.1:1/nothing', await exchangeThat(empty))
    await eventually(async () => expect(await health()).toMatchObject([200, { jobs: { volume: null, prices: null } }]))
    expect(JSON.parse(await metrics())).toEqual({ error: 'The database does not answer.', code: 'service_unavailable' })
    await worker.waitFor(/"job":.*ECONNREFUSED.*\n/)
    expect(await worker.stop()).toBe(0)
    expect(
      worker
        .output()
        .split('\n')
        .filter((line) => line.length > 400),
    ).toEqual([]) // each says its cause, and no more
  },
  LIMIT,
)
