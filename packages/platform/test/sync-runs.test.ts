import { SyncRun } from '@augury/domain/platform/sync-run.entity'
import { beforeEach, expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { LeaseLost, step, takeLease } from '../src/jobs/lease.ts'
import { releaseLeftBehind } from '../src/sync/left-behind.ts'
import { crowdOfMarkets } from './crowd-of-markets.ts'
import { bookOf, volumeRow } from './fake-exchange.ts'

const { platform, clock, scheduler, markets, read, runOnce, volumes, prices, reset } = await crowdOfMarkets()
beforeEach(reset)

const empty = (asset: string) => bookOf(asset, '', '')

test.each([
  ['does not answer', () => Promise.reject(new Error('connection refused'))],
  ['is busy', () => Response.json({ error: 'Too many requests are waiting.', code: 'overloaded' }, { status: 503 })],
])('while the exchange %s the run fails as a whole, and the next one starts at the same place', async (_, before) => {
  expect(await volumes({ before }).run()).toMatchObject({ status: 500, body: { success: false } })
  expect(await read('select holder, cursor from sync_job')).toEqual([{ holder: null, cursor: null }])
  expect(await volumes({ volume: (condition) => volumeRow(condition, '4') }).run()).toMatchObject({ status: 200, body: { updated: 520 } })
  expect((await read<{ state: string }>('select state from sync_run order by started_at, id')).map(({ state }) => state)).toEqual([
    'failed',
    'finished',
  ])
})

test('a run out of time leaves the rest to the next', async () => {
  const slow = prices({ book: (asset) => bookOf(asset, '0.4x10', ''), before: () => void clock.advance(200) }, { budgetMs: 200 })
  expect(await slow.run()).toMatchObject({ body: { scanned: 500, updated: 500, timeLimitReached: true } })
  expect(await read('select cursor from sync_job')).toEqual([{ cursor: markets[499]!.condition_id }])
  expect(await slow.run()).toMatchObject({ body: { scanned: 20, updated: 20, timeLimitReached: false } })
  expect(await read('select cursor from sync_job')).toEqual([{ cursor: null }])
  expect(slow.asked.flat().sort()).toEqual(markets.map((market) => market.token).sort())
})

test('a process that wants to end stops after its step', async () => {
  const ending = new AbortController()
  const { run } = prices({ book: empty, before: () => void ending.abort() }, { signal: ending.signal })
  expect(await run()).toMatchObject({ status: 200, body: { scanned: 500, timeLimitReached: true } })
})

test('two concurrent workers never process anything twice', async () => {
  const gate = Promise.withResolvers<void>()
  const one = prices({ book: (asset) => bookOf(asset, '0.4x10', ''), before: async () => void (await gate.promise) })
  const two = prices({ book: (asset) => bookOf(asset, '0.4x10', ''), before: async () => void (await gate.promise) })
  const runs = [one.run(), two.run(), one.run(), two.run()]
  const lost: unknown[] = []
  const allLost = Promise.withResolvers<void>() // all but one, while the winner waits at the gate
  for (const run of runs) void run.then((answer) => lost.push(answer) === runs.length - 1 && allLost.resolve())
  await allLost.promise
  expect(lost[0]).toEqual({ status: 409, body: { success: false, message: 'Sync already running', skipped: true } })
  gate.resolve()
  expect((await Promise.all(runs)).map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  expect([...one.asked, ...two.asked].flat().sort()).toEqual(markets.map((market) => market.token).sort())
  expect(await read('select state from sync_run')).toEqual([{ state: 'finished' }])
})

test('different jobs do not block each other', async () => {
  const lease = await takeLease(platform, scheduler, 'prices')
  expect(lease).not.toBeNull()
  expect(await volumes({ volume: (condition) => volumeRow(condition, '1') }).run()).toMatchObject({ status: 200 })
})

test('two concurrent jobs over the same markets both complete', async () => {
  for (let round = 1; round <= 10; round++) {
    const results = await Promise.all([
      volumes({ volume: (condition) => volumeRow(condition, String(round)) }).run(),
      prices({ book: (asset) => bookOf(asset, `0.${round + 10}x1`, '') }).run(),
    ])
    expect(results).toMatchObject([
      { status: 200, body: { updated: 520 } },
      { status: 200, body: { updated: 520 } },
    ])
  }
})

test('a killed predecessor holds the lease for 15 minutes, then its run is abandoned and its place kept', async () => {
  const dead = (await takeLease(platform, scheduler, 'prices'))!
  await step(platform, dead, markets[499]!.condition_id, async () => {})
  const beat = (minutes: number) => read(`update sync_job set heartbeat_at = now() - make_interval(mins => ?)`, [minutes])
  const { run, asked } = prices({ book: empty })

  await beat(14)
  expect(await run()).toMatchObject({ status: 409 })
  await beat(16)
  expect(await run()).toMatchObject({ status: 200, body: { scanned: 20 } })
  expect(asked.flat()).toHaveLength(20)
  expect(await platform.em().find(SyncRun, {}, { orderBy: { id: 'asc' } })).toMatchObject([
    { id: dead.run, state: 'abandoned' },
    { state: 'finished', counters: { scanned: 20 } },
  ])
})

test('leases of dead workers of this machine are released; those of live ones and of other machines are not', async () => {
  const holders = {
    prices: 'worker here 10',
    volume: 'worker here 11',
    books: 'worker here 12',
    users: 'worker there 11',
    events: 'worker here 11 x',
  }
  for (const [job, name] of Object.entries(holders)) await takeLease(platform, workerScheduler(name), job)
  const [lost] = await read<{ run: string }>(`select holder as run from sync_job where name = 'volume'`)
  const left = await releaseLeftBehind(platform, { host: 'here', pid: 12 }, (pid) => pid === 10 || pid === 12)
  expect(left).toEqual(['books', 'volume'])
  expect(await read('select name from sync_job where holder is not null order by name')).toEqual([
    { name: 'events' },
    { name: 'prices' },
    { name: 'users' },
  ])
  expect(await read(`select job_name as job from sync_run where state = 'abandoned' order by job_name`)).toEqual([
    { job: 'books' },
    { job: 'volume' },
  ])
  const sleeper = { job: 'volume', run: lost!.run, cursor: null }
  await expect(step(platform, sleeper, 'nowhere', async () => {})).rejects.toThrow(LeaseLost)
  expect(await takeLease(platform, workerScheduler('worker here 13'), 'volume')).not.toBeNull()
})

test('a worker that lost its lease writes nothing', async () => {
  const sleeper = (await takeLease(platform, scheduler, 'prices'))!
  await read(`update sync_job set heartbeat_at = now() - interval '16 minutes'`)
  const successor = (await takeLease(platform, workerScheduler('other'), 'prices'))!
  const late = step(platform, sleeper, 'nowhere', async (em) => void (await em.execute('update market set volume = 99')))
  await expect(late).rejects.toThrow(LeaseLost)
  expect(await read('select count(*)::int as wrong from market where volume = 99')).toEqual([{ wrong: 0 }])
  expect(await read('select holder from sync_job')).toEqual([{ holder: successor.run }])
})

test('a failing step changes nothing and releases the lease', async () => {
  const failed = await runOnce({
    name: 'prices',
    work: (_, run) =>
      run.step('far', async (em) => {
        await em.execute('update market set volume = 98')
        throw new Error('no space left')
      }),
  })
  expect(failed).toEqual({ status: 500, body: { success: false, error: 'no space left' } })
  expect(await read('select count(*)::int as wrong from market where volume = 98')).toEqual([{ wrong: 0 }])
  expect(await read('select holder, cursor from sync_job')).toEqual([{ holder: null, cursor: null }])
  expect(await read('select state, message, scheduler from sync_run')).toEqual([
    { state: 'failed', message: 'no space left', scheduler: 'test' },
  ])
})
