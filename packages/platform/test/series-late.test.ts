import { NoAnswerError } from '@augury/client/answer'
import { beforeEach, expect, test } from 'vitest'
import { addSeries } from '../src/series/manage-series.ts'
import { MEMBERS, STRANGER, seriesWorld } from './series-world.ts'
import { CREATOR } from './test-platform.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const world = await seriesWorld([{ slug: 'btc-usd-5m', interval: '5m', settlementSeconds: 30, disputeSeconds: 30, ahead: 1 }])
const { clock, exchange, rows, tick } = world
const START = clock.now()

interface Standing {
  slug: string
  resolution_status: string
  resolution_flagged: boolean
}
const standing = () =>
  rows<Standing>(
    `select event.slug, resolution_status, resolution_flagged from market join event on event_id = event.id
     where series_slug = 'btc-usd-5m' order by end_time limit 2`,
  )
const note = async () =>
  (await rows<{ note: string }>(`select note from resolution_step where step = 'flagged' order by id desc limit 1`))[0]?.note

beforeEach(async () => {
  await rows(`delete from price_series where slug <> 'btc-usd-5m'`)
  await rows('truncate event, market, outcome, settlement, resolution_step, translation, price_mark, price_feed, sync_failure cascade')
  exchange.conditions.clear()
  clock.advance(START - clock.now())
  world.oracle.settled = (marks) => marks
})

test.each([
  ['a day and a half', 30 * HOUR],
  ['longer than prices are looked back for', 50 * HOUR],
])('windows that ended while the worker was stopped for %s are decided by the prices, and paid', async (_, away) => {
  await tick()
  const [first] = await rows<{ condition_id: string }>('select condition_id from market order by end_time limit 1')
  exchange.trade(first!.condition_id, MEMBERS[0], STRANGER, 4000, 500)
  clock.advance(away)
  for (let minute = 0; minute < 6; minute++) {
    await tick()
    clock.advance(MINUTE)
  }
  expect(await standing()).toMatchObject([
    { resolution_status: 'confirmed', resolution_flagged: false },
    { resolution_status: 'confirmed', resolution_flagged: false },
  ])
  expect(exchange.conditions.get(first!.condition_id)).toMatchObject({ mode: 'resolved', locked: 0 })
})

test('windows that could not be opened in time, as the exchange did not answer, are gone when they have ended', async () => {
  await tick()
  exchange.before = () => {
    throw new NoAnswerError('no answer')
  }
  for (let minute = 0; minute < 20; minute++) {
    clock.advance(MINUTE)
    await tick()
  }
  const windows = () => rows<{ n: number }>('select count(*)::int as n from event')
  expect((await windows())[0]!.n).toBeGreaterThan(4)
  exchange.before = () => {}
  for (let minute = 0; minute < 16; minute++) {
    clock.advance(MINUTE)
    await tick()
  }
  expect(await rows('select from market where registered_at is null and end_time <= ?', [new Date(clock.now())])).toEqual([])
  expect(await rows('select from event where id not in (select event_id from market)')).toEqual([])
  expect(await rows(`select from translation where kind = 'event' and subject not in (select id from event)`)).toEqual([])
  expect(await standing()).toMatchObject([{ resolution_status: 'confirmed' }, { resolution_status: 'confirmed' }])
})

test('a window whose price never arrives is left to operators a day after its trading ended', async () => {
  await tick()
  world.oracle.settled = () => []
  clock.advance(30 * HOUR)
  await tick()
  await tick()
  expect(await standing()).toMatchObject([{ resolution_status: 'pending', resolution_flagged: false }, {}])
  clock.advance(25 * HOUR)
  await tick()
  expect([await standing(), await note()]).toMatchObject([
    [{ resolution_status: 'pending', resolution_flagged: true }, {}],
    'A price is missing.',
  ])
})

/** Higher than the price of any other coin here. */
const BITCOIN = 50_000

