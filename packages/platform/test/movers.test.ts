import { beforeAll, expect, test } from 'vitest'
import { chancesDayAgo, movers } from '../src/events/movers.ts'
import { notePrices } from '../src/prices/price-history.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
const HOUR_MS = 3_600_000

/** Price history of a market by hours ago; the last is the current price. */
async function history(slug: string, prices: [hoursAgo: number, price: number][]) {
  const em = platform.em()
  const [market] = await em.execute<{ condition_id: string }[]>('select condition_id from market where slug = ?', [slug])
  const { condition_id } = market!
  await notePrices(
    em,
    prices.map(([hours, price]) => ({ condition_id, at: new Date(clock.now() - hours * HOUR_MS), price })),
  )
  await em.execute('update market set price = ?, best_bid = 100 where condition_id = ?', [prices.at(-1)![1], condition_id])
}

beforeAll(async () => {
  await openEvents(platform, [
    discoveryEvent('race', 'Who wins the race?', ['sports'], [{ slug: 'anna' }, { slug: 'berta' }], { negRisk: true }),
    discoveryEvent('jog', 'Will he jog?', ['sports'], [{ slug: 'jog-1' }]),
    discoveryEvent('nap', 'Will he nap?', ['sports'], [{ slug: 'nap-1' }]),
    discoveryEvent('new', 'Is it new?', ['sports'], [{ slug: 'new-1' }]),
    discoveryEvent('window', 'Bitcoin up or down?', ['crypto'], [{ slug: 'window-1' }]),
    discoveryEvent('mute', 'Will anybody speak?', ['sports'], [{ slug: 'mute-1' }]),
  ])
  await history('anna', [
    [30, 2000],
    [2, 3100],
  ])
  await history('berta', [
    [30, 6000],
    [2, 5950],
  ])
  await history('jog-1', [
    [40, 9000],
    [30, 7000],
    [1, 4500],
  ])
  await history('nap-1', [
    [30, 5000],
    [1, 5050],
  ])
  await history('window-1', [
    [3, 1000],
    [1, 9900],
  ])
  await platform.em().execute(`update event set series_slug = 'btc-usd-5m' where slug = 'window'`)
  await history('new-1', [
    [3, 5000],
    [2, 200],
    [1, 350],
  ])
})

test('the largest daily moves come first, one market per event, without unmoved markets and series windows', async () => {
  const moved = await movers(platform)
  expect(moved.every(({ condition_id }) => /^0x[0-9a-f]{64}$/.test(condition_id))).toBe(true)
  expect(moved).toMatchObject([
    { event_slug: 'jog', title: 'Will he jog?', name: null, chance: 45, change: -25 },
    { event_slug: 'race', title: 'Who wins the race?', name: 'anna', chance: 31, change: 11 },
    { event_slug: 'new', title: 'Is it new?', name: null, chance: 3.5, change: 1.5 },
  ])
})

test('each market is compared with what it stood at a day ago, or first; one without a price is not', async () => {
  const markets = await platform
    .em()
    .execute<{ condition_id: string; slug: string }[]>('select condition_id, slug from market order by slug')
  const past = await chancesDayAgo(
    platform,
    markets.map(({ condition_id }) => condition_id),
  )
  const told = markets.flatMap(({ slug, condition_id }) => (past.has(condition_id) ? [[slug, past.get(condition_id)]] : []))
  expect(told).toEqual([
    ['anna', 20],
    ['berta', 60],
    ['jog-1', 70],
    ['nap-1', 50.5],
    ['new-1', 2],
    ['window-1', 10],
  ])
})
