import { BadAnswerError } from '@augury/client/answer'
import { eventually } from '@augury/testing/eventually'
import type { Market } from '@augury/wire/market'
import { beforeEach, expect, test } from 'vitest'
import { workerScheduler } from '../src/identity/scheduler.ts'
import { eventsJob } from '../src/sync/events.ts'
import { databaseTime } from '../src/sync/market-states.ts'
import { resolutionJob } from '../src/sync/resolution.ts'
import { runJob } from '../src/sync/run-job.ts'
import { listedMarket } from './listed-market.ts'
import { ListingExchange } from './listing-exchange.ts'
import { CREATOR, testPlatform } from './test-platform.ts'

const FRIEND = '0x00000000000000000000000000000000000000F1'
const STRANGER = '0x00000000000000000000000000000000000000d1'

const { platform, clock } = await testPlatform()
const scheduler = workerScheduler('test')
const read = async <T = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)

let exchange = new ListingExchange()
const client = async () => exchange.client
const events = () => runJob(platform, scheduler, eventsJob(client, CREATOR))
const resolution = () => runJob(platform, scheduler, resolutionJob(client, CREATOR))
const showCreators = (creators: string[]) =>
  read(
    `insert into settings_version (group_name, number, values, created_at) values ('general', (select count(*) + 1 from settings_version), ?::jsonb, now())`,
    [JSON.stringify({ marketCreators: creators })],
  )
const statuses = () => read('select slug, status, is_shown from event order by slug')
const market = async (slug: string) => (await read('select * from market where slug = ?', [slug]))[0]

beforeEach(async () => {
  for (const table of [
    'sync_run',
    'sync_failure',
    'sync_job',
    'settings_version',
    'event_tag',
    'price_point',
    'outcome',
    'market',
    'event',
  ])
    await read(`delete from ${table}`)
  exchange = new ListingExchange()
  clock.advance(86_400_000) // no failure of another test is pending in this one
})

test('markets of the own wallet are imported, with their event', async () => {
  exchange.listed = [
    listedMarket('rain', { eventSlug: 'weather', rules: 'By the station.', fee_rate_bps: 70 }),
    listedMarket('snow', { eventSlug: 'weather', minimum_tick_size: 0.001, minimum_order_size: 2.5 }),
    listedMarket('vote', { mode: 'paused', accepting_orders: false }),
    listedMarket('theirs', { creator: STRANGER }),
  ]
  expect(await events()).toEqual({
    ...{ success: true, scanned: 4, stored: 3, updated: 3 },
    ...{ errors: 0, errorDetails: [], timeLimitReached: false },
  })
  expect(exchange.asked).toEqual(['first', '3'])
  expect(await statuses()).toEqual([
    { slug: 'vote', status: 'archived', is_shown: true },
    { slug: 'weather', status: 'active', is_shown: true },
  ])
  expect(await market('rain')).toMatchObject({ rules: 'By the station.', grid: 100, min_lots: 500, fee_bps: 70, is_active: true })
  expect(await market('snow')).toMatchObject({ grid: 10, min_lots: 250, position: 1, is_active: true })
  expect(await market('vote')).toMatchObject({ is_active: false, is_resolved: false })
  expect((await market('rain'))!.registered_at).not.toBeNull()
  expect(
    await read(`select token_id, text from outcome where market_condition_id = ? order by index`, [exchange.listed[0]!.condition_id]),
  ).toEqual([
    { token_id: exchange.listed[0]!.tokens[0]!.token_id, text: 'Yes' },
    { token_id: exchange.listed[0]!.tokens[1]!.token_id, text: 'No' },
  ])
})

test('a second run changes nothing', async () => {
  exchange.listed = [listedMarket('rain'), listedMarket('snow')]
  await events()
  const before = await read('select * from market order by slug')
  expect(await events()).toMatchObject({ scanned: 2, updated: 0, errors: 0 })
  expect(await read('select * from market order by slug')).toEqual(before)
})

