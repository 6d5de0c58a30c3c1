import { beforeEach, expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { OutboundError } from '../src/outbound/fetch-outside.ts'
import type { Mark } from '../src/prices/choose-prices.ts'
import { MISSING, marksJob } from '../src/prices/marks-job.ts'
import type { LivePrice, Oracle } from '../src/prices/oracle.ts'
import { addSeries } from '../src/series/manage-series.ts'
import { testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
const M = 60_000
const NOON = clock.now()
const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)

/** A source with prices set by a test, by minutes after noon. */
class Written implements Oracle {
  readonly name = 'Written'
  readonly simulated = false
  readonly most = 100
  readonly asked: [interval: string, after: number, until: number][] = []
  prices: Record<number, number> = {}
  window: LivePrice | null = null
  fails: Error | null = null
  extra: Mark[] = []

  async settled(_symbol: string, interval: string, after: number, until: number): Promise<Mark[]> {
    this.asked.push([interval, (after - NOON) / M, (until - NOON) / M])
    if (this.fails) throw this.fails
    const known = Object.entries(this.prices).map(([minute, price]) => ({ windowEnd: NOON + Number(minute) * M, price }))
    const marks = known.filter(({ windowEnd }) => windowEnd > after && windowEnd <= until).sort((a, b) => a.windowEnd - b.windowEnd)
    return [...marks.map((mark) => ({ ...mark, sourceTimestamp: mark.windowEnd - 1 })), ...this.extra]
  }

  live = async () => this.window
}

let first: Written
let second: Written
const run = () => runJob(platform, workerScheduler('test'), marksJob({ oracle_a: first, oracle_b: second }))
const marks = async (source = 'oracle_a') =>
  (
    await rows<{ window_end: string; price: string }>('select window_end, price from price_mark where source = ? order by window_end', [
      source,
    ])
  ).map(({ window_end, price }) => [(new Date(window_end).getTime() - NOON) / M, Number(price)])

beforeEach(async () => {
  await rows('truncate price_mark, price_mark_correction, price_feed, price_series')
  clock.advance(NOON - clock.now())
  first = new Written()
  second = new Written()
  await addSeries(platform.em(), {
    slug: 'btc-usd-5m',
    instrument: 'BTC/USD',
    interval: '5m',
    source: 'oracle_a',
    displayName: 'Bitcoin',
    symbolA: 'BTC',
  })
})

test('windows are stored as they end, each once', async () => {
  first.prices = { [-5]: 95, 0: 100 }
  expect(await run()).toMatchObject({ success: true, added: 2, corrected: 0, errors: 0 })
  first.prices[5] = 105
  clock.advance(5 * M)
  expect(await run()).toMatchObject({ added: 1 })
  clock.advance(15_000)
  expect(await run()).toMatchObject({ added: 0, corrected: 0 })
  expect(await marks()).toEqual([
    [-5, 95],
    [0, 100],
    [5, 105],
  ])
})

test('a late mark is stored when it arrives', async () => {
  first.prices = { 0: 100 }
  await run()
  clock.advance(5 * M)
  expect(await run()).toMatchObject({ added: 0 })
  first.prices[5] = 105
  clock.advance(15_000)
  expect(await run()).toMatchObject({ added: 1 })
})

test('a gap is filled when the source has it, even much later', async () => {
  first.prices = { [-100]: 1, [-95]: 2, 0: 100 }
  await run()
  first.prices[-50] = 50
  clock.advance(15_000)
  await run() // too soon for another request
  expect(await marks()).toHaveLength(3)
  for (let minute = 0; minute < 5; minute++) {
    clock.advance(M)
    await run()
  }
  expect(await marks()).toContainEqual([-50, 50])
})

test('a correction replaces the price, and is recorded', async () => {
  first.prices = { 0: 100 }
  await run()
  first.prices[0] = 101
  clock.advance(M)
  expect(await run()).toMatchObject({ added: 0, corrected: 1 })
  expect(await marks()).toEqual([[0, 101]])
  expect(await rows('select source, interval, old_price, new_price from price_mark_correction')).toEqual([
    { source: 'oracle_a', interval: '5m', old_price: '100.000000000000', new_price: '101.000000000000' },
  ])
  clock.advance(M)
  expect(await run()).toMatchObject({ corrected: 0 })
})

test('daily series also read five-minute marks, from each source under its own symbol', async () => {
  await rows('truncate price_series')
  await addSeries(platform.em(), {
    ...{
      slug: 'btc-usd-1d',
      instrument: 'BTC/USD',
      interval: '1d',
      source: 'oracle_b',
      displayName: 'Bitcoin',
      symbolA: 'BTC',
      symbolB: '0xab',
    },
  })
  await run()
  const intervals = (oracle: Written) => [...new Set(oracle.asked.map(([interval]) => interval))].sort()
  expect([intervals(first), intervals(second)]).toEqual([
    ['1d', '5m'],
    ['1d', '5m'],
  ])
})

test('a failing source is reported, does not affect the other, and recovers', async () => {
  await rows(`update price_series set symbol_b = 'BTC'`)
  first.fails = new OutboundError('timeout', 'it did not answer')
  second.prices = { 0: 99 }
  expect(await run()).toMatchObject({
    success: true,
    added: 1,
    errors: 1,
    errorDetails: [{ context: 'oracle_a BTC/USD 5m', error: 'it did not answer' }],
  })
  const feeds = () => rows('select source, name, checked_at is not null as well, failure from price_feed order by source')
  expect(await feeds()).toEqual([
    { source: 'oracle_a', name: 'Written', well: false, failure: 'it did not answer' },
    { source: 'oracle_b', name: 'Written', well: true, failure: '' },
  ])
  first.fails = null
  await run()
  expect(await feeds()).toMatchObject([{ well: true, failure: '' }, { well: true }])
})

test.each<[what: string, extra: Mark, problem: string]>([
  ['a window that is not over', { windowEnd: NOON + 5 * M, price: 1, sourceTimestamp: NOON }, 'a window that was not asked for'],
  ['half a window', { windowEnd: NOON - M, price: 1, sourceTimestamp: NOON - M }, 'a window that was not asked for'],
  ['a price from after its window', { windowEnd: NOON, price: 1, sourceTimestamp: NOON + 1 }, 'a price from after its window'],
])('%s is refused with everything in its response', async (_, extra, problem) => {
  first.prices = { [-5]: 95 }
  first.extra = [extra]
  expect(await run()).toMatchObject({ errors: 1, errorDetails: [{ error: expect.stringContaining(problem) }] })
  expect(await marks()).toEqual([])
})

const ABSURD = [0, -2, Number.POSITIVE_INFINITY, Number.NaN, 1e-13, 1e12]

test.each(ABSURD)('a price of %d is reported, skipped, and hides no other', async (price) => {
  first.prices = { [-10]: 94, [-5]: 95, 0: price }
  for (let minute = 0; minute < 3; minute++) {
    expect(await run()).toMatchObject({
      success: true,
      errors: 1,
      errorDetails: [{ error: expect.stringContaining(`not a price at 2026-11-20T12:00:00.000Z: ${price}`) }],
    })
    clock.advance(M)
  }
  expect(await marks()).toEqual([
    [-10, 94],
    [-5, 95],
  ])
  expect(await rows('select checked_at is not null as well, failure from price_feed')).toEqual([
    { well: true, failure: expect.stringContaining('not a price') },
  ])
  first.prices[0] = 96
  expect(await run()).toMatchObject({ added: 1, errors: 0 })
  expect(await rows('select failure from price_feed')).toEqual([{ failure: '' }])
})

test.each(ABSURD)('a live price of %d is reported and skipped, and does not affect other sources', async (price) => {
  await rows(`update price_series set symbol_b = 'BTC'`)
  first.window = { start: NOON, end: NOON + 5 * M, openingPrice: 100, price, timestamp: NOON + M }
  first.prices = { 0: 100 }
  second.prices = { 0: 99 }
  expect(await run()).toMatchObject({ success: true, added: 2, errors: 1, errorDetails: [{ error: `not a price now: 100, ${price}` }] })
  expect(await rows(`select live_price from price_feed where source = 'oracle_a'`)).toEqual([{ live_price: null }])
})

test('the current window is stored beside the marks, and removed when the source has none', async () => {
  first.window = { start: NOON, end: NOON + 5 * M, openingPrice: 100, price: 101, timestamp: NOON + M }
  await run()
  const live = () => rows('select live_opening_price, live_price from price_feed')
  expect(await live()).toEqual([{ live_opening_price: '100.000000000000', live_price: '101.000000000000' }])
  first.window = null
  await run()
  expect(await live()).toEqual([{ live_opening_price: null, live_price: null }])
})

test('a disabled series is read until its windows have prices', async () => {
  await rows(`update price_series set enabled = false`)
  first.prices = { 0: 100 }
  expect(await run()).toMatchObject({ success: true, errors: 0 })
  expect(await marks()).toEqual([])
  await rows(
    `insert into event (slug, title, creator, status, series_slug, start_date) values ('w', 'W', '0x${'c1'.repeat(20)}', 'archived', 'btc-usd-5m', ?)`,
    [new Date(NOON)],
  )
  await run()
  expect(await marks()).toEqual([[0, 100]])
  first.prices[5] = 105
  clock.advance(5 * M)
  await rows(`update event set status = 'resolved', resolved_at = now() where slug = 'w'`)
  await run()
  expect(await marks()).toEqual([[0, 100]])
})

test('however many windows are over, those to fill are found in indexes', async () => {
  await rows(
    `insert into event (slug, title, creator, status, resolved_at, series_slug, start_date, end_date, rules)
     select 'w-' || n, 'W', '0x' || repeat('c1', 20), 'resolved', now(), 'btc-usd-5m', at, at + interval '5 minutes', repeat('A rule. ', 100)
     from generate_series(1, 3000) n cross join lateral (select now() - n * interval '5 minutes' as at) window_of`,
  )
  await rows(
    `insert into market (condition_id, event_id, position, slug, question_id, title, short_title, question, resolver, end_time, grid, min_lots, fee_bps,
       registered_at, is_resolved, weight, resolution_status)
     select '0x' || md5(slug) || md5(slug), id, 0, slug, '0x' || md5(slug) || md5(slug), 'M', 'M', 'M', creator, end_date, 100, 1, 0, now(), true, 0, 'confirmed'
     from event where slug like 'w-%'`,
  )
  await rows(
    `insert into price_mark (source, instrument, interval, window_end, window_start, price, source_timestamp, received_at)
     select 'oracle_a', 'BTC/USD', '5m', at, at - interval '5 minutes', 1, at, at
     from generate_series(1, 9000) n cross join lateral (select '2026-11-01Z'::timestamptz - n * interval '5 minutes' as at) window_of`,
  )
  await rows('vacuum analyze event, market, price_mark')
  const feed = ['oracle_a', 'BTC/USD', '5m']
  const values = [new Date(NOON - 400 * 5 * M), new Date(NOON), 5 * M, '5m', ...feed, new Date(NOON), ...feed]
  const plan = await rows<{ 'QUERY PLAN': string }>(`explain ${MISSING}`, values)
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).not.toMatch(/Seq Scan on (event|market|price_mark)/)
})
