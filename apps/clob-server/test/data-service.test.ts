import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
// Alice buys 10.01 Yes at .43 of Bob, who mints No; she splits 5, sells 3.5 Yes to Bob at .47; snow is resolved for Yes and she claims.
const rain = await registerMarket(running, 'rain')
const snow = await registerMarket(running, 'snow')
const alice = await funded(running.url, wallets.alice, '1000')
const bob = await funded(running.url, wallets.bob, '1000')
const trade = async (maker: [Caller, object], taker: [Caller, object]) => {
  for (const [who, order] of [maker, taker]) {
    const { status, body } = await who.call('POST', '/order', { orderType: 'GTC', ...order })
    if (status !== 200) throw new Error(JSON.stringify(body))
  }
}
await trade(
  [bob, { tokenId: rain.no, side: 'BUY', price: '0.57', size: '10.01' }],
  [alice, { tokenId: rain.yes, side: 'BUY', price: '0.43', size: '10.01' }],
)
await alice.call('POST', '/positions/split', { market: rain.condition, amount: '5' })
await trade(
  [bob, { tokenId: rain.yes, side: 'BUY', price: '0.47', size: '5.5' }],
  [alice, { tokenId: rain.yes, side: 'SELL', price: '0.47', size: '5.5' }],
)
await trade(
  [bob, { tokenId: snow.no, side: 'BUY', price: '0.9', size: '20' }],
  [alice, { tokenId: snow.yes, side: 'BUY', price: '0.1', size: '20' }],
)
const operator = await Caller.of(running.url, wallets.operator, 'venue')
await operator.call('POST', `/operator/conditions/${snow.condition}/close`)
const resolve = () => operator.call('POST', `/operator/conditions/${snow.condition}/resolve`, { weights: [10_000, 0] })
while ((await resolve()).status !== 200) await new Promise((resume) => setTimeout(resume, 20))
await alice.call('POST', '/positions/redeem', { market: snow.condition })
await operator.call('POST', '/operator/withdrawals', { address: wallets.alice.address, amount: '1234567', ref: 'w1' })
await operator.call('POST', '/operator/withdrawals/w1/return')
await alice.call('GET', '/data/trades') // history has it now

const get = async (target: string) => {
  const { status, body } = await send(running.url, 'GET', target)
  return status === 200 ? body : { status, ...body }
}
const user = (wallet = wallets.alice) => `user=${wallet.address.toLowerCase()}`

test('a position says what it cost and is worth, to the micro-unit', async () => {
  const rows = await get(`/positions?${user()}`)
  // Bought 10.01 for 4.3043 and split 5 for 2.5: 15.01 cost 6.8043, .453318 each; 9.51 are left, 5.5 brought 2.585.
  expect(rows[0]).toEqual({
    proxyWallet: wallets.alice.address,
    asset: rain.yes,
    conditionId: rain.condition,
    size: 9.51,
    avgPrice: 0.453318,
    initialValue: 4.311052,
    currentValue: 4.4697,
    cashPnl: 0.158648,
    percentPnl: 3.68003,
    totalBought: 15.01,
    realizedPnl: 0.091752,
    percentRealizedPnl: 3.680019,
    fees: 0,
    curPrice: 0.47,
    priced: true,
    redeemable: false,
    mergeable: true,
    title: 'Will there be rain?',
    slug: 'rain',
    icon: '',
    eventSlug: 'rain-event',
    outcome: 'Yes',
    outcomeIndex: 0,
    oppositeOutcome: 'No',
    oppositeAsset: rain.no,
    endDate: '2099-01-01T00:00:00.000Z',
    negativeRisk: false,
  })
  expect(rows[1]).toMatchObject({ asset: rain.no, size: 5, avgPrice: 0.5, initialValue: 2.5, currentValue: 2.65 })
  expect(rows).toHaveLength(2)
})

test('gains add up: realised and not, they are what is there and came, less what went', async () => {
  for (const wallet of [wallets.alice, wallets.bob]) {
    const [open, closed] = [await get(`/positions?${user(wallet)}`), await get(`/closed-positions?${user(wallet)}`)]
    const micros = (key: string, rows: Record<string, number>[]) => rows.reduce((sum, row) => sum + Math.round(row[key]! * 1e6), 0)
    const caller = wallet === wallets.alice ? alice : bob
    const cash = Number((await caller.cash()).balance)
    const gained = micros('cashPnl', open) + micros('realizedPnl', open) + micros('realizedPnl', closed)
    expect(cash + micros('currentValue', open) - 1_000_000_000).toBe(gained)
  }
})

