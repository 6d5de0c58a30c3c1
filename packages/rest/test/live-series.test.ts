import { writeMarks } from '@augury/platform/prices/marks-job'
import { addSeries } from '@augury/platform/series/manage-series'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { testSite } from './test-site.ts'

const { site, app, clock, bugs, rows } = await testSite()
const MINUTE = 60_000
/** 2026-11-20T12:00Z, the time of the site's clock. */
const NOON = Date.UTC(2026, 10, 20, 12)
const bitcoin = { instrument: 'BTC/USD', source: 'oracle_a', displayName: 'Bitcoin', symbolA: 'BTC' } as const

beforeAll(async () => {
  await addSeries(site.em(), { ...bitcoin, slug: 'btc-usd-5m', interval: '5m' })
  await addSeries(site.em(), { ...bitcoin, slug: 'btc-usd-1d', interval: '1d' })
  await addSeries(site.em(), { ...bitcoin, slug: 'eth-usd-1h', instrument: 'ETH/USD', interval: '1h', source: 'oracle_b', symbolB: 'ETH' })
  await addSeries(site.em(), { ...bitcoin, slug: 'sol-usd-5m', interval: '5m', enabled: false })
  const marks = [-10, -5, 0].map((minutes) => ({
    windowEnd: NOON + minutes * MINUTE,
    price: 97_000 + minutes,
    sourceTimestamp: NOON + minutes * MINUTE - 1,
  }))
  await site.em().transactional((em) => writeMarks(em, { source: 'oracle_a', instrument: 'BTC/USD', interval: '5m' }, marks, site.now()))
})
afterEach(() => expect(bugs.splice(0)).toEqual([]))

const ask = async (query: string) => {
  const response = await app.request(`/api/price-reference/live-series${query}`)
  return [response.status, await response.json()]
}

const SLUG_REQUIRED = { error: 'seriesSlug is required', code: 'series_slug_required' }
const END_REQUIRED = { error: 'eventEndMs is required and must be a positive unix millisecond timestamp', code: 'event_end_required' }
const unknown = (slug: string) => ({ error: `series_slug not configured in price-reference: ${slug}`, code: 'series_not_found' })

test.each<[what: string, query: string, status: number, body: unknown]>([
  ['no slug', '', 400, SLUG_REQUIRED],
  ['an empty slug, and no end either', '?seriesSlug=', 400, SLUG_REQUIRED],
  ['two slugs', '?seriesSlug=a&seriesSlug=b&eventEndMs=1', 400, SLUG_REQUIRED],
  ['no end', '?seriesSlug=btc-usd-5m', 400, END_REQUIRED],
  ['an end in words', '?seriesSlug=btc-usd-5m&eventEndMs=tomorrow', 400, END_REQUIRED],
  ['an end of zero', '?seriesSlug=btc-usd-5m&eventEndMs=0', 400, END_REQUIRED],
  ['a negative end', '?seriesSlug=btc-usd-5m&eventEndMs=-5', 400, END_REQUIRED],
  ['half a millisecond', '?seriesSlug=btc-usd-5m&eventEndMs=1.5', 400, END_REQUIRED],
  ['an end after all time', '?seriesSlug=btc-usd-5m&eventEndMs=9000000000000000', 400, END_REQUIRED],
  ['no end, for an unknown series', '?seriesSlug=doge-usd-5m', 400, END_REQUIRED],
  ['an unknown series', '?seriesSlug=doge-usd-5m&eventEndMs=1', 404, unknown('doge-usd-5m')],
  ['a series that is switched off', '?seriesSlug=sol-usd-5m&eventEndMs=1', 404, unknown('sol-usd-5m')],
  ['markup for a slug', '?seriesSlug=%3Cb%3E&eventEndMs=1', 404, unknown('<b>')],
])('%s is refused with the specified text', async (_, query, status, body) => {
  expect(await ask(query)).toEqual([status, body])
})

test('the snapshot has exactly the specified fields', async () => {
  expect(await ask(`?seriesSlug=btc-usd-5m&eventEndMs=${NOON}`)).toEqual([
    200,
    {
      series_slug: 'btc-usd-5m',
      instrument: 'BTC/USD',
      interval: '5m',
      source: 'oracle_a',
      interval_ms: 300_000,
      active_window_minutes: 5,
      event_window_start_ms: NOON - 5 * MINUTE,
      event_window_end_ms: NOON,
      opening_price: 96_995,
      closing_price: null, // the end is now, not past
      latest_price: 97_000,
      latest_window_end_ms: NOON,
      latest_source_timestamp_ms: NOON - 1,
      is_event_closed: false,
    },
  ])
})

