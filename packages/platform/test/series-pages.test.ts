import { beforeAll, expect, test } from 'vitest'
import { eventPrices } from '../src/prices/event-prices.ts'
import { seriesOfEvent } from '../src/prices/series-of-event.ts'
import { seriesWorld } from './series-world.ts'
import { discoveryEvent, openEvents } from './test-platform.ts'

const { platform, clock, rows, tick } = await seriesWorld([
  { slug: 'btc-usd-5m', interval: '5m', settlementSeconds: 30, disputeSeconds: 30, ahead: 2 },
])
const M = 60_000
const NOON = clock.now()
const slugAt = (minutes: number) => `btc-usd-5m-${(NOON + minutes * M) / 1000}`
/** Reads are cached for a second. */
const page = async (minutes: number) => {
  clock.advance(1000)
  return (await seriesOfEvent(platform, { slug: slugAt(minutes) }))!
}

beforeAll(async () => {
  for (let minute = 0; minute <= 12; minute++) {
    await tick()
    clock.advance(M)
  }
  await tick()
})

test('the page of a window has the price, its source, and neighbouring windows', async () => {
  const { windows, marks, feed, ...series } = await page(10)
  expect(series).toEqual({ slug: 'btc-usd-5m', display_name: 'Bitcoin', instrument: 'BTC/USD', interval: '5m', source: 'oracle_a' })
  expect(feed).toMatchObject({
    name: 'Feed A',
    is_simulated: true,
    is_stale: false,
    failed_at: null,
    latest_at: new Date(NOON + 10 * M).toISOString(),
  })
  expect(feed.difference).toBeLessThan(0.001)
  expect(marks).toHaveLength(100)
  expect(marks.at(-1)).toEqual({ t: NOON + 10 * M, p: feed.latest_price })
  expect(windows.map(({ event_slug, state }) => [event_slug, state])).toEqual([
    [slugAt(5), 'resolved'],
    [slugAt(10), 'resolved'],
    [slugAt(15), 'open'],
    [slugAt(20), 'upcoming'],
    [slugAt(25), 'upcoming'],
  ])
  for (const { opening_price, closing_price, result } of windows.slice(0, 2))
    expect(result).toBe(closing_price! >= opening_price! ? 'up' : 'down')
  expect(windows[2]).toMatchObject({ opening_price: feed.latest_price, closing_price: null, result: null })
})

test('a hidden window is no neighbour, and has its own page', async () => {
  const slugs = async (minutes: number) => (await page(minutes)).windows.map(({ event_slug }) => event_slug)
  await rows('update event set hidden_at = now() where slug in (?, ?)', [slugAt(5), slugAt(20)])
  expect(await slugs(10)).toEqual([slugAt(10), slugAt(15), slugAt(25)])
  expect(await slugs(20)).toEqual([slugAt(10), slugAt(15), slugAt(20), slugAt(25)])
  await rows('update event set hidden_at = null')
})

test('the prices of a window that is over end with it', async () => {
  const { feed, marks, windows } = await page(5)
  expect(marks.at(-1)).toEqual({ t: NOON + 5 * M, p: windows[0]!.closing_price })
  expect(feed.latest_at).toBe(new Date(NOON + 10 * M).toISOString())
})

test('cards of windows have the price to beat and the latest one; other events have none', async () => {
  const { feed, windows } = await page(10)
  const prices = await eventPrices(platform, [slugAt(10), slugAt(20), 'nothing'])
  const now = feed.live_price ?? feed.latest_price
  expect([...prices]).toEqual([
    [slugAt(10), { toBeat: windows[1]!.opening_price, now }],
    [slugAt(20), { toBeat: null, now }],
  ])
  expect(await eventPrices(platform, [])).toEqual(new Map())
})

test('a source without updates, or a job that does not run, makes the price stale', async () => {
  await tick()
  clock.advance(2 * M - 1000)
  expect((await page(10)).feed.is_stale).toBe(false)
  expect((await page(10)).feed.is_stale).toBe(true)
  await tick()
  expect((await page(10)).feed.is_stale).toBe(false)
})

test('a source that answers without anything new is stale after two windows', async () => {
  await rows('delete from price_mark where window_end > ?', [new Date(NOON)])
  await rows('update price_feed set checked_at = ?', [new Date(clock.now())])
  expect((await page(10)).feed).toMatchObject({ is_stale: true, latest_at: new Date(NOON).toISOString() })
})

test('a failure of the source is shown with its time', async () => {
  const failedAt = new Date(clock.now())
  await rows(`update price_feed set failed_at = ?, failure = 'it did not answer'`, [failedAt])
  expect((await page(10)).feed.failed_at).toBe(failedAt.toISOString())
})

test('an event without a price has no series, and an unknown one is refused', async () => {
  await openEvents(platform, [discoveryEvent('rain', 'Will it rain?', ['weather'], [{ slug: 'rain' }])])
  expect(await seriesOfEvent(platform, { slug: 'rain' })).toBeNull()
  await expect(seriesOfEvent(platform, { slug: 'nothing' })).rejects.toMatchObject({ code: 'event_not_found' })
})