test('closed positions have a list of their own, with their profit and loss', async () => {
  expect(await get(`/closed-positions?${user()}`)).toMatchObject([
    { asset: snow.yes, avgPrice: 0.1, totalBought: 20, realizedPnl: 18, curPrice: 1, outcome: 'Yes' },
  ])
  expect(await get(`/positions?${user(wallets.bob)}&redeemable=true`)).toMatchObject([
    { asset: snow.no, currentValue: 0, cashPnl: -18, percentPnl: -100, redeemable: true, mergeable: false },
  ])
})

test.each([
  ['sortBy=CURRENT&sortDirection=ASC', [2.65, 4.4697]],
  ['sortBy=PRICE', [2.65, 4.4697]],
  ['limit=1&offset=1', [2.65]],
  ['sizeThreshold=6', [4.4697]],
  [`market=0x${'12'.repeat(32)}`, []],
])('positions by %s', async (query, values) => {
  const rows = await get(`/positions?${user()}&${query}`)
  expect(rows.map(({ currentValue }: { currentValue: number }) => currentValue)).toEqual(values)
})

test.each(['/holders', '/holders?market=zz', '/positions?user=0x&market=zz', '/oi?market=0x12', '/live-volume?market=rain'])(
  '%s is refused: what it names is no id',
  async (path) => {
    expect(await send(running.url, 'GET', path)).toMatchObject({ status: 400, body: { code: 'invalid_payload' } })
  },
)

test('who wants to skip more of an activity than anybody reads is refused', async () => {
  expect(await get(`/activity?${user()}&offset=20000`)).toEqual([])
  expect(await get(`/activity?${user()}&offset=20001`)).toMatchObject({ status: 400, code: 'invalid_payload' })
})

test('their value, and the number of markets an account traded in', async () => {
  expect(await get(`/value?${user()}`)).toMatchObject([{ user: wallets.alice.address, value: 7.1197 }])
  expect(await get(`/traded?${user()}`)).toEqual({ user: wallets.alice.address, traded: 2 })
  const nothing = { value: 0, initialValue: 0, cashPnl: 0, unpricedValue: 0, realizedPnl: 0, profit: 0, fees: 0, rewards: 0 }
  expect(await get(`/value?${user(wallets.carol)}`)).toEqual([{ user: wallets.carol.address, ...nothing }])
})

test('what all is worth and was gained is the sum of the positions, those that are closed included', async () => {
  for (const wallet of [wallets.alice, wallets.bob]) {
    const [total] = await get(`/value?${user(wallet)}`)
    const [held, closed] = await Promise.all([get(`/positions?${user(wallet)}`), get(`/closed-positions?${user(wallet)}`)])
    const sum = (rows: Record<string, number>[], field: string) => rows.reduce((added, row) => added + row[field]!, 0)
    expect(held.length).toBeGreaterThan(0)
    for (const [field, of] of [['value', 'currentValue'], ...['initialValue', 'cashPnl'].map((name) => [name, name])] as [string, string][])
      expect(total[field], field).toBeCloseTo(sum(held, of), 6)
    expect(total.realizedPnl).toBeCloseTo(sum([...held, ...closed], 'realizedPnl'), 6)
    expect(total.unpricedValue).toBeCloseTo(
      sum(
        held.filter(({ priced }: { priced: boolean }) => !priced),
        'currentValue',
      ),
      6,
    )
  }
})

test('activity is all that changed an account’s balances, newest first', async () => {
  const rows = await get(`/activity?${user()}`)
  expect(rows.map(({ type, side, size, usdcSize, price }: Record<string, unknown>) => [type, side, size, usdcSize, price])).toEqual([
    ['DEPOSIT', '', 0, 1.234567, 0],
    ['WITHDRAWAL', '', 0, 1.234567, 0],
    ['REDEEM', '', 20, 20, 1],
    ['TRADE', 'BUY', 20, 2, 0.1],
    ['TRADE', 'SELL', 5.5, 2.585, 0.47],
    ['SPLIT', '', 5, 5, 1],
    ['TRADE', 'BUY', 10.01, 4.3043, 0.43],
    ['DEPOSIT', '', 0, 1000, 0],
  ])
  for (const { timestamp, timestamp_iso } of rows) expect(timestamp).toBe(Math.floor(Date.parse(timestamp_iso) / 1000))
  expect(rows[2]).toMatchObject({ asset: snow.yes, conditionId: snow.condition, outcome: 'Yes', outcomeIndex: 0, slug: 'snow' })
  expect(rows[4]).toMatchObject({ asset: rain.yes, conditionId: rain.condition, outcome: 'Yes', outcomeIndex: 0, slug: 'rain' })
  const made = await get(`/activity?${user(wallets.bob)}&type=TRADE&side=buy&market=${rain.condition}`)
  expect(made.map(({ outcome, size, price }: Record<string, unknown>) => [outcome, size, price])).toEqual([
    ['Yes', 5.5, 0.47],
    ['No', 10.01, 0.57],
  ])
})