/** Windows of a series without prices, more than one run processes. */
async function deadSeries(windows: number): Promise<void> {
  await addSeries(world.platform.em(), {
    ...{ slug: 'eth-usd-5m', instrument: 'ETH/USD', interval: '5m', source: 'oracle_a', displayName: 'Ether', symbolA: 'ETH' },
    ...{ recurring: false, settlementSeconds: 30, disputeSeconds: 30 },
  })
  world.oracle.settled = (marks) => marks.filter(({ price }) => price > BITCOIN)
  const end = `(?::timestamptz - n * interval '5 minutes')`
  const now = new Date(clock.now())
  await rows(
    `insert into event (slug, title, creator, status, series_slug, start_date, end_date)
     select 'eth-usd-5m-' || extract(epoch from ${end})::bigint, 'Ether', ?, 'archived', 'eth-usd-5m', ${end} - interval '5 minutes', ${end}
     from generate_series(1, ?) n`,
    [now, CREATOR.toLowerCase(), now, now, windows],
  )
  await rows(
    `insert into market (condition_id, event_id, position, slug, question_id, title, short_title, question, resolver, resolution_source, end_time,
       grid, min_lots, fee_bps, registered_at, is_active)
     select '0x' || encode(sha256(slug::bytea), 'hex'), id, 0, slug, '0x' || encode(sha256(slug::bytea), 'hex'), slug, slug, slug, creator, 'Feed A',
       end_date, 100, 500, 0, now(), false from event where series_slug = 'eth-usd-5m'`,
  )
  await rows(
    `insert into settlement (market_condition_id, closed_at, mirrored) select condition_id, end_time, true from market where slug like 'eth%'`,
  )
}

test('missing prices of one instrument do not delay windows of another', async () => {
  await tick()
  clock.advance(5 * MINUTE)
  await deadSeries(250)
  await tick() // ends the window
  clock.advance(30_000)
  await tick() // proposes
  clock.advance(30_000)
  await tick() // confirms
  expect((await standing())[0]).toMatchObject({ resolution_status: 'confirmed' })
})

test('markets that the exchange refuses to end do not prevent others from ending', async () => {
  await tick()
  clock.advance(5 * MINUTE)
  await deadSeries(600)
  await rows(`update settlement set closed_at = null where market_condition_id in (select condition_id from market where slug like 'eth%')`)
  await tick()
  await tick()
  const [first] = await rows<{ closed: boolean }>(
    `select closed_at is not null as closed from market join settlement on market_condition_id = condition_id where slug like 'btc%' order by end_time limit 1`,
  )
  expect(first).toEqual({ closed: true })
})

test('a market whose rules name another feed than the series uses now is left to operators', async () => {
  await tick()
  await rows(`update market set resolution_source = 'Feed of before' where slug like 'btc%'`)
  clock.advance(6 * MINUTE)
  await tick()
  await tick()
  expect((await standing())[0]).toMatchObject({ resolution_status: 'pending', resolution_flagged: true })
  expect(await note()).toBe('The rules name Feed of before; the series reads Feed A now.')
})

test('a feed that changed between proposal and result leaves the result to operators', async () => {
  await tick()
  clock.advance(5 * MINUTE)
  await tick()
  clock.advance(30_000)
  await tick()
  expect((await standing())[0]).toMatchObject({ resolution_status: 'proposed' })
  await rows(`update market set resolution_source = 'Feed of before' where slug like 'btc%'`)
  clock.advance(30_000)
  await tick()
  expect((await standing())[0]).toMatchObject({ resolution_status: 'proposed', resolution_flagged: true })
})

test('a second source that differs only after the proposal leaves the result to operators, whose review stands', async () => {
  const [, series] = world.jobs
  const other = (factor: number) => rows(`update price_mark set price = price * ?::numeric where source = 'oracle_b'`, [factor])
  const unflag = () => rows('update market set resolution_flagged = false where not is_resolved')
  await tick()
  clock.advance(5 * MINUTE)
  await tick()
  clock.advance(30_000)
  await tick()
  expect((await standing())[0]).toMatchObject({ resolution_status: 'proposed', resolution_flagged: false })
  clock.advance(30_000)
  await other(1.02)
  await world.run(series!)
  expect((await standing())[0]).toMatchObject({ resolution_status: 'proposed', resolution_flagged: true })
  expect(await note()).toMatch(/^The other source says /)
  await unflag()
  await other(1.02)
  await world.run(series!)
  expect((await standing())[0]).toMatchObject({ resolution_status: 'proposed', resolution_flagged: true })
  await unflag()
  await world.run(series!)
  expect((await standing())[0]).toMatchObject({ resolution_status: 'confirmed', resolution_flagged: false })
})
