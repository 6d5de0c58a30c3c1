import { eventually } from '@augury/testing/eventually'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { enable, fund, tradingSite } from './exchange.ts'

const at = await tradingSite()
const { rain, snow } = at.markets
const anybody = new Browser(at)

async function trader(number: number, username: string | null) {
  const browser = new Browser(at)
  const wallet = walletOf(number)
  const { user } = (await browser.signIn(wallet)).body
  await enable(browser, wallet)
  await fund(at, wallet.address, '100')
  await at.rows('update users set username = ? where id = ?', [username, user.id])
  const buy = async (tokenId: string, price: string, size: string) => {
    const { status, body } = await browser.post('/api/orders', { tokenId, side: 'BUY', orderType: 'GTC', price, size })
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body
  }
  return { address: wallet.address, user, buy }
}
const maker = await trader(8001, 'Maker_1')
const taker = await trader(8002, null)
await maker.buy(rain.yes, '0.6', '10')
await taker.buy(rain.no, '0.4', '10')
await maker.buy(snow.yes, '0.3', '20')
await taker.buy(snow.no, '0.7', '20')
await maker.buy(rain.yes, '0.6', '0.5').catch(() => {}) // below the minimum size
await maker.buy(rain.yes, '0.5', '5')
await taker.buy(rain.no, '0.5', '5')

const activity = async (query: string) => (await anybody.get(`/api/event-activity?${query}`)).body
const sizes = async (query: string) => (await activity(query)).map(({ amount }: { amount: string }) => Number(amount) / 1e6)

// Public history lags a moment behind the exchange.
await eventually(async () => expect(await sizes(`market=${rain.condition},${snow.condition}`)).toHaveLength(3))

test('the trades of some markets come newest first, with the public profile of the taker', async () => {
  const rows = await activity(`market=${rain.condition},${snow.condition}`)
  expect(rows.map(({ market }: { market: { slug: string } }) => market.slug)).toEqual(['rain-market', 'snow-market', 'rain-market'])
  expect(rows[2]).toEqual({
    id: expect.any(String),
    type: 'trade',
    user: { id: taker.address, username: null, address: taker.address, image: '', created_at: taker.user.created_at },
    ...{ side: 'buy', amount: '10000000', price: '0.4', outcome: { index: 1, text: 'No' } },
    market: {
      ...{ condition_id: rain.condition, title: 'Will it rain?', slug: 'rain-market', icon_url: '' },
      ...{ picture: '/art/1/e_sun.svg', event: { slug: 'rain' } },
    },
    ...{ total_value: '4000000', status: 'completed' },
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
  expect(JSON.stringify(rows)).not.toContain(taker.user.id)
})

test('activity is paged over all markets, and small trades can be filtered out', async () => {
  const both = `market=${rain.condition}&market=${snow.condition.toUpperCase().replace('0X', '0x')}`
  expect(await sizes(both)).toEqual([5, 20, 10])
  expect(await sizes(`${both}&limit=1&offset=1`)).toEqual([20])
  expect(await sizes(`${both}&offset=3`)).toEqual([])
  expect(await sizes(`${both}&offset=100000`)).toEqual([])
  expect(await sizes(`${both}&filterAmount=3`)).toEqual([20, 10])
  expect(await sizes(`${both}&filterAmount=`)).toEqual([5, 20, 10])
  expect(await sizes(`market=${rain.condition},${rain.condition}`)).toEqual([5, 10])
})

test('activity of an event has all of its markets, however many', async () => {
  expect(await sizes('event=rain')).toEqual([5, 10])
  expect(await sizes('event=sun')).toEqual([])
  await at.rows(
    `insert into market select (jsonb_populate_record(market, jsonb_build_object('position', n, 'slug', 'copy-' || n, 'question_id', id, 'condition_id', id))).*
     from market, generate_series(1, 220) n, lateral (select '0x' || lpad(to_hex(n), 64, '0') as id) made where condition_id = ?`,
    [rain.condition],
  )
  await at.rows(`update market set event_id = ?, position = 500 where condition_id = ?`, [rain.event, snow.condition])
  expect(await sizes('event=rain')).toEqual([5, 20, 10])
  expect(await sizes('event=rain&limit=1&offset=1&filterAmount=3')).toEqual([10])
  await at.rows(`update market set event_id = ? where condition_id = ?`, [snow.event, snow.condition])
})

const unreadable = { error: 'Invalid payload', code: 'invalid_payload', details: [expect.objectContaining({ path: 'filterAmount' })] }
test.each([
  ['', { error: 'Missing market parameter.', code: 'missing_market' }],
  ['market=', { error: 'Missing market parameter.', code: 'missing_market' }],
  [`market=${'0x1,'.repeat(51)}`, { error: 'Too many markets.', code: 'too_many_items' }],
  [`market=${rain.condition}&filterAmount=x`, unreadable],
])('activity of %j is refused', async (query, body) => {
  expect(await anybody.get(`/api/event-activity?${query}`)).toMatchObject({ status: 400, body })
})

test('holders of each outcome, largest first', async () => {
  const { body } = await anybody.get(`/api/holders?conditionId=${rain.condition}`)
  const holder = (address: string, username: string | null, index: number) => ({
    user: { id: address, username, address, proxy_wallet_address: '', image: '' },
    ...{ net_position: '15', outcome_index: index, outcome_text: ['Yes', 'No'][index] },
  })
  expect(body).toEqual({ yesHolders: [holder(maker.address, 'Maker_1', 0)], noHolders: [holder(taker.address, null, 1)] })
  expect((await anybody.get(`/api/holders?conditionId=0x${'1'.repeat(64)}`)).body).toEqual({ yesHolders: [], noHolders: [] })
  for (const path of ['/api/holders', '/api/holders?conditionId='])
    expect(await anybody.get(path)).toMatchObject({ status: 400, body: { error: 'Missing conditionId.' } })
  expect((await anybody.get('/api/holders?conditionId=x')).status).toBe(400)
})

test('the trades of one order are newest first on every page', async () => {
  const ladder = [31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42]
  for (const cents of ladder) await maker.buy(snow.yes, `0.${cents}`, '5')
  await taker.buy(snow.no, '0.69', '60')
  const prices = async (query: string) =>
    (await activity(`market=${rain.condition},${snow.condition}&${query}`)).map(({ price }: { price: string }) => price)
  const all = [...ladder.map((cents) => String((100 - cents) / 100)), '0.5', '0.7', '0.4']
  await eventually(async () => expect(await prices('limit=20')).toEqual(all))
  expect([...(await prices('limit=7')), ...(await prices('limit=8&offset=7'))]).toEqual(all)
})

test('while the exchange is unavailable, both say so', async () => {
  await at.stopExchange()
  for (const path of [`/api/event-activity?market=${rain.condition}`, `/api/holders?conditionId=${rain.condition}`])
    expect(await anybody.get(path)).toMatchObject({ status: 500, body: { code: 'service_unavailable' } })
  expect(at.bugs).toEqual([])
})
