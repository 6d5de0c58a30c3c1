import { eventually } from '@augury/testing/eventually'
import { beforeAll, expect, test } from 'vitest'
import { dashboard, TOTALS } from '../src/admin/dashboard.ts'
import { TROUBLED } from '../src/admin/list-events.ts'
import { testSite } from './test-site.ts'

const { site } = await testSite()
const own = site.exchange.operatorAddress.toLowerCase()
const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => site.em().execute(sql, values)
const at = (days: number) => new Date(site.now().getTime() - days * 86_400_000)

/** 1500 events with two markets each; every third is decided, every seventh of another creator. */
beforeAll(async () => {
  await rows(
    `insert into event (slug, title, rules, creator, status, resolved_at, volume, volume_24h, total_markets_count, active_markets_count)
     select 'event-' || n, 'Event', repeat('A rule. ', 100), case when n % 7 = 0 then '0x' || repeat('c9', 20) else ? end,
       case when n % 3 = 0 then 'resolved' else 'active' end, case when n % 3 = 0 then now() end, 1000, 100, 2, case when n % 3 = 0 then 0 else 2 end
     from generate_series(1, 1500) n`,
    [own],
  )
  await rows(
    `insert into market (condition_id, event_id, position, slug, question_id, title, short_title, question, resolver, end_time, grid, min_lots, fee_bps,
       registered_at, is_active, is_resolved, weight, resolution_status, open_interest, event_interest)
     select '0x' || md5(slug || k) || md5(slug || k), id, k, slug || '-' || k, '0x' || md5(slug || k) || md5(slug || k), 'M', 'M', 'M', creator,
       ?::timestamptz + interval '9 days', 100, 1, 0, now(), status = 'active', status = 'resolved',
       case when status = 'resolved' then 10000 end, case when status = 'resolved' then 'confirmed' else 'pending' end,
       case when status = 'active' then 5 + k else 0 end, case when status = 'active' then 3 else 0 end
     from event cross join generate_series(0, 1) k`,
    [site.now()],
  )
})

const pay = (seq: number, days: number, amount: number) =>
  rows(
    `insert into affiliate_share (seq, at, condition_id, taker, referrer, volume, fee, amount)
     values (?, ?, '0x' || repeat('a', 64), '0x' || repeat('1', 40), '0x' || repeat('2', 40), 1000000, 1000000, ?) on conflict do nothing`,
    [seq, at(days), amount],
  )

test('the figures are those of all rows', async () => {
  await pay(1, 0, 250_000)
  await pay(2, 0, 500_000)
  await pay(2, 0, 500_000)
  await pay(3, 2, 125_000)
  await pay(4, 100, 1_000_000)
  const { totals, days } = (await dashboard(site, { query: { days: 7 } })).data
  const shown = { open_interest: 14_000 / 1e6, active_events: 1000, active_markets: 2000, affiliate_shares: 1.875, attention: 0 }
  expect(totals).toMatchObject({ ...shown, volume: 1_286_000 / 1e6, volume_24h: 128_600 / 1e6 })
  expect(days.map(({ affiliate_shares }) => affiliate_shares)).toEqual([0, 0, 0, 0, 0.125, 0, 0.75])
})

test.each([
  ['ended', `update market set end_time = ?::timestamptz - interval '1 s'`],
  [
    'due',
    `update market set resolution_status = 'proposed', proposed_weight = 0, resolution_deadline_at = ?::timestamptz - interval '2 min'`,
  ],
  ['disputed', `update market set resolution_status = 'disputed', proposed_weight = 0, resolution_deadline_at = ?`],
  ['flagged', `update market set resolution_flagged = ?::timestamptz is not null`],
  ['unregistered', `update market set is_active = false, registered_at = nullif(?::timestamptz, '2026-11-20T12:00:00Z')`],
  ['paused', `update event set paused_at = ?`],
])('an event that is %s is counted', async (_, change) => {
  const em = site.em().fork()
  await em.begin()
  await em.execute(`${change} where slug in ('event-100', 'event-100-0')`, [site.now()])
  const { data } = await dashboard({ ...site, em: () => em }, { query: { days: 1 } })
  expect(data.totals.attention).toBe(1)
  await em.rollback()
})

test('days are those of UTC, whatever the time zone of the database', async () => {
  await rows(
    `insert into users (address, affiliate_code, created_at)
     select '0x' || lpad(n::text, 40, '0'), 'member' || n, ?::timestamptz - n * interval '3 hours' from generate_series(0, 15) n`,
    [site.now()],
  )
  const em = site.em().fork()
  await em.begin()
  await em.execute(`set local time zone 'America/Los_Angeles'`)
  const { days } = (await dashboard({ ...site, em: () => em }, { query: { days: 2 } })).data
  await em.rollback()
  expect(days.map(({ day, new_members }) => [day, new_members])).toEqual([
    ['2026-11-19', 8],
    ['2026-11-20', 5],
  ])
})

test('they are found in indexes', async () => {
  // Whatever else looks at the database keeps rows from counting as seen by all: indexes alone are dear then.
  await eventually(async () => {
    await rows('vacuum analyze')
    expect(await rows(`select from pg_class where relname in ('event', 'market') and relallvisible < 0.9 * relpages`)).toEqual([])
  })
  const plan = async (sql: string, values: unknown[]) =>
    (await rows<{ 'QUERY PLAN': string }>(`explain ${sql}`, values)).map((row) => row['QUERY PLAN']).join('\n')
  expect(await plan(TOTALS, [site.now(), own])).not.toMatch(/Seq Scan on (market|event|affiliate_share)/)
  const troubled = await plan(TROUBLED, [site.now(), own, site.now()])
  expect(troubled).not.toMatch(/Seq Scan on market/)
  for (const index of ['market_to_end', 'market_to_look_at', 'event_paused']) expect(troubled).toContain(index)
})
