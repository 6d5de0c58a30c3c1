import { beforeAll, expect, test } from 'vitest'
import { writeMarks } from '../src/prices/marks-job.ts'
import { listPriceSeries } from '../src/series/manage-series.ts'
import { priceSeriesState } from '../src/series/series-state.ts'
import { seriesWorld } from './series-world.ts'

const { platform, clock, rows, tick } = await seriesWorld([
  { slug: 'btc-usd-5m', interval: '5m', settlementSeconds: 30, disputeSeconds: 30, ahead: 2 },
])
const M = 60_000
const NOON = clock.now()
const at = (minutes: number) => new Date(NOON + minutes * M).toISOString()
const state = async (slug = 'btc-usd-5m') => (await priceSeriesState(platform, { params: { slug } })).data
const forget = (source: string, ...minutes: number[]) =>
  rows('delete from price_mark where source = ? and window_end in (select value::timestamptz from jsonb_array_elements_text(?::jsonb))', [
    source,
    JSON.stringify(minutes.map(at)),
  ])

beforeAll(async () => {
  for (let minute = 0; minute <= 11; minute++) {
    await tick()
    clock.advance(M)
  }
  await tick()
})

test('the state of a series has its sources, latest windows and current markets', async () => {
  const { series, feeds, marks, widest, tolerance, corrections, windows } = await state()
  expect(series).toMatchObject({ slug: 'btc-usd-5m', source: 'oracle_a', recurring: true, ahead: 2 })
  expect(feeds).toEqual([
    expect.objectContaining({
      source: 'oracle_a',
      interval: '5m',
      name: 'Feed A',
      is_simulated: true,
      is_stale: false,
      failure: '',
      gaps: [],
    }),
    expect.objectContaining({ source: 'oracle_b', name: 'Feed B', is_stale: false, latest_at: at(10), received_at: at(10), gaps: [] }),
  ])
  expect(marks.slice(0, 2).map(({ end }) => end)).toEqual([at(10), at(5)])
  for (const { oracle_a, oracle_b, difference } of marks) expect(difference).toBe(Math.abs(oracle_a! - oracle_b!) / oracle_a!)
  expect(widest!.difference).toBeLessThan(tolerance)
  expect(corrections).toEqual([])
  expect(windows.map(({ start, state }) => [start, state])).toEqual([
    [at(0), 'resolved'],
    [at(5), 'resolved'],
    [at(10), 'open'],
    [at(15), 'upcoming'],
    [at(20), 'upcoming'],
  ])
  expect(await listPriceSeries(platform)).toMatchObject({
    data: [{ slug: 'btc-usd-5m', latest_at: at(10), latest_price: feeds[0]!.latest_price, is_stale: false }],
    totalCount: 1,
  })
})

test('windows without a mark are listed as gaps, by source', async () => {
  await forget('oracle_a', -5, -10, -15, -30)
  await forget('oracle_b', 5)
  const { feeds, marks } = await state()
  expect(feeds.map(({ gaps }) => gaps)).toEqual([
    [
      { from: at(-15), to: at(-5), windows: 3 },
      { from: at(-30), to: at(-30), windows: 1 },
    ],
    [{ from: at(5), to: at(5), windows: 1 }],
  ])
  expect(marks.find(({ end }) => end === at(5))).toMatchObject({ oracle_b: null, difference: null })
  clock.advance(M)
  await tick()
  clock.advance(M)
  await tick()
  expect((await state()).feeds.map(({ gaps }) => gaps)).toEqual([[], []])
})

test('a window is missing only once there was time to read it', async () => {
  clock.advance(NOON + 16 * M - clock.now())
  expect((await state()).feeds[0]!.gaps).toEqual([])
  clock.advance(M)
  expect((await state()).feeds[0]!.gaps).toEqual([{ from: at(15), to: at(15), windows: 1 }])
  await tick()
})

test('the largest difference between sources is shown, and corrections', async () => {
  const { marks } = await state()
  const [mark] = marks.filter(({ end }) => end === at(-20))
  const other = (await state()).feeds.find(({ source }) => source === 'oracle_b')!
  const end = NOON - 20 * M
  await writeMarks(
    platform.em(),
    { source: 'oracle_b', instrument: 'BTC/USD', interval: '5m' },
    [{ windowEnd: end, price: mark!.oracle_a! * 1.02, sourceTimestamp: end }],
    new Date(clock.now()),
  )
  const { widest, tolerance, corrections } = await state()
  expect(widest).toEqual({ end: at(-20), difference: expect.closeTo(0.02, 6) })
  expect(widest!.difference).toBeGreaterThan(tolerance)
  expect(corrections).toEqual([
    {
      ...{ source: 'oracle_b', end: at(-20), noticed_at: new Date(clock.now()).toISOString() },
      ...{ old_price: mark!.oracle_b, new_price: expect.closeTo(mark!.oracle_a! * 1.02, 6) },
    },
  ])
  expect(other.failure).toBe('')
})

test('a failing source is shown with its error, an unconfigured one is omitted', async () => {
  await rows(`update price_feed set failed_at = ?, failure = 'it did not answer' where source = 'oracle_a'`, [new Date(clock.now())])
  expect((await state()).feeds[0]).toMatchObject({ failed_at: new Date(clock.now()).toISOString(), failure: 'it did not answer' })
  await rows(`update price_series set symbol_b = ''`)
  expect((await state()).feeds.map(({ source }) => source)).toEqual(['oracle_a'])
})

test('a daily series has the five-minute marks for its openings, and is stale before the first read', async () => {
  await rows(`insert into price_series (slug, instrument, interval, source, display_name, symbol_a)
    values ('sol-usd-1d', 'SOL/USD', '1d', 'oracle_a', 'Solana', 'SOL')`)
  const { feeds, marks, widest } = await state('sol-usd-1d')
  expect(feeds.map(({ interval, name, is_stale, gaps }) => [interval, name, is_stale, gaps])).toEqual([
    ['1d', '', true, []],
    ['5m', '', true, []],
  ])
  expect([marks, widest]).toEqual([[], null])
})
