import { eventually } from '@augury/testing/eventually'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { chartsJob } from '../src/sync/charts.ts'
import { type Seen, writePrices } from '../src/sync/prices.ts'
import { type Points, pricePoints } from './price-points.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'
import { waitingIn } from './waiting.ts'

const { platform, clock } = await testPlatform()
const read = async <T = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
await openEvents(platform, [
  discoveryEvent(
    'crowd',
    'A crowd',
    ['t'],
    Array.from({ length: 23 }, (_, index) => ({ slug: `m-${index}` })),
  ),
])
const markets = await read<{ id: string; yes: string }>(
  `select condition_id as id, token_id as yes from market join outcome on market_condition_id = condition_id and index = 0 order by condition_id`,
)
const { id, yes } = markets[0]!
const start = clock.now() // noon

const { note, points, rolled } = pricePoints(platform, id, start)

beforeEach(async () => {
  await read('delete from price_point; delete from price_rollup; delete from sync_run; delete from sync_failure; delete from sync_job')
  clock.advance(start - clock.now())
})

/** Runs the job with an exchange that has this history of the first market, each point at the end of its minute. */
async function chart(history: Points, asked: unknown[] = []) {
  const exchange = async () => ({
    async getPriceHistories({
      body,
    }: {
      body: { markets: string[]; startTs?: string | number | undefined; endTs?: string | number | undefined }
    }) {
      const minute = (seconds: string | number | undefined) => (Number(seconds) * 1000 - start) / 60_000
      asked.push([body.markets.length, minute(body.startTs), minute(body.endTs)])
      const of = (token: string) =>
        token === yes ? history.map(([minutes, percent]) => ({ t: (start + minutes * 60_000) / 1000, p: percent / 100 })) : []
      return { history: Object.fromEntries(body.markets.map((token) => [token, of(token)])) }
    },
  })
  return runJob(platform, workerScheduler('test'), chartsJob(exchange))
}

test("minutes between two runs are filled from the exchange's history", async () => {
  await note([
    [0, 40],
    [5, 45],
  ])
  clock.advance(6 * 60_000)
  expect(
    await chart([
      [0, 40],
      [2, 42],
      [3, 41],
      [6, 45],
      [6.2, 45],
    ]),
  ).toMatchObject({ success: true, scanned: 23, errors: 0 })
  expect(await points()).toEqual([
    [-1, 40],
    [0, 40],
    [1, 42],
    [2, 41],
    [5, 45],
  ])
})

test('a round reads the history since the last complete round began; an interrupted one is not complete', async () => {
  const asked: unknown[] = []
  await chart([], asked)
  clock.advance(7_200_000)
  await chart([], asked)
  await read(`update sync_run set time_limit_reached = true where started_at = (select max(started_at) from sync_run)`)
  clock.advance(600_000)
  await chart([], asked)
  clock.advance(30 * 86_400_000)
  await chart([], asked)
  expect(asked).toEqual([
    [20, -1440, 0],
    [3, -1440, 0],
    [20, -1, 120],
    [3, -1, 120],
    [20, -1, 130],
    [3, -1, 130],
  ]) // after a month, unchanged for a week
})

test('what changed before a round and was seen only after it is filled from where it changed', async () => {
  await read(`insert into sync_job (name) values ('prices')`)
  const looked = (minutes: number) =>
    read(`insert into sync_run (job_name, scheduler, state, started_at, finished_at) values ('prices', 'test', 'finished', ?, ?)`, [
      ...Array<Date>(2).fill(new Date(start + minutes * 60_000)),
    ])
  await looked(0.2)
  await note([[0, 40]])
  clock.advance(5.1 * 60_000)
  await chart([]) // the change of minute 2 was not seen yet
  await looked(5.2)
  await note([[5.2, 42]])
  clock.advance(5 * 60_000)
  const asked: unknown[] = []
  await chart(
    [
      [0, 40],
      [3, 42],
    ],
    asked,
  )
  expect(asked[0]).toEqual([20, 0, 10])
  expect(await points()).toEqual([
    [-1, 40],
    [0, 40],
    [2, 42],
    [5, 42],
  ])
})

test('the last minutes of a market that is resolved meanwhile are filled, and it ends when the exchange ended it', async () => {
  await note([[0, 40]])
  clock.advance(10 * 60_000)
  const set = (values: string) => read(`update market set ${values} where condition_id = ?`, [id])
  await set(`is_resolved = true, is_active = false, weight = 10000, resolution_status = 'confirmed'`)
  onTestFinished(async () => {
    await set(`is_resolved = false, is_active = true, weight = null, resolution_status = 'pending'`)
  })
  await note([[9, 100]])
  await chart([
    [0, 40],
    [3, 42],
    [6, 100],
  ])
  expect(await points()).toEqual([
    [-1, 40],
    [0, 40],
    [2, 42],
    [5, 100],
    [9, 100],
  ])
})

test('only whole minutes are read, as the current price may be a placeholder', async () => {
  const asked: unknown[] = []
  clock.advance(90_500)
  await chart([], asked)
  clock.advance(29_000)
  await chart([], asked)
  clock.advance(600_000)
  await chart([], asked)
  expect(asked.filter((_, n) => n % 2 === 0)).toEqual([
    [20, -1439, 1],
    [20, 0, 1],
    [20, 0, 11],
  ])
})

test('a round with a clock an hour ahead skips none of that hour', async () => {
  const asked: unknown[] = []
  await chart([], asked)
  clock.advance(3_600_000)
  await chart([], asked)
  clock.advance(-3_300_000)
  await chart([], asked)
  expect(asked.filter((_, n) => n % 2 === 0)).toEqual([
    [20, -1440, 0],
    [20, -1, 60],
    [20, -1, 5],
  ])
})

test('an invalid price is reported and affects no other', async () => {
  expect(await chart([[1, 140]])).toMatchObject({ errors: 1, errorDetails: [{ context: id, error: 'a price of 1.4' }] })
  expect(await points()).toEqual([])
})

test('an hour has its last price, also when that is written while earlier minutes are filled', async () => {
  clock.advance(6 * 60_000)
  const book = { best_bid: 5400, best_ask: 5600, last_trade: null, price: 5500, liquidity: 0 }
  let filled: Promise<unknown> = Promise.resolve()
  await platform.em().transactional(async (em) => {
    await writePrices(em, [{ condition_id: id, ...book } as Seen], platform.now())
    filled = chart([[3, 41]])
    await eventually(async () => expect(await waitingIn(platform)).toBe(1))
  })
  expect(await filled).toMatchObject({ success: true, errors: 0 })
  expect(await rolled(60)).toEqual([[0, 55]])
})