test.each([
  ['type=SPLIT,REDEEM', ['REDEEM', 'SPLIT']],
  ['limit=2&offset=1', ['WITHDRAWAL', 'REDEEM']],
  ['end=1000', []],
  ['start=99999999999', []],
])('activity by %s', async (query, types) => {
  const rows = await get(`/activity?${user()}&${query}`)
  expect(rows.map(({ type }: { type: string }) => type)).toEqual(types)
})

test('activity of one market has its splits and claims, and no deposits', async () => {
  const rows = await get(`/activity?${user()}&market=${snow.condition}`)
  expect(rows.map(({ type }: { type: string }) => type)).toEqual(['REDEEM', 'TRADE'])
})

test('holders, open interest and volume', async () => {
  const holders = await get(`/holders?market=${rain.condition}`)
  expect(holders.map(({ holders }: { holders: { amount: number }[] }) => holders.map(({ amount }) => amount))).toEqual([
    [9.51, 5.5],
    [10.01, 5],
  ])
  expect((await get(`/holders?market=${rain.condition}&minBalance=6&limit=1`))[0].holders).toHaveLength(1)
  expect(await get(`/oi?market=${rain.condition}`)).toEqual([{ market: rain.condition, value: 15.01 }])
  expect(await get('/oi')).toEqual([{ market: 'GLOBAL', value: 15.01 }])
  expect(await get(`/live-volume?market=${rain.condition},${snow.condition}`)).toEqual([
    {
      total: 8.8893,
      markets: [
        { market: rain.condition, value: 6.8893 },
        { market: snow.condition, value: 2 },
      ],
    },
  ])
})

test('volumes count every position that is open, of each market once', async () => {
  const conditions = [rain, snow, rain].map(({ condition }) => ({ condition_id: condition }))
  const { body } = await send(running.url, 'POST', '/data/volumes', JSON.stringify({ conditions }))
  expect(body).toMatchObject([
    { status: 200, volume: '6.8893', volume_24h: '6.8893', open_interest: '15.01', active_positions_count: 4 },
    { status: 200, volume: '2', open_interest: '0', active_positions_count: 1 },
  ])
})

test.each(['DAY', 'ALL'])('the board of %s adds up everybody’s trades', async (period) => {
  const [first, second] = await get(`/leaderboard?timePeriod=${period}`)
  expect(first).toMatchObject({ rank: '1', proxyWallet: wallets.alice.address, vol: 8.8893, userName: '' })
  expect(first.pnl).toBeCloseTo(18.4004, 6) // 20 × .9 + 10.01 × .04
  expect(second).toMatchObject({ rank: '2', proxyWallet: wallets.bob.address, vol: 26.2907 })
  expect(second.pnl + first.pnl).toBeCloseTo(0, 6) // trades give to one what they take from the other
  const byVolume = await get(`/leaderboard?timePeriod=${period}&orderBy=VOL&limit=1&category=News`)
  expect(byVolume.map(({ proxyWallet }: { proxyWallet: string }) => proxyWallet)).toEqual([wallets.bob.address])
  expect(await get(`/leaderboard?timePeriod=${period}&category=nothing`)).toEqual([])
})

test('a request without an account is refused', async () => {
  expect(await get('/positions')).toMatchObject({ status: 400, code: 'invalid_payload' })
  expect(await get('/activity?user=alice')).toMatchObject({ status: 400, code: 'invalid_payload' })
})

test('what was just done is in the positions that are read next', async () => {
  const sizes = async () =>
    (await get(`/positions?${user(wallets.bob)}&market=${rain.condition}`)).map(({ size }: { size: number }) => size)
  let expected: number[] = await sizes()
  for (let lots = 101; lots <= 120; lots++) {
    const amount = lots / 100 // each another: the same again would be the same request
    await bob.call('POST', '/positions/split', { market: rain.condition, amount: String(amount) })
    expected = expected.map((size) => size + amount)
    expect(await sizes()).toEqual(expected.map((size) => expect.closeTo(size)))
  }
})
