import { beforeEach, expect, test } from 'vitest'
import { OPEN_INTEREST } from '../src/events/event-totals.ts'
import { crowdOfMarkets } from './crowd-of-markets.ts'
import { bookOf, volumeRow } from './fake-exchange.ts'

const { clock, id, token, read, volumes, prices, reset } = await crowdOfMarkets()
beforeEach(reset)

const empty = (asset: string) => bookOf(asset, '', '')

test('volumes of markets and totals of their events follow the exchange, and only changes are written', async () => {
  const job = volumes({ volume: (condition) => volumeRow(condition, condition === id('p-1') ? '12.345678' : '1', '0.5') })
  expect(await job.run()).toEqual({
    status: 200,
    body: { success: true, scanned: 520, updated: 520, errors: 0, errorDetails: [], timeLimitReached: false },
  })
  expect(await read('select volume, volume_24h, open_interest, active_positions_count from market where slug = ?', ['p-1'])).toEqual([
    { volume: '12345678', volume_24h: '500000', open_interest: '1500000', active_positions_count: 2 },
  ])
  expect(await read(`select slug, volume, volume_24h from event order by slug`)).toEqual([
    { slug: 'crowd', volume: '518000000', volume_24h: '259000000' },
    { slug: 'pair', volume: '13345678', volume_24h: '1000000' },
  ])
  expect(await job.run()).toMatchObject({ body: { scanned: 520, updated: 0 } })
})

test('what is converted in an event is its open interest once, whatever it has of markets', async () => {
  const converted = (condition: string) => (condition === id('p-1') || condition === id('p-2') ? '2' : undefined)
  const { run } = volumes({ volume: (condition) => ({ ...volumeRow(condition, '0'), event_open_interest: converted(condition) }) })
  expect(await run()).toMatchObject({ status: 200, body: { errors: 0 } })
  expect(await read(`select open_interest, event_interest from market where slug = 'p-2'`)).toEqual([
    { open_interest: '1500000', event_interest: '2000000' },
  ])
  expect(await read(OPEN_INTEREST)).toEqual([{ coalesce: String(520 * 1_500_000 + 2_000_000) }])
})

test('a missing count of holders keeps its last value', async () => {
  const row = (condition_id: string) => ({ condition_id, status: 200, volume: '1', volume_24h: '0', open_interest: '0' })
  await read('update market set active_positions_count = 9')
  expect(await volumes({ volume: row }).run()).toMatchObject({ body: { updated: 520, errors: 0 } })
  expect(await read('select distinct active_positions_count as holders, volume from market')).toEqual([{ holders: 9, volume: '1000000' }])
})

const BAD: [what: string, row: (condition: string) => unknown, error: string][] = [
  ['a market the exchange does not know', (condition_id) => ({ condition_id, status: 404 }), 'the exchange answers 404'],
  ['a row that is missing', () => undefined, 'missing in the answer'],
  ['a row without figures', (condition_id) => ({ condition_id, status: 200 }), 'figures are missing'],
  ['a figure in words', (condition) => volumeRow(condition, 'a lot'), 'unexpected answer of POST /data/volumes'],
  ['a figure finer than a millionth', (condition) => volumeRow(condition, '0.0000001'), 'more than 6 decimals: 0.0000001'],
  ['a negative figure', (condition) => volumeRow(condition, '-1'), 'not a decimal: "-1"'],
]

test.each(BAD)('%s is reported and affects no other market', async (_, row, error) => {
  const { run } = volumes({ volume: (condition) => (condition === id('p-1') ? row(condition) : volumeRow(condition, '2')) })
  expect(await run()).toMatchObject({
    status: 200,
    body: { updated: 519, errors: 1, errorDetails: [{ context: id('p-1'), error: expect.stringContaining(error) }] },
  })
  expect(await read('select count(*)::int as right from market where volume = 2000000')).toEqual([{ right: 519 }])
})

test('a market that makes the exchange fail is isolated and skipped', async () => {
  const { run } = volumes({
    before: (ids) =>
      ids.includes(id('m-7')) ? Response.json({ error: 'Internal server error', code: 'internal_error' }, { status: 500 }) : undefined,
    volume: (condition) => volumeRow(condition, '3'),
  })
  expect(await run()).toMatchObject({
    status: 200,
    body: { updated: 519, errors: 1, errorDetails: [{ context: id('m-7'), error: 'Internal server error' }] },
  })
})

test('prices come from the book of Yes: midpoint, both sides, and the cash behind them', async () => {
  const { run } = prices({ book: (asset) => (asset === token('p-1') ? bookOf(asset, '0.5x10 0.4x10', '0.53x20', '0.1') : empty(asset)) })
  expect(await run()).toMatchObject({ status: 200, body: { updated: 1, errors: 0 } })
  expect(await read('select price, best_bid, best_ask, last_trade, liquidity from market where slug = ?', ['p-1'])).toEqual([
    // 10 × 0.5 + 10 × 0.4 behind the bids, 20 × 0.47 behind the ask
    { price: '5150.0', best_bid: 5000, best_ask: 5300, last_trade: 1000, liquidity: '18400000' },
  ])
  expect(await read(`select liquidity from event where slug = 'pair'`)).toEqual([{ liquidity: '18400000' }])
})

test('a crossed book is reported and keeps the price', async () => {
  const { run } = prices({ book: (asset) => (asset === token('p-1') ? bookOf(asset, '0.6x1', '0.5x1') : empty(asset)) })
  expect(await run()).toMatchObject({
    body: { updated: 0, errorDetails: [{ context: id('p-1'), error: 'a crossed book: 6000 and 5000' }] },
  })
})

test('a price history has a point per change, at most one a minute, and none before the first quote', async () => {
  const looks: [seconds: number, bids: string, asks: string][] = [
    [0, '', ''], // 12:00:00 nothing to note
    [60, '0.5x1', '0.52x1'], // 12:01:00 0.51
    [20, '0.5x1', '0.54x1'], // 12:01:20 0.52, the last of its minute
    [60, '0.5x1', '0.54x1'], // 12:02:20 stands still
    [60, '0.6x1', '0.62x1'], // 12:03:20 0.61
  ]
  clock.advance(60_000 - (clock.now() % 60_000))
  const start = clock.now()
  for (const [seconds, bids, asks] of looks) {
    clock.advance(seconds * 1000)
    await prices({ book: (asset) => (asset === token('p-1') ? bookOf(asset, bids, asks) : empty(asset)) }).run()
  }
  const points = await read<{ minute: string; price: string }>(
    'select (extract(epoch from minute) * 1000)::bigint as minute, price from price_point order by minute',
  )
  expect(points.map(({ minute, price }) => [(Number(minute) - start) / 60_000, Number(price)])).toEqual([
    [1, 5200],
    [3, 6100],
  ])
})
