import { beforeAll, expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { type Job, runJob } from '../src/jobs/run-job.ts'
import { marksJob } from '../src/prices/marks-job.ts'
import { simulatedOracle } from '../src/prices/simulated-oracle.ts'
import { settlementJob } from '../src/resolution/settle.ts'
import { addSeries } from '../src/series/manage-series.ts'
import { seriesJob } from '../src/series/series-job.ts'
import { LedgerExchange } from './ledger-exchange.ts'
import { CREATOR, discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
const exchange = new LedgerExchange(CREATOR)
const oracle_a = simulatedOracle('Feed A', { differs: false })
const oracles = { oracle_a, oracle_b: simulatedOracle('Feed B', { differs: true }) }
const jobs = {
  marks: marksJob(oracles),
  series: seriesJob(exchange.register, CREATOR),
  settlement: settlementJob(async () => exchange.client, CREATOR),
}
const run = async (job: Job) => {
  const result = await runJob(platform, workerScheduler('test'), job)
  expect(result).toMatchObject({ success: true, errors: 0, errorDetails: [] })
  return result
}
const everything = async () => {
  for (const job of [jobs.marks, jobs.series, jobs.settlement]) await run(job)
}
const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)

beforeAll(async () => {
  await addSeries(platform.em(), {
    ...{
      slug: 'btc-usd-5m',
      instrument: 'BTC/USD',
      interval: '5m',
      source: 'oracle_a',
      displayName: 'Bitcoin',
      symbolA: 'BTC',
      symbolB: 'BTC',
    },
    ...{ recurring: true, settlementSeconds: 30, disputeSeconds: 30 },
  })
})

test('a window is opened ahead of time, and ended, proposed, confirmed and paid automatically', async () => {
  await everything()
  const opened = await rows<{ slug: string; is_active: boolean; condition_id: string }>(
    'select event.slug, is_active, condition_id from market join event on event_id = event.id order by end_time',
  )
  expect(opened.map(({ slug, is_active }) => [slug, is_active])).toEqual([
    ['btc-usd-5m-1795176300', true],
    ['btc-usd-5m-1795176600', true],
    ['btc-usd-5m-1795176900', true],
  ])
  const titles = await rows<{ locale: string; text: string }>(
    'select locale, text from translation join event on id = subject where slug = ? order by locale',
    [opened[0]!.slug],
  )
  expect(titles).toEqual([
    { locale: 'ar', text: 'صعود Bitcoin أم هبوطه: 20 نوفمبر، \u206612:00–12:05 UTC\u2069' },
    { locale: 'es', text: 'Bitcoin, ¿sube o baja?: 20 nov, 12:00–12:05 UTC' },
  ])
  const [first] = opened
  const [member] = await rows<{ id: string }>(
    `insert into users (address, affiliate_code) values ('0x${'a'.repeat(40)}', 'a1234567') returning id`,
  )
  exchange.trade(first!.condition_id, `0x${'A'.repeat(40)}`, `0x${'b'.repeat(40)}`, 4000, 500)

  clock.advance(300_000)
  await everything()
  expect(exchange.conditions.get(first!.condition_id)!.mode).toBe('closed')
  clock.advance(30_000)
  await everything()
  expect(await rows('select resolution_status from market where condition_id = ?', [first!.condition_id])).toEqual([
    { resolution_status: 'proposed' },
  ])
  clock.advance(30_000)
  await everything()
  const [paid] = await rows<{ weight: number }>('select weight, resolution_status, is_resolved from market where condition_id = ?', [
    first!.condition_id,
  ])
  expect(paid).toMatchObject({ resolution_status: 'confirmed', is_resolved: true })
  expect(exchange.conditions.get(first!.condition_id)).toMatchObject({ mode: 'resolved', weight: paid!.weight, locked: 0 })
  expect(exchange.total()).toBe(0)
  const [told] = await rows<{ title: string; description: string }>('select title, description from notification where user_id = ?', [
    member!.id,
  ])
  expect(told).toEqual(
    paid!.weight === 10_000
      ? {
          title: 'You are paid',
          description: expect.stringMatching(/^Bitcoin up or down: 20 Nov, 12:00–12:05 UTC: Up\. 5 Up pay \$5\.00\.$/),
        }
      : { title: 'Market resolved', description: expect.stringMatching(/: Down\. 5 Up pay nothing\.$/) },
  )
  expect(
    (
      await rows<{ step: string }>('select step from resolution_step where market_condition_id = ? order by at, id', [first!.condition_id])
    ).map(({ step }) => step),
  ).toEqual([...['closed', 'proposed', 'confirmed', 'settled', 'paid']])
  expect(exchange.conditions.get(first!.condition_id)!.shown).toMatchObject({ resolution_status: 'confirmed', resolution_flagged: false })
})

test('a series without prices for a window opens no more, and continues once there are', async () => {
  const opened = async () => (await rows<{ count: number }>('select count(*)::int as count from market'))[0]!.count
  const before = await opened()
  clock.advance(300_001)
  expect(await run(jobs.series)).toMatchObject({ silent: 1 })
  expect(await opened()).toBe(before)
  await everything()
  expect(await opened()).toBeGreaterThan(before)
})

test("only the series' own windows are decided by prices, not events linked to it for the chart or by another creator", async () => {
  const now = platform.now().getTime()
  const end = Math.ceil(now / 300_000) * 300_000
  const start = new Date(end - 300_000)
  const slugs = ['rainfall', `btc-usd-5m-${end / 1000 + 86_400}`]
  await openEvents(
    platform,
    slugs.map((slug) => discoveryEvent(slug, `Will ${slug} happen?`, ['weather'], [{ slug, end: new Date(end).toISOString() }])),
  )
  await rows(`update event set series_slug = 'btc-usd-5m', start_date = ? where slug in (?, ?)`, [start, ...slugs])
  // A window that only differs in its creator.
  const theirs = `btc-usd-5m-${end / 1000}`
  await rows(`update event set creator = '0x${'e'.repeat(40)}' where slug = ?`, [theirs])
  const conditions = await rows<{ condition_id: string }>(
    'select condition_id from market join event on event.id = event_id where event.slug in (?, ?, ?)',
    [...slugs, theirs],
  )
  expect(conditions).toHaveLength(3)
  for (const { condition_id: id } of conditions)
    await rows(
      'insert into settlement (market_condition_id, closed_at) values (?, now()) on conflict (market_condition_id) do update set closed_at = now()',
      [id],
    )
  clock.advance(330_000)
  await run(jobs.marks)
  await run(jobs.series)
  expect(
    await rows('select distinct resolution_status from market join event on event.id = event_id where event.slug in (?, ?, ?)', [
      ...slugs,
      theirs,
    ]),
  ).toEqual([{ resolution_status: 'pending' }])
})
