import { SyncRun } from '@augury/domain/platform/sync-run.entity'
import { statusOf } from '@augury/wire/operation'
import { platformOperations } from '@augury/wire/platform/operations'
import { beforeEach, expect, test } from 'vitest'
import { OPEN_INTEREST } from '../src/events/event-totals.ts'
import { workerScheduler } from '../src/identity/scheduler.ts'
import { LeaseLost, step, takeLease } from '../src/sync/lease.ts'
import { releaseLeftBehind } from '../src/sync/left-behind.ts'
import { pricesJob } from '../src/sync/prices.ts'
import { type Job, type RunOptions, runJob, type SyncResult } from '../src/sync/run-job.ts'
import { volumeJob } from '../src/sync/volume.ts'
import { type Answers, bookOf, fakeExchange, volumeRow } from './fake-exchange.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
const scheduler = workerScheduler('test')
const names = Array.from({ length: 518 }, (_, index) => `m-${index}`)
await openEvents(platform, [
  discoveryEvent(
    'crowd',
    'A crowd',
    ['t'],
    names.map((slug) => ({ slug })),
  ),
  discoveryEvent('pair', 'A pair', ['t'], [{ slug: 'p-1' }, { slug: 'p-2' }]),
])

interface Row {
  condition_id: string
  slug: string
  token: string
}
const markets: Row[] = await platform
  .em()
  .execute(
    'select condition_id, slug, token_id as token from market join outcome on market_condition_id = condition_id and index = 0 order by condition_id',
  )
const id = (slug: string) => markets.find((market) => market.slug === slug)!.condition_id
const token = (slug: string) => markets.find((market) => market.slug === slug)!.token

const told = (body: SyncResult) => ({ status: statusOf(platformOperations.syncPrices, body), body })
const volumes = (answers: Answers, options?: RunOptions) => {
  const { client, asked } = fakeExchange(answers)
  return {
    asked,
    run: async () =>
      told(
        await runJob(
          platform,
          scheduler,
          volumeJob(async () => client),
          options,
        ),
      ),
  }
}
const prices = (answers: Answers, options?: RunOptions) => {
  const { client, asked } = fakeExchange(answers)
  return {
    asked,
    run: async () =>
      told(
        await runJob(
          platform,
          scheduler,
          pricesJob(async () => client),
          options,
        ),
      ),
  }
}
const read = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
const empty = (asset: string) => bookOf(asset, '', '')

beforeEach(async () => {
  await read('delete from sync_run')
  await read('delete from sync_failure')
  await read('delete from sync_job')
  await read('delete from price_point')
  await read('delete from price_rollup')
  await read(
    `update market set volume = 0, volume_24h = 0, price = 5000, best_bid = null, best_ask = null, last_trade = null, liquidity = 0`,
  )
  await read(`update event set volume = 0, volume_24h = 0, liquidity = 0`)
})

test('volumes of markets and totals of their events follow the exchange, and only changes are written', async () => {
  const job = volumes({ volume: (condition) => volumeRow(condition, condition === id('p-1') ? '12.345678' : '1', '0.5') })
  expect(await job.run()).toEqual({
    status: 200,
    body: { success: true, scanned: 520, updated: 520, errors: 0, errorDetails: [], timeLimitReached: false },
  })
  expect(await read('select volume, volume_24h, open_interest, active_positions_count from market where slug = ?', ['p-1'])).toEqual([
    { volume: '12345678', volume_24h: '500000', open_interest: '1500000', active_positions_count: 2 },
  ])
  expect(await read(`select slug, volume, volume_24h from event order by slug`)).toEqual([
    { slug: 'crowd', volume: '518000000', volume_24h: '259000000' },
    { slug: 'pair', volume: '13345678', volume_24h: '1000000' },
  ])
  expect(await job.run()).toMatchObject({ body: { scanned: 520, updated: 0 } })
})

test('what is converted in an event is its open interest once, whatever it has of markets', async () => {
  const converted = (condition: string) => (condition === id('p-1') || condition === id('p-2') ? '2' : undefined)
  const { run } = volumes({ volume: (condition) => ({ ...volumeRow(condition, '0'), event_open_interest: converted(condition) }) })
  expect(await run()).toMatchObject({ status: 200, body: { errors: 0 } })
  expect(await read(`select open_interest, event_interest from market where slug = 'p-2'`)).toEqual([
    { open_interest: '1500000', event_interest: '2000000' },
  ])
  expect(await read(OPEN_INTEREST)).toEqual([{ coalesce: String(520 * 1_500_000 + 2_000_000) }])
})

test('a missing count of holders keeps its last value', async () => {
  const row = (condition_id: string) => ({ condition_id, status: 200, volume: '1', volume_24h: '0', open_interest: '0' })
  await read('update market set active_positions_count = 9')
  expect(await volumes({ volume: row }).run()).toMatchObject({ body: { updated: 520, errors: 0 } })
  expect(await read('select distinct active_positions_count as holders, volume from market')).toEqual([{ holders: 9, volume: '1000000' }])
})