test('what comes new to an event that is paused is not open here until the event goes on', async () => {
  exchange.listed = [listedMarket('rain', { eventSlug: 'weather' })]
  await events()
  await read(`update event set paused_at = now()`)
  await read(`update market set is_active = false`)
  exchange.listed = [
    listedMarket('rain', { eventSlug: 'weather', mode: 'paused', accepting_orders: false }),
    listedMarket('snow', { eventSlug: 'weather' }),
  ]
  await events()
  expect([(await market('snow'))!.is_active, await statuses()]).toEqual([false, [{ slug: 'weather', status: 'archived', is_shown: true }]])
  await read(`update event set paused_at = null`)
  await events()
  expect((await market('snow'))!.is_active).toBe(true)
})

test('only markets of the configured creators are listed, by default the own wallet; others stay up to date and have pages', async () => {
  exchange.listed = [listedMarket('ours'), listedMarket('friend', { creator: FRIEND }), listedMarket('stranger', { creator: STRANGER })]
  await events()
  expect(await statuses()).toEqual([{ slug: 'ours', status: 'active', is_shown: true }])
  await showCreators([FRIEND.toLowerCase()])
  await events()
  expect(await statuses()).toEqual([
    { slug: 'friend', status: 'active', is_shown: true },
    { slug: 'ours', status: 'active', is_shown: false },
  ])
  await showCreators([])
  exchange.listed = exchange.listed.map((market) => ({ ...market, mode: 'closed', accepting_orders: false, closed: true }))
  await events()
  expect(await statuses()).toEqual([
    { slug: 'friend', status: 'archived', is_shown: false },
    { slug: 'ours', status: 'archived', is_shown: true },
  ])
})

test('an event with markets on different pages is one event, and a neg-risk one gets all of them', async () => {
  const negRisk = { neg_risk: true, neg_risk_market_id: `0x${'ab'.repeat(31)}00`, eventSlug: 'race' }
  exchange.listed = [listedMarket('a'), ...['x-1', 'x-2', 'x-3', 'x-4', 'x-5'].map((slug) => listedMarket(slug, negRisk))]
  expect(await events()).toMatchObject({ stored: 6, errors: 0 })
  expect(await read(`select neg_risk, neg_risk_market_id, total_markets_count from event where slug = 'race'`)).toEqual([
    { neg_risk: true, neg_risk_market_id: `0x${'ab'.repeat(31)}00`, total_markets_count: 5 },
  ])
})

const BAD: [what: string, change: Partial<Market>, error: RegExp][] = [
  ['whose result is missing', { mode: 'resolved' }, /resolved, and pays null/],
  ['that pays before it is resolved', { resolution_price: 1 }, /open, and pays 1/],
  ['without an end', { end_date_iso: null }, /without an end/],
  ['with three outcomes', { tokens: Array(3).fill({ token_id: '1', outcome: 'x', price: 0, winner: false }) }, /3 outcomes/],
  ['with a tick that no market has', { minimum_tick_size: 0.02 }, /market_grid/],
  ['whose smallest order is more than is kept of it', { minimum_order_size: 21_474_836.48 }, /a smallest order of 21474836.48 shares/],
  ['with ids of another', { condition_id: `0x${'12'.repeat(32)}` }, /its slug and creator make 0x/],
]
test.each(BAD)('a market %s is reported and affects no other', async (_, change, error) => {
  const bad = { ...listedMarket('bad'), ...change }
  exchange.listed = [listedMarket('good-1'), bad, listedMarket('good-2'), listedMarket('good-3')]
  expect(await events()).toMatchObject({
    success: true,
    stored: 3,
    errorDetails: expect.arrayContaining([{ context: bad.condition_id, error: expect.stringMatching(error) }]),
  })
  expect(await read('select slug from market order by slug')).toEqual([{ slug: 'good-1' }, { slug: 'good-2' }, { slug: 'good-3' }])
  expect(await events()).toMatchObject({ errors: 0 })
  clock.advance(300_000)
  expect(((await events()) as { errors: number }).errors).toBeGreaterThan(0)
})

