import { ONE } from '@augury/units/price'
import { expect, test } from 'vitest'
import { chanceLines } from '../src/events/chance-lines.ts'
import { movers } from '../src/events/movers.ts'
import { sparks } from '../src/events/sparks.ts'
import { notePrices } from '../src/prices/price-history.ts'
import { sampleHistory } from '../src/prices/sample-history.ts'
import { SAMPLED_MINUTES, samplePaths } from '../src/prices/sample-path.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const GRIDS = [1, 10, 25, 50, 100] as const
/** Numbers for the cases below; every run has the same. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; state = (state * 48_271) % 2_147_483_647) yield state
}

test('sample paths end at the price of today, and stay on the grid between 0 and 1', () => {
  const next = numbers(7)
  for (let n = 0; n < 200; n++) {
    const grid = GRIDS[next.next().value % GRIDS.length]!
    const count = 1 + (next.next().value % 12)
    const markets = Array.from({ length: count }, (_, i) => ({ id: `${n}-${i}`, price: 1 + (next.next().value % (ONE - 1)), grid }))
    const paths = samplePaths(`event-${n}`, markets, n % 2 === 0)
    expect(paths.map(([today]) => today)).toEqual(markets.map(({ price }) => price))
    for (const path of paths) {
      expect(path).toHaveLength(SAMPLED_MINUTES.length)
      expect(path.slice(1).every((price) => price % grid === 0 && price >= grid && price <= ONE - grid)).toBe(true)
    }
    expect(samplePaths(`event-${n}`, markets, n % 2 === 0)).toEqual(paths)
  }
})

test.each([
  ['a field of which one wins', [4000, 3000, 2000, 900]],
  ['a field whose asks sum to more', [6000, 3500, 1200]],
  ['a field with names that are missing', [2000, 1500, 1000]],
  ['180 outcomes', Array.from({ length: 180 }, (_, i) => 30 + (i % 5) * 10)],
])('the sum of %s stays near that of today', (_, prices) => {
  const paths = samplePaths(
    'field',
    prices.map((price, i) => ({ id: `0x${i}`, price, grid: 10 })),
    true,
  )
  const sum = prices.reduce((total, price) => total + price, 0)
  const sums = SAMPLED_MINUTES.map((_, n) => paths.reduce((total, path) => total + path[n]!, 0))
  const slack = prices.length * 10 // half a grid step each, and the least price of the grid
  expect(Math.max(...sums)).toBeLessThanOrEqual(Math.max(ONE, sum) + slack)
  expect(Math.min(...sums)).toBeGreaterThan(sum * 0.6)
  if (sum >= ONE) expect(Math.min(...sums)).toBeGreaterThanOrEqual(sum - slack)
})

test('a path moves: each market has highs, lows and a course of its own', () => {
  const [one, other] = ['a', 'b'].map((id) => samplePaths('event', [{ id, price: 5000, grid: 10 }], false)[0]!)
  expect(one).not.toEqual(other)
  for (const path of [one!, other!]) {
    expect(Math.max(...path) - Math.min(...path)).toBeGreaterThan(300)
    expect(new Set(path).size).toBeGreaterThan(50)
  }
})

const { platform, clock } = await testPlatform()
const em = () => platform.em()
const HOUR_MS = 3_600_000

test('every market gets ninety days before its first price, marked, once, and the exchange keeps its own', async () => {
  await openEvents(platform, [
    discoveryEvent(
      'race',
      'Who wins?',
      ['sports'],
      [
        { slug: 'anna', price: 0.6 },
        { slug: 'berta', price: 0.3 },
      ],
      { negRisk: true },
    ),
    discoveryEvent('rain', 'Will it rain?', ['weather'], [{ slug: 'rain', price: 0.5 }]),
    discoveryEvent('window', 'Up or down?', ['crypto'], [{ slug: 'window', price: 0.5 }]),
  ])
  await em().execute(`update event set series_slug = 'btc-5m' where slug = 'window'`)
  await em().execute('update market set best_bid = 100')
  const [rain]: { id: string }[] = await em().execute(`select condition_id as id from market where slug = 'rain'`)
  const born = clock.now() - 2 * HOUR_MS
  await notePrices(em(), [{ condition_id: rain!.id, at: new Date(born), price: 4200.5 }])
  expect(await sampleHistory(platform)).toBe(3)
  expect(await sampleHistory(platform)).toBe(0)
  const [line] = await chanceLines(platform, { slug: 'rain', range: 'all' })
  expect(line!.earlier).toEqual({ source: 'sample', until: born - 60_000 })
  const before = line!.history.filter(({ t }) => t < born)
  expect(line!.history.slice(before.length).map(({ p }) => p)).toEqual([0.42005])
  const [stored]: { last: number }[] = await em().execute(
    'select prices[cardinality(prices)] as last from earlier_prices where market_condition_id = ?',
    [rain!.id],
  )
  expect(stored!.last).toBe(4201) // whole steps
  expect((clock.now() - before[0]!.t) / (24 * HOUR_MS)).toBeCloseTo(90, 0)
  expect(before.length).toBeGreaterThan(100)
  const [anna, berta] = await chanceLines(platform, { slug: 'race', range: '1w' })
  expect([anna!.history.at(-1)!.p, berta!.history.at(-1)!.p]).toEqual([0.6, 0.3])
  const [{ count }] = await em().execute<[{ count: string }]>('select count(*) from price_point')
  expect(Number(count)).toBe(1)
  expect(await chanceLines(platform, { slug: 'window', range: 'all' })).toEqual([])
})

test('a range after the sample says nothing of it', async () => {
  clock.advance(2 * 24 * HOUR_MS)
  const [line] = await chanceLines(platform, { slug: 'rain', range: '1d' })
  expect(line).toMatchObject({ earlier: null, history: [{ p: 0.42005 }] })
  clock.advance(-2 * 24 * HOUR_MS)
})

test('the movers of a new sandbox are compared with its sample', async () => {
  const rows: { condition_id: string }[] = await em().execute(`select condition_id from market where slug in ('anna', 'rain')`)
  await notePrices(
    em(),
    rows.map(({ condition_id }) => ({ condition_id, at: platform.now(), price: 9900 })),
  )
  await em().execute(`update market set price = 9900 where slug in ('anna', 'rain')`)
  const moved = await movers(platform)
  expect(moved.map(({ event_slug }) => event_slug).sort()).toEqual(['race', 'rain'])
  for (const { change } of moved) expect(change).toBeGreaterThan(20)
})

test('a price history in a discovery file is stored as imported, and no sample takes its place', async () => {
  const DAY = 86_400
  const noon = Date.UTC(2026, 9, 1, 12) / 1000
  const row = discoveryEvent('old', 'An old question?', ['science'], [{ slug: 'old', price: 0.4 }])
  const [market] = row.markets
  const priceHistory = [
    { t: noon + 2 * DAY, p: 0.31 },
    { t: noon, p: 0.25 },
    { t: noon + DAY + 0.9, p: '0.3' },
    { t: noon + DAY + 1, p: 0.305 },
    { t: platform.now().getTime() / 1000 + 60, p: 0.99 },
  ]
  await openEvents(platform, [{ ...row, markets: [{ ...market, priceHistory: JSON.stringify(priceHistory) }] }])
  await em().execute(`update market set best_bid = 100 where slug = 'old'`)
  expect(await sampleHistory(platform)).toBe(0)
  const [line] = await chanceLines(platform, { slug: 'old', range: 'all' })
  expect(line).toMatchObject({
    earlier: { source: 'imported', until: (noon + 2 * DAY) * 1000 },
    history: [
      { t: noon * 1000, p: 0.25 },
      { t: (noon + DAY) * 1000, p: 0.305 },
      { t: (noon + 2 * DAY) * 1000, p: 0.31 },
    ],
  })
})

test('spark lines have up to 24 whole steps, of the week alone, and end with the latest price', async () => {
  const rows: { condition_id: string; slug: string }[] = await em().execute('select condition_id, slug from market')
  const idOf = new Map(rows.map(({ slug, condition_id }) => [slug, condition_id]))
  const lines = await sparks(platform, [...idOf.values()])
  expect(lines.has(idOf.get('window')!)).toBe(false)
  const berta = lines.get(idOf.get('berta')!)!
  expect(berta).toHaveLength(24)
  expect(berta.at(-1)).toBe(3000)
  expect(lines.get(idOf.get('rain')!)!.slice(-1)).toEqual([9900])
  for (const price of [...lines.values()].flat()) expect(Number.isInteger(price)).toBe(true)
})
