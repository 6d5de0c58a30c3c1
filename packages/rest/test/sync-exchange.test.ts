import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { runJob } from '@augury/platform/jobs/run-job'
import { chartsJob } from '@augury/platform/sync/charts'
import { eventually } from '@augury/testing/eventually'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { enable, fund, tradingSite } from './exchange.ts'

const at = await tradingSite()
const scheduler = new Browser(at)
const sync = async (job: string) => {
  const { status, body } = await scheduler.get(`/api/sync/${job}`, {
    headers: { authorization: 'Bearer a secret of the scheduler in tests' },
  })
  return { status, ...body }
}
const market = async (slug: string) => (await at.rows('select * from market where slug = ?', [`${slug}-market`]))[0]!
const { exchange: operator } = await at.site.exchange.operator()

async function trader(number: number) {
  const browser = new Browser(at)
  const wallet = walletOf(number)
  await browser.signIn(wallet)
  await enable(browser, wallet)
  await fund(at, wallet.address, '1000')
  const place = (tokenId: string, side: 'BUY' | 'SELL', price: string, size: string) =>
    browser.post('/api/orders', { tokenId, side, orderType: 'GTC', price, size })
  return { browser, wallet, place }
}

test('exchange and deployment agree from the start', async () => {
  expect(await sync('events')).toMatchObject({ status: 200, scanned: 2, updated: 0, errors: 0 })
  expect(await sync('books')).toMatchObject({ status: 200, scanned: 2, updated: 0, errors: 0 })
})

test('a deployment that lost its markets restores them from the exchange', async () => {
  const before = await at.rows('select condition_id, slug, grid, min_lots, rules, end_time from market order by slug')
  for (const table of ['outcome', 'market', 'event_tag', 'event']) await at.rows(`delete from ${table}`)
  expect(await sync('events')).toMatchObject({ status: 200, stored: 2, updated: 2, errors: 0 })
  expect(await at.rows('select condition_id, slug, grid, min_lots, rules, end_time from market order by slug')).toEqual(before)
  expect((await scheduler.get('/api/events')).body.map(({ slug, status }: Record<string, string>) => [slug, status]).sort()).toEqual([
    ['rain', 'active'],
    ['snow', 'active'],
  ])
})

test("prices, volumes and members' trades are those of the exchange", async () => {
  const { rain } = at.markets
  const [one, two] = [await trader(6001), await trader(6002)]
  expect((await one.place(rain.yes, 'BUY', '0.4', '100')).status).toBe(200)
  expect((await two.place(rain.no, 'BUY', '0.6', '50')).status).toBe(200)
  expect((await two.place(rain.yes, 'SELL', '0.46', '10')).status).not.toBe(500)
  expect(await sync('prices')).toMatchObject({ status: 200, scanned: 2, errors: 0 })
  expect(await market('rain')).toMatchObject({ best_bid: 4000, last_trade: 4000, price: '4000.0' })
  await eventually(async () => {
    await sync('volume')
    expect(await market('rain')).toMatchObject({ open_interest: '50000000', active_positions_count: 2 })
  })
  await eventually(async () => {
    expect(await sync('users')).toMatchObject({ status: 200, errors: 0 })
    expect(await at.rows('select total_volume, total_trades from users order by address')).toEqual([
      { total_volume: expect.stringMatching(/^[23]0000000$/), total_trades: 1 },
      { total_volume: expect.stringMatching(/^[23]0000000$/), total_trades: 1 },
    ])
  })
  expect(await sync('books')).toMatchObject({ status: 200, updated: 0, errors: 0 })
})

test('charts have the prices that the exchange displayed, by the minute', async () => {
  const charts = await runJob(at.site, workerScheduler('test'), chartsJob(at.site.exchange.reader))
  expect(charts).toMatchObject({ success: true, scanned: 2, errors: 0 })
  const points = await at.rows('select distinct price from price_point where market_condition_id = ?', [at.markets.rain.condition])
  expect(points.map(({ price }) => price)).toContain('4000.0')
})

test('the deployment is exempt from the public rate limits', async () => {
  const asked = Array.from({ length: 110 }, () => at.site.exchange.reader().then(({ getBooks }) => getBooks({ body: [] })))
  await Promise.all(asked)
  // Pages wait for no key; once there is one, they are exempt as well.
  expect(await at.site.exchange.pages().getBooks({ body: [] })).toEqual([])
  const pages = await eventually(async () => {
    const client = at.site.exchange.pages()
    await client.getRateLimitTier()
    return client
  })
  await Promise.all(Array.from({ length: 110 }, () => pages.getBooks({ body: [] })))
  const anybody = Array.from({ length: 110 }, () => at.site.exchange.anybody.getBooks({ body: [] }))
  await expect(Promise.all(anybody)).rejects.toMatchObject({ status: 429, code: 'rate_limited' })
})

test('pausing, closing and resolving a market on the exchange is synchronised, with its price', async () => {
  const { snow } = at.markets
  const params = { id: snow.condition }
  await operator.patchCondition({ params, body: { mode: 'paused' } })
  expect(await sync('events')).toMatchObject({ updated: 1 })
  expect(await market('snow')).toMatchObject({ is_active: false, is_resolved: false })
  await operator.closeCondition({ params })
  await eventually(() => operator.resolveCondition({ params, body: { weights: [10_000, 0] } }))
  expect(await sync('resolution')).toMatchObject({ status: 200, updated: 1, errors: 0 })
  expect(await market('snow')).toMatchObject({ is_resolved: true, weight: 10_000, resolution_status: 'confirmed' })
  expect(await sync('prices')).toMatchObject({ settled: 1 })
  const [event] = (await scheduler.get('/api/events?status=resolved')).body
  expect(event.markets[0]).toMatchObject({ price: 1, probability: 100, is_resolved: true, is_active: false })
  expect(event.markets[0].outcomes.map(({ payout_value }: { payout_value: number }) => payout_value)).toEqual([1, 0])
})

test('while the exchange does not answer, every job fails and changes nothing', async () => {
  const before = await at.rows('select * from market order by slug')
  await at.stopExchange()
  for (const job of ['events', 'volume', 'prices', 'books', 'users'])
    expect(await sync(job)).toEqual({ status: 500, success: false, error: expect.stringContaining('no answer from') })
  expect(await at.rows('select * from market order by slug')).toEqual(before)
  expect((await scheduler.get('/api/events?status=all')).body).toHaveLength(2)
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