test('a slug taken by another creator is reported, and their event not changed', async () => {
  await showCreators([FRIEND.toLowerCase(), STRANGER.toLowerCase()])
  exchange.listed = [
    listedMarket('one', { creator: FRIEND, eventSlug: 'same' }),
    listedMarket('two', { creator: STRANGER, eventSlug: 'same' }),
  ]
  expect(await events()).toMatchObject({
    stored: 1,
    errors: 1,
    errorDetails: [{ error: expect.stringMatching(/the event same belongs to 0x0+f1/) }],
  })
  expect(await read('select creator, total_markets_count from event')).toEqual([{ creator: FRIEND.toLowerCase(), total_markets_count: 1 }])
})

test.each([
  ['won', 1, 10_000],
  ['lost', 0, 0],
  ['is a tie', 0.5, 5_000],
  ['is void', 0.3333, 3_333],
])('a market that %s is resolved here too, and its event with the last one', async (_, price, weight) => {
  exchange.listed = [listedMarket('a', { eventSlug: 'pair' }), listedMarket('b', { eventSlug: 'pair' })]
  await events()
  const resolved = {
    mode: 'resolved',
    resolution_price: price,
    closed: true,
    accepting_orders: false,
    resolution_status: 'confirmed',
  } as const
  exchange.listed[0] = { ...exchange.listed[0]!, ...resolved }
  await events()
  expect(await market('a')).toMatchObject({ is_resolved: true, is_active: false, weight, resolution_status: 'confirmed' })
  expect(await statuses()).toMatchObject([{ status: 'active' }])
  exchange.listed[1] = { ...exchange.listed[1]!, ...resolved }
  await events()
  expect(await statuses()).toMatchObject([{ status: 'resolved' }])
})

test('a result from here stays; a different one on the exchange is reported and not changed', async () => {
  exchange.listed = [listedMarket('a')]
  await events()
  await read(`update market set is_resolved = true, is_active = false, weight = 10000, resolution_status = 'confirmed', updated_at = now()`)
  expect(await events()).toMatchObject({ updated: 0, errors: 0 }) // the exchange follows later
  expect(await market('a')).toMatchObject({ is_resolved: true, is_active: false })
  exchange.listed[0] = { ...exchange.listed[0]!, mode: 'resolved', resolution_price: 0 }
  expect(await events()).toMatchObject({
    errors: 1,
    errorDetails: [{ context: exchange.listed[0].condition_id, error: 'pays 10000 here and 0 on the exchange' }],
  })
  expect(await market('a')).toMatchObject({ weight: 10_000 })
})

test('a change written after a request never has an earlier time', async () => {
  for (let round = 0; round < 100; round++) {
    const askedAt = await databaseTime(platform.em())
    expect(await read('select clock_timestamp()::timestamptz(3) >= ?::timestamptz as later', [askedAt])).toEqual([{ later: true }])
  }
})

test('a market that changes here during a request keeps its values until the next run', async () => {
  exchange.listed = [listedMarket('a')]
  await events()
  exchange.meanwhile = async () => {
    exchange.meanwhile = async () => {}
    await read(`update market set is_active = false, updated_at = clock_timestamp() where slug = 'a'`)
  }
  expect(await events()).toMatchObject({ updated: 0 })
  expect(await market('a')).toMatchObject({ is_active: false })
  expect(await events()).toMatchObject({ updated: 1 })
  expect(await market('a')).toMatchObject({ is_active: true })
})

