import { conditionRequest } from '@augury/testing/condition-request'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type Caller, send } from './caller.ts'
import { funded, registerMarket, type TestMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const danny = privateKeyToAccount(`0x${'d0'.repeat(32)}`)
const rain = await registerMarket(running, 'rain')
const alice = await funded(running.url, wallets.alice, '1000')
const bob = await funded(running.url, wallets.bob, '1000')
await alice.call('POST', '/positions/split', { market: rain.condition, amount: '15' })
await alice.call('GET', '/data/trades') // history has it now

const get = async (target: string) => (await send(running.url, 'GET', target)).body
const user = (wallet: { address: string }) => `user=${wallet.address.toLowerCase()}`

test('what is converted in an event is open interest of all its markets together', async () => {
  const { metadata } = conditionRequest('winner')
  const changes = { metadata, neg_risk_event: { slug: metadata.event.slug, size: 2 } }
  const [first, second] = [await registerMarket(running, 'winner-one', changes), await registerMarket(running, 'winner-two', changes)]
  const interest = async () => (await get('/oi'))[0].value
  const before = await interest()
  const done = async (action: string, body: object) => {
    expect(await alice.call('POST', `/positions/${action}`, body)).toMatchObject({ status: 200 })
    await alice.call('GET', '/data/trades') // history has it now
    return interest()
  }
  expect(await done('split', { market: first.condition, amount: '5' })).toBeCloseTo(before + 5, 6)
  const { neg_risk_market_id: event } = await get(`/markets/${first.condition}`)
  expect(await done('convert', { event, market_ids: [first.condition], amount: '2' })).toBeCloseTo(before + 5, 6)
  const conditions = [first, second, rain].map(({ condition }) => ({ condition_id: condition }))
  const { body } = await send(running.url, 'POST', '/data/volumes', JSON.stringify({ conditions }))
  expect(body.map((row: Record<string, string>) => [row.open_interest, row.event_open_interest])).toEqual([
    ['3', '2'],
    ['0', '2'],
    [expect.any(String), undefined],
  ])
})

test('activity names the fee that was paid beside the price, so that cash adds up', async () => {
  const sun = await registerMarket(running, 'sun', { fee_rate_bps: 200, rebate_bps: 2500 })
  const carol = await funded(running.url, wallets.carol, '10')
  await bob.call('POST', '/order', { orderType: 'GTC', tokenId: sun.no, side: 'BUY', price: '0.6', size: '10' })
  await carol.call('POST', '/order', { orderType: 'GTC', tokenId: sun.yes, side: 'BUY', price: '0.4', size: '10' })
  await carol.call('GET', '/data/trades') // history has it now
  const [taken] = await get(`/activity?${user(wallets.carol)}&type=TRADE`)
  expect(taken).toMatchObject({ side: 'BUY', size: 10, usdcSize: 4, fee: 0.048 })
  expect((await carol.cash()).balance).toBe(String(10e6 - 4e6 - 48_000))
  expect(await get(`/activity?${user(wallets.bob)}&type=TRADE&limit=1`)).toMatchObject([{ usdcSize: 6, fee: 0 }])
  const back = { type: 'MAKER_REBATE', usdcSize: 0.012, size: 0, side: '', slug: 'sun', conditionId: sun.condition }
  expect(await get(`/activity?${user(wallets.bob)}&market=${sun.condition}`)).toMatchObject([back, { type: 'TRADE', usdcSize: 6 }])
  const left = { type: 'FEE', usdcSize: 0.036, slug: 'sun' }
  expect(await get(`/activity?${user(wallets.operator)}&limit=1`)).toMatchObject([left])
})

test('shares without quotes or trades are marked and valued at cost; a quote is a price', async () => {
  const fog = await registerMarket(running, 'fog')
  const carol = await funded(running.url, wallets.carol, '100')
  await carol.call('POST', '/positions/split', { market: fog.condition, amount: '20' })
  const held = async () => {
    await carol.call('GET', '/data/trades') // history has it now
    return get(`/positions?${user(wallets.carol)}&market=${fog.condition}`)
  }
  const facts = { curPrice: null, initialValue: 10, currentValue: 10, cashPnl: 0 }
  expect(await held()).toMatchObject([
    { ...facts, priced: false },
    { ...facts, priced: false },
  ])
  await carol.call('POST', '/order', { tokenId: fog.yes, side: 'BUY', orderType: 'GTC', price: '0.1', size: '10' })
  const quoted = await held()
  expect(quoted.map(({ curPrice, priced }: Record<string, unknown>) => [curPrice, priced])).toEqual([
    [0.9, true],
    [0.1, true],
  ])
})

test('shares from a conversion without quotes are valued at cost as well', async () => {
  const { metadata } = conditionRequest('race')
  const changes = { metadata, neg_risk_event: { slug: metadata.event.slug, size: 3 } }
  const markets: TestMarket[] = []
  for (const name of ['race-one', 'race-two', 'race-three']) markets.push(await registerMarket(running, name, changes))
  const market = markets[0]!.condition
  const { neg_risk_market_id: event } = await get(`/markets/${market}`)
  const before = (await get(`/value?${user(wallets.bob)}`))[0].value
  await bob.call('POST', '/positions/split', { market, amount: '30' })
  expect(await bob.call('POST', '/positions/convert', { event, market_ids: [market], amount: '30' })).toMatchObject({ status: 200 })
  await bob.call('GET', '/data/trades') // history has it now
  const rows = await get(`/positions?${user(wallets.bob)}&market=${markets.map(({ condition }) => condition)}&sortBy=INITIAL`)
  expect(rows.map((row: Record<string, unknown>) => [row.priced, row.initialValue, row.currentValue, row.cashPnl])).toEqual([
    [false, 10, 10, 0],
    [false, 10, 10, 0],
    [false, 10, 10, 0],
  ])
  expect((await get(`/value?${user(wallets.bob)}`))[0].value).toBeCloseTo(before + 30, 6)
})

test('what is held cost what it cost, whatever was bought and sold before', async () => {
  const hail = await registerMarket(running, 'hail', { fee_rate_bps: 0 })
  const carol = await funded(running.url, wallets.carol, '1000')
  await bob.call('POST', '/positions/split', { market: hail.condition, amount: '300' })
  for (const [side, price] of [
    ['BUY', '0.2'],
    ['SELL', '0.5'],
    ['BUY', '0.6'],
  ] as const) {
    const order = { tokenId: hail.yes, price, size: '100', orderType: 'GTC' }
    await bob.call('POST', '/order', { ...order, side: side === 'BUY' ? 'SELL' : 'BUY' })
    expect(await carol.call('POST', '/order', { ...order, side })).toMatchObject({ status: 200, body: { state: 'filled' } })
  }
  await carol.call('GET', '/data/trades') // history has it now
  expect(await get(`/positions?${user(wallets.carol)}&market=${hail.condition}`)).toMatchObject([
    {
      size: 100,
      avgPrice: 0.6,
      initialValue: 60,
      currentValue: 60,
      cashPnl: 0,
      totalBought: 200,
      realizedPnl: 30,
      percentRealizedPnl: 150,
    },
  ])
})

/** Everything that says what an account's profit is, beside the truth: what it has, plus what it withdrew, less what it deposited. */
async function profits(caller: Caller, wallet: { address: string }, paidIn: number): Promise<[string, number][]> {
  await caller.call('GET', '/data/trades') // history has it now
  const [total] = await get(`/value?${user(wallet)}`)
  const [held, closed] = [await get(`/positions?${user(wallet)}`), await get(`/closed-positions?${user(wallet)}`)]
  const sum = (field: string, rows: Record<string, number>[]) => rows.reduce((added, row) => added + (row[field] ?? 0), 0)
  const rows: { type: string; side: string; usdcSize: number; fee: number }[] = await get(`/activity?${user(wallet)}&limit=500`)
  const spent = new Set(['BUY', 'SPLIT', 'WITHDRAWAL'])
  const cash = rows.reduce((added, row) => added + (spent.has(row.side || row.type) ? -row.usdcSize : row.usdcSize) - row.fee, 0)
  expect(Number((await caller.cash()).balance) / 1e6).toBeCloseTo(cash, 6)
  const board = async (period: string) => (await get(`/leaderboard?timePeriod=${period}&${user(wallet)}`))[0]?.pnl
  return [
    ['the truth', cash + sum('currentValue', held) - paidIn],
    ['profit', total.profit],
    ['realised and unrealised', total.realizedPnl + total.cashPnl],
    ['positions and rewards', sum('cashPnl', held) + sum('realizedPnl', held) + sum('realizedPnl', closed) + total.rewards],
    ['the chart', (await get(`/profit-history?${user(wallet)}`)).at(-1).profit],
    ['the chart from its first point', (await get(`/profit-history?${user(wallet)}&points=7`))[0].profit + total.profit],
    ['the board of ever', await board('ALL')],
    ['the board of the day', await board('DAY')],
    ['the same for established clients', (await get(`/compat/value?${user(wallet)}`))[0].profit],
  ]
}

test('everything that tells a profit tells the same, after fees, also of what was converted', async () => {
  const { metadata } = conditionRequest('cup')
  const changes = { metadata, neg_risk_event: { slug: metadata.event.slug, size: 3 }, fee_rate_bps: 200, rebate_bps: 2500 }
  const markets: TestMarket[] = []
  for (const name of ['cup-one', 'cup-two', 'cup-three']) markets.push(await registerMarket(running, name, changes))
  const [{ condition: market }, { yes }] = markets as [TestMarket, TestMarket]
  const { neg_risk_market_id: event } = await get(`/markets/${market}`)
  const dan = await funded(running.url, danny, '500')
  await dan.call('POST', '/positions/split', { market, amount: '30' })
  await dan.call('POST', '/positions/convert', { event, market_ids: [market], amount: '30' })
  const before = await get(`/value?${user(danny)}`)
  expect(before).toMatchObject([{ value: 30, unpricedValue: 30, profit: 0, realizedPnl: 0 }])
  await dan.call('POST', '/order', { tokenId: yes, side: 'SELL', orderType: 'GTC', price: '0.6', size: '10' })
  await alice.call('POST', '/order', { tokenId: yes, side: 'BUY', orderType: 'GTC', price: '0.6', size: '5' })
  for (const side of ['SELL', 'BUY']) {
    await bob.call('POST', '/order', { tokenId: yes, side: side === 'SELL' ? 'BUY' : 'SELL', orderType: 'GTC', price: '0.55', size: '4' })
    await dan.call('POST', '/order', { tokenId: yes, side, orderType: 'FAK', price: side === 'SELL' ? '0.55' : '0.6', size: '4' })
  }
  await alice.call('POST', '/positions/split', { market: rain.condition, amount: '7' })
  await alice.call('POST', '/positions/merge', { market: rain.condition, amount: '7' })
  for (const [caller, wallet, paidIn] of [
    [dan, danny, 500],
    [alice, wallets.alice, 1000],
  ] as const) {
    const told = await profits(caller, wallet, paidIn)
    for (const [where, profit] of told) expect(profit, `${wallet.address}: ${where}`).toBeCloseTo(told[0]![1], 5)
    expect(told[0]![1]).not.toBe(0)
  }
})

test('an outcome without a price has none in its history', async () => {
  const mist = await registerMarket(running, 'mist')
  expect(await get(`/prices-history?market=${mist.yes}&interval=max`)).toEqual({ history: [] })
})
