import type { Book } from '@augury/wire/book'
import { beforeEach, expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { booksJob } from '../src/sync/books.ts'
import { pricesJob } from '../src/sync/prices.ts'
import { usersJob } from '../src/sync/users.ts'
import { bookOf } from './fake-exchange.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
const scheduler = workerScheduler('test')
const read = async <T = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
await openEvents(platform, [discoveryEvent('pair', 'A pair', ['t'], [{ slug: 'a' }, { slug: 'b' }])])
const markets = await read<{ id: string; slug: string; yes: string; no: string }>(
  `select condition_id as id, slug, yes.token_id as yes, no.token_id as no from market
   join outcome yes on yes.market_condition_id = condition_id and yes.index = 0
   join outcome no on no.market_condition_id = condition_id and no.index = 1 order by slug`,
)
const [a, b] = markets as [(typeof markets)[0], (typeof markets)[0]]

/** Both books of a market, from its Yes book. */
const pairOf = ({ id, yes, no }: typeof a, bids: string, asks: string): Book[] => [
  { ...(bookOf(yes, bids, asks) as Book), market: id },
  { ...(bookOf(no, mirrored(asks), mirrored(bids)) as Book), market: id },
]
const mirrored = (levels: string) =>
  levels
    .split(' ')
    .filter(Boolean)
    .map((level) => level.split('x'))
    .map(([price, size]) => `${(10_000 - Math.round(Number(price) * 10_000)) / 10_000}x${size}`)
    .join(' ')
const empty = (market: typeof a) => pairOf(market, '', '')
type Tops = Record<string, { BUY?: string | null; SELL?: string | null }>
const exchange =
  (books: Book[], tops: Tops = {}) =>
  async () => ({ getBooks: async () => books, getPrices: async () => tops })
const compare = (books: Book[], tops?: Tops) => runJob(platform, scheduler, booksJob(exchange(books, tops)))
const market = async (slug: string) =>
  (await read('select price, best_bid, best_ask, grid, min_lots from market where slug = ?', [slug]))[0]

beforeEach(async () => {
  for (const table of ['sync_run', 'sync_failure', 'sync_job', 'price_point', 'price_rollup']) await read(`delete from ${table}`)
  await read(
    `update market set is_active = true, is_resolved = false, resolution_status = 'pending', weight = null, price_is_final = false,
       price = 5000, best_bid = null, best_ask = null, last_trade = null, liquidity = 0, grid = 100, min_lots = 500`,
  )
})

test('equal values are not written', async () => {
  expect(await compare([...empty(a), ...empty(b)])).toEqual({
    success: true,
    scanned: 2,
    updated: 0,
    errors: 0,
    errorDetails: [],
    timeLimitReached: false,
  })
})

test('different prices, grids and minimum sizes are corrected', async () => {
  const finer = pairOf(a, '0.395x10', '0.405x10').map((book) => ({ ...book, tick_size: '0.005', min_order_size: '2.5' }))
  expect(await compare([...finer, ...empty(b)])).toMatchObject({ updated: 1, terms: 1, errors: 0 })
  expect(await market('a')).toEqual({ price: '4000.0', best_bid: 3950, best_ask: 4050, grid: 50, min_lots: 250 })
  expect(await read('select price from price_point')).toEqual([{ price: '4000.0' }])
})

test('where ticks are finer than displayed prices, the best prices are those of the book', async () => {
  const books = [...pairOf(a, '0.532x10', '0.54x10'), ...empty(b)].map((book) => ({ ...book, tick_size: '0.0001' }))
  const tops = { [a.yes]: { BUY: '0.5325', SELL: '0.54' }, [a.no]: { BUY: '0.46', SELL: '0.4675' }, [b.yes]: { BUY: null, SELL: null } }
  expect(await compare(books, tops)).toMatchObject({ errors: 0 })
  expect(await market('a')).toMatchObject({ price: '5362.5', best_bid: 5325, best_ask: 5400 })
  expect(await market('b')).toMatchObject({ best_bid: null, best_ask: null })
  expect(await read('select price from price_point')).toEqual([{ price: '5362.5' }])
  const late = { [a.yes]: { BUY: null, SELL: null }, [a.no]: { BUY: null, SELL: null } }
  expect(await compare(books, late)).toMatchObject({ errors: 0 })
  expect(await market('a')).toMatchObject({ best_bid: 5320, best_ask: 5400 })
})

test('a book read before its market was resolved and settled changes nothing', async () => {
  const late = async () => {
    await read(`update market set is_active = false, is_resolved = true, resolution_status = 'confirmed', weight = 10000, price = 10000,
      price_is_final = true where slug = 'a'`)
    return [...pairOf(a, '0.39x10', '0.41x10'), ...empty(b)]
  }
  expect(
    await runJob(
      platform,
      scheduler,
      booksJob(async () => ({ getBooks: late, getPrices: async () => ({}) })),
    ),
  ).toMatchObject({ success: true, updated: 0 })
  expect(await market('a')).toMatchObject({ price: '10000.0', best_bid: null, best_ask: null })
  expect(await read('select price from price_point')).toEqual([])
})

const WRONG: [what: string, books: () => Book[], error: string][] = [
  ['has no books', () => [], 'missing in the answer'],
  ['has no book of No', () => [empty(a)[0]!], 'the book of No is missing'],
  ['is unknown to the exchange', () => empty(a).map((book) => ({ ...book, market: '' })), 'its token belongs to'],
  ['has a token of another', () => empty(a).map((book) => ({ ...book, market: b.id })), `its token belongs to ${b.id}`],
  [
    'has more on one side than on the other',
    () => [pairOf(a, '0.4x10', '')[0]!, pairOf(a, '0.4x11', '')[1]!],
    'the books of Yes and No do not mirror each other',
  ],
  ['has a level too many', () => [pairOf(a, '0.4x10', '')[0]!, empty(a)[1]!], 'the books of Yes and No do not mirror each other'],
  ['is crossed', () => pairOf(a, '0.6x10', '0.5x10'), 'a crossed book: 6000 and 5000'],
]
test.each(WRONG)('a market that %s is reported and affects no other', async (_, books, error) => {
  expect(await compare([...books(), ...pairOf(b, '0.3x1', '0.32x1')])).toMatchObject({
    updated: 1,
    errors: 1,
    errorDetails: [{ context: a.id, error }],
  })
  expect(await market('a')).toMatchObject({ price: '5000.0' })
  expect(await market('b')).toMatchObject({ price: '3100.0' })
})

test('a resolved market has its payout as price, at once and in its history', async () => {
  const prices = (books: Book[]) => runJob(platform, scheduler, pricesJob(exchange(books)))
  await prices(pairOf(a, '0.5x10', '0.52x10'))
  clock.advance(120_000)
  await read(`update market set is_resolved = true, is_active = false, weight = 10000, resolution_status = 'confirmed' where slug = 'a'`)
  expect(await prices([])).toMatchObject({ settled: 1 })
  expect(await market('a')).toMatchObject({ price: '10000.0', best_bid: null, best_ask: null })
  expect(await read('select price from price_point where market_condition_id = ? order by minute', [a.id])).toEqual([
    { price: '5100.0' },
    { price: '10000.0' },
  ])
  expect(await read('select minutes, price from price_rollup where market_condition_id = ? order by minutes, start', [a.id])).toMatchObject(
    [
      { minutes: 5, price: '10000.0' },
      { minutes: 60, price: '10000.0' },
      { minutes: 1440, price: '10000.0' },
    ],
  )
  expect(await prices([])).not.toHaveProperty('settled')
  await read(
    `update market set is_resolved = false, price_is_final = false, weight = null, resolution_status = 'pending', is_active = true where slug = 'a'`,
  )
})

test("members' volume and trades follow the exchange, page by page; invalid ones are reported", async () => {
  const addresses = Array.from({ length: 503 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`)
  await read(
    `insert into users (address, affiliate_code, created_at, updated_at)
     select value, 'code' || lpad(row_number() over ()::text, 6, '0'), now(), now() from jsonb_array_elements_text(?::jsonb)`,
    [JSON.stringify(addresses)],
  )
  const asked: number[] = []
  const users = () =>
    runJob(
      platform,
      scheduler,
      usersJob(async () => ({
        async getTraders({ body }) {
          asked.push(body.users.length)
          return body.users.map((user) => ({ user: user as `0x${string}`, volume: user.endsWith('07') ? '-1' : '12.5', trades: 3 }))
        },
      })),
    )
  const wrong = addresses.filter((address) => address.endsWith('07')).length
  expect(await users()).toMatchObject({ scanned: 503, updated: 503 - wrong, errors: wrong })
  expect(asked).toEqual([500, 3])
  expect(await read('select total_volume, total_trades, count(*)::int from users group by 1, 2 order by 1')).toEqual([
    { total_volume: '0', total_trades: 0, count: wrong },
    { total_volume: '12500000', total_trades: 3, count: 503 - wrong },
  ])
  expect(await users()).toMatchObject({ updated: 0 })
})