const day = Date.UTC(2026, 10, 20)

test.each<[what: string, query: string, expected: Record<string, unknown>]>([
  [
    'lasts as long as told',
    `?seriesSlug=btc-usd-5m&eventEndMs=${NOON}&activeWindowMinutes=10`,
    { active_window_minutes: 10, event_window_start_ms: NOON - 10 * MINUTE, opening_price: 96_990 },
  ],
  [
    'starts when told',
    `?seriesSlug=btc-usd-5m&eventEndMs=${NOON}&eventStartMs=${NOON - 7 * MINUTE}`,
    { event_window_start_ms: NOON - 7 * MINUTE, active_window_minutes: 5, opening_price: 96_990 },
  ],
  [
    'has the usual length if it is given in words',
    `?seriesSlug=btc-usd-5m&eventEndMs=${NOON}&activeWindowMinutes=ten&eventStartMs=-1`,
    { active_window_minutes: 5, event_window_start_ms: NOON - 5 * MINUTE },
  ],
  [
    'of a day lasts 1440 minutes',
    `?seriesSlug=btc-usd-1d&eventEndMs=${NOON}`,
    { active_window_minutes: 1440, interval_ms: 86_400_000, event_window_start_ms: NOON - 1440 * MINUTE },
  ],
  [
    'of a day opens by five-minute prices',
    `?seriesSlug=btc-usd-1d&eventEndMs=${NOON}&eventStartMs=${NOON - 5 * MINUTE}`,
    { opening_price: 96_995, latest_price: null, latest_window_end_ms: day, latest_source_timestamp_ms: 0 },
  ],
  [
    'ends after all markets',
    '?seriesSlug=btc-usd-5m&eventEndMs=8640000000000000&activeWindowMinutes=10',
    { event_window_end_ms: 8_640_000_000_000_000, opening_price: 97_000, closing_price: null, is_event_closed: false },
  ],
  [
    'began before all markets',
    `?seriesSlug=btc-usd-5m&eventEndMs=${NOON - 1}&activeWindowMinutes=100000000000`,
    { event_window_start_ms: NOON - 1 - 6_000_000_000_000_000, opening_price: null, closing_price: 96_995 },
  ],
  [
    'has the usual length if the given one is longer than time',
    `?seriesSlug=btc-usd-5m&eventEndMs=${NOON}&activeWindowMinutes=8640000000000000`,
    { active_window_minutes: 5, event_window_start_ms: NOON - 5 * MINUTE },
  ],
  [
    'without any price says so',
    `?seriesSlug=eth-usd-1h&eventEndMs=${NOON - MINUTE}`,
    {
      opening_price: null,
      closing_price: null,
      latest_price: null,
      latest_window_end_ms: NOON,
      latest_source_timestamp_ms: 0,
      is_event_closed: true,
    },
  ],
])('a market that %s', async (_, query, expected) => {
  expect(await ask(query)).toEqual([200, expect.objectContaining(expected)])
})

test('a market is closed once its end is past, not a moment before', async () => {
  const query = `?seriesSlug=btc-usd-5m&eventEndMs=${NOON + 500}`
  const seen: unknown[] = []
  for (const wait of [0, 500, 1]) {
    clock.advance(wait)
    const [, body] = await ask(query)
    seen.push([body.is_event_closed, body.closing_price])
  }
  clock.advance(-501)
  expect(seen).toEqual([
    [false, null],
    [false, null],
    [true, 97_000],
  ])
})

test('a newly configured series is found within five minutes, a known one at once', async () => {
  await addSeries(site.em(), { ...bitcoin, slug: 'ada-usd-5m', interval: '5m' })
  const query = `?seriesSlug=ada-usd-5m&eventEndMs=${NOON}`
  expect((await ask(query))[0]).toBe(404)
  clock.advance(300_000)
  expect((await ask(query))[0]).toBe(200)
  clock.advance(-300_000)
})

test('a database failure is answered with the specified text, and not cached', async () => {
  const query = `?seriesSlug=btc-usd-5m&eventEndMs=${NOON + 7}`
  await rows('alter table price_mark rename to price_mark_away')
  const broken = await ask(query)
  await rows('alter table price_mark_away rename to price_mark')
  expect(broken).toEqual([500, { error: 'Failed to load price reference snapshot', code: 'internal_error' }])
  expect(bugs.splice(0)).toHaveLength(1)
  expect((await ask(query))[0]).toBe(200)
})
