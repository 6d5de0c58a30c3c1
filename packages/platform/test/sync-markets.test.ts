import type { Market } from '@augury/wire/market'
import { beforeEach, expect, test } from 'vitest'
import { listedMarket } from './listed-market.ts'
import { FRIEND, listedWorld } from './listed-world.ts'

const STRANGER = '0x00000000000000000000000000000000000000d1'

const { clock, exchange, read, events, showCreators, statuses, market, reset } = await listedWorld()
beforeEach(reset)

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