test('a market that changes here after its part of a request was answered keeps its values', async () => {
  exchange.listed = [listedMarket('a'), listedMarket('b')].sort((one, other) => (one.condition_id < other.condition_id ? -1 : 1))
  await events()
  await read(`update market set is_active = false`) // processed again by either job
  const [first, second] = exchange.listed.map(({ condition_id }) => condition_id)
  let answers = 0
  const halved = async () => ({
    async getMarket(question: { params: { condition_id: string } }) {
      const { condition_id } = question.params
      if (condition_id === second) throw new BadAnswerError('not a market')
      const answer = await exchange.client.getMarket(question)
      if (++answers === 2) await read('update market set updated_at = clock_timestamp() where condition_id = ?', [first])
      return answer
    },
  })
  expect(await runJob(platform, scheduler, resolutionJob(halved, CREATOR))).toMatchObject({ updated: 0, errors: 1 })
  expect(answers).toBe(2)
  expect(await read('select is_active from market where condition_id = ?', [first])).toEqual([{ is_active: false }])
})

test('a step waits for a result that is being written, and keeps it', async () => {
  exchange.listed = [listedMarket('a')]
  await events()
  const [written, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const confirming = platform.em().transactional(async (em) => {
    await em.execute(`update market set is_resolved = true, is_active = false, weight = 10000, resolution_status = 'confirmed'`)
    written.resolve()
    await go.promise
  })
  await written.promise
  const run = events()
  await eventually(async () => {
    const waiting = await read(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
    expect(waiting).toHaveLength(1)
  })
  go.resolve()
  await confirming
  expect(await run).toMatchObject({ success: true, errors: 0 })
  expect(await market('a')).toMatchObject({ is_resolved: true, is_active: false, weight: 10_000 })
})

test("flags of others' markets are adopted, those of our own are decided here", async () => {
  await showCreators([CREATOR, FRIEND.toLowerCase()])
  const flagged = { resolution_flagged: true, resolution_paused: true }
  exchange.listed = [listedMarket('ours', flagged), listedMarket('friend', { ...flagged, creator: FRIEND })]
  await events()
  expect(await market('ours')).toMatchObject({ resolution_flagged: false, resolution_paused: false })
  expect(await market('friend')).toMatchObject({ resolution_flagged: true, resolution_paused: true })
})

test('a run that failed within a step repeats the step, and an interrupted one continues after its last step', async () => {
  exchange.listed = Array.from({ length: 504 }, (_, index) => listedMarket(`m-${index}`, { eventSlug: 'crowd' }))
  let [gone, time] = [true, 0]
  exchange.meanwhile = async () => {
    if (exchange.asked.length === 2 && gone) throw new Error('gone')
    clock.advance(time)
  }
  expect(await events()).toEqual({ success: false, error: 'gone' })
  expect(await read('select from market')).toEqual([])
  ;[gone, time, exchange.asked] = [false, 2000, []]
  expect(await events()).toMatchObject({ scanned: 501, stored: 501, timeLimitReached: true })
  expect(exchange.asked).toHaveLength(167)
  ;[time, exchange.asked] = [0, []]
  expect(await events()).toMatchObject({ scanned: 3, stored: 3, timeLimitReached: false })
  expect(exchange.asked).toEqual(['501'])
})

test('only ended markets are read for results; those unknown to the exchange are reported', async () => {
  exchange.listed = [
    listedMarket('open'),
    listedMarket('ended', { end_date_iso: '2020-01-01T00:00:00.000Z' }),
    listedMarket('closed', { mode: 'closed' }),
  ]
  await events()
  exchange.asked = []
  expect(await resolution()).toMatchObject({ scanned: 2, updated: 0, errors: 0 })
  expect(exchange.asked.sort()).toEqual([exchange.listed[1]!.condition_id, exchange.listed[2]!.condition_id].sort())

  exchange.listed[1] = { ...exchange.listed[1]!, mode: 'resolved', resolution_price: 1 }
  const [lost] = exchange.listed.splice(2, 1)
  expect(await resolution()).toMatchObject({
    updated: 1,
    errors: 1,
    errorDetails: [{ context: lost!.condition_id, error: 'the exchange does not know it' }],
  })
  expect(await market('ended')).toMatchObject({ is_resolved: true, weight: 10_000 })
  expect(await statuses()).toMatchObject([{ status: 'archived' }, { status: 'resolved' }, { status: 'active' }])
})