const BAD: [what: string, row: (condition: string) => unknown, error: string][] = [
  ['a market the exchange does not know', (condition_id) => ({ condition_id, status: 404 }), 'the exchange answers 404'],
  ['a row that is missing', () => undefined, 'missing in the answer'],
  ['a row without figures', (condition_id) => ({ condition_id, status: 200 }), 'figures are missing'],
  ['a figure in words', (condition) => volumeRow(condition, 'a lot'), 'unexpected answer of POST /data/volumes'],
  ['a figure finer than a millionth', (condition) => volumeRow(condition, '0.0000001'), 'more than 6 decimals: 0.0000001'],
  ['a negative figure', (condition) => volumeRow(condition, '-1'), 'not a decimal: "-1"'],
]

test.each(BAD)('%s is reported and affects no other market', async (_, row, error) => {
  const { run } = volumes({ volume: (condition) => (condition === id('p-1') ? row(condition) : volumeRow(condition, '2')) })
  expect(await run()).toMatchObject({
    status: 200,
    body: { updated: 519, errors: 1, errorDetails: [{ context: id('p-1'), error: expect.stringContaining(error) }] },
  })
  expect(await read('select count(*)::int as right from market where volume = 2000000')).toEqual([{ right: 519 }])
})

test('a market that makes the exchange fail is isolated and skipped', async () => {
  const { run } = volumes({
    before: (ids) =>
      ids.includes(id('m-7')) ? Response.json({ error: 'Internal server error', code: 'internal_error' }, { status: 500 }) : undefined,
    volume: (condition) => volumeRow(condition, '3'),
  })
  expect(await run()).toMatchObject({
    status: 200,
    body: { updated: 519, errors: 1, errorDetails: [{ context: id('m-7'), error: 'Internal server error' }] },
  })
})

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
  const broken: Job = {
    name: 'prices',
    work: (_, run) =>
      run.step('far', async (em) => {
        await em.execute('update market set volume = 98')
        throw new Error('no space left')
      }),
  }
  expect(told(await runJob(platform, scheduler, broken))).toEqual({ status: 500, body: { success: false, error: 'no space left' } })
  expect(await read('select count(*)::int as wrong from market where volume = 98')).toEqual([{ wrong: 0 }])
  expect(await read('select holder, cursor from sync_job')).toEqual([{ holder: null, cursor: null }])
  expect(await read('select state, message, scheduler from sync_run')).toEqual([
    { state: 'failed', message: 'no space left', scheduler: 'test' },
  ])
})

test('prices come from the book of Yes: midpoint, both sides, and the cash behind them', async () => {
  const { run } = prices({ book: (asset) => (asset === token('p-1') ? bookOf(asset, '0.5x10 0.4x10', '0.53x20', '0.1') : empty(asset)) })
  expect(await run()).toMatchObject({ status: 200, body: { updated: 1, errors: 0 } })
  expect(await read('select price, best_bid, best_ask, last_trade, liquidity from market where slug = ?', ['p-1'])).toEqual([
    // 10 × 0.5 + 10 × 0.4 behind the bids, 20 × 0.47 behind the ask
    { price: '5150.0', best_bid: 5000, best_ask: 5300, last_trade: 1000, liquidity: '18400000' },
  ])
  expect(await read(`select liquidity from event where slug = 'pair'`)).toEqual([{ liquidity: '18400000' }])
})

test('a crossed book is reported and keeps the price', async () => {
  const { run } = prices({ book: (asset) => (asset === token('p-1') ? bookOf(asset, '0.6x1', '0.5x1') : empty(asset)) })
  expect(await run()).toMatchObject({
    body: { updated: 0, errorDetails: [{ context: id('p-1'), error: 'a crossed book: 6000 and 5000' }] },
  })
})

test('a price history has a point per change, at most one a minute, and none before the first quote', async () => {
  const looks: [seconds: number, bids: string, asks: string][] = [
    [0, '', ''], // 12:00:00 nothing to note
    [60, '0.5x1', '0.52x1'], // 12:01:00 0.51
    [20, '0.5x1', '0.54x1'], // 12:01:20 0.52, the last of its minute
    [60, '0.5x1', '0.54x1'], // 12:02:20 stands still
    [60, '0.6x1', '0.62x1'], // 12:03:20 0.61
  ]
  clock.advance(60_000 - (clock.now() % 60_000))
  const start = clock.now()
  for (const [seconds, bids, asks] of looks) {
    clock.advance(seconds * 1000)
    await prices({ book: (asset) => (asset === token('p-1') ? bookOf(asset, bids, asks) : empty(asset)) }).run()
  }
  const points = await read<{ minute: string; price: string }>(
    'select (extract(epoch from minute) * 1000)::bigint as minute, price from price_point order by minute',
  )
  expect(points.map(({ minute, price }) => [(Number(minute) - start) / 60_000, Number(price)])).toEqual([
    [1, 5200],
    [3, 6100],
  ])
})
