import { request } from 'node:http'
import { conditionRequest } from '@augury/testing/condition-request'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

// What clients in other languages send that the npm clients do not, and what their types refuse to read.

const running = await runningServer()
const compat = `${running.url}/compat`
const market = await registerMarket(running, 'compat-clients')
const alice = await Caller.with(compat, (await funded(running.url, wallets.alice, '1000')).key)
const bob = await Caller.with(compat, (await funded(running.url, wallets.bob, '1000')).key)

const bid = (price: string, size = '10', tokenId = market.yes) => ({ tokenId, side: 'BUY', orderType: 'GTC', price, size })

/** Sends a GET with a body, which `fetch` does not. */
const getWithBody = (path: string, body: unknown) =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(JSON.stringify(body)) }
    const sent = request(compat + path, { method: 'GET', headers }, async (reply) =>
      resolve(JSON.parse(Buffer.concat(await reply.toArray()).toString())),
    )
    sent.on('error', reject).end(JSON.stringify(body))
  })

test('activity has the rows of the established data service', async () => {
  const resting = (await alice.place(bid('0.4', '20'))).orderID
  const { tradeIDs, transactionsHashes } = await bob.place(bid('0.6', '20', market.no))
  const row = { conditionId: market.condition, size: 20, timestamp: expect.any(Number), title: expect.any(String), slug: 'compat-clients' }
  const asBob = { ...row, proxyWallet: wallets.bob.address, side: 'BUY', asset: market.no, price: 0.6, outcome: 'No', outcomeIndex: 1 }
  const asAlice = {
    ...row,
    proxyWallet: wallets.alice.address,
    side: 'BUY',
    asset: market.yes,
    price: 0.4,
    outcome: 'Yes',
    outcomeIndex: 0,
  }
  const trades = async (query: string) => (await send(compat, 'GET', `/trades?${query}`)).body
  expect(await trades(`market=${market.condition}&takerOnly=true`)).toMatchObject([{ ...asBob, transactionHash: transactionsHashes[0] }])
  expect(await trades(`user=${wallets.alice.address}&takerOnly=false&limit=5`)).toMatchObject([asAlice])
  const asTaker = ({ address }: { address: string }) => trades(`user=${address}&takerOnly=True`)
  expect([await asTaker(wallets.alice), await asTaker(wallets.bob)]).toMatchObject([[], [asBob]])
  expect(await trades(`market=${market.condition}&filterType=CASH&filterAmount=12`)).toHaveLength(1)
  for (const none of [
    `market=${market.condition}&offset=1`,
    `market=${market.condition}&side=sell`,
    'filterType=CASH&filterAmount=1000',
    'eventId=7',
  ])
    expect([none, await trades(none)]).toEqual([none, []])
  const kinds = async (query: string) => (await send(compat, 'GET', `/activity?user=${wallets.alice.address}${query}`)).body
  expect((await kinds('')).map(({ type }: { type: string }) => type)).toEqual(['TRADE'])
  expect((await kinds('&type=deposit')).map(({ type }: { type: string }) => type)).toEqual(['DEPOSIT'])
  const [told] = (await alice.call('GET', '/notifications')).body
  expect(new Date(told.timestamp).getUTCFullYear()).toBe(new Date().getUTCFullYear())
  const texts = {
    question: expect.any(String),
    market_slug: 'compat-clients',
    eventSlug: expect.any(String),
    seriesSlug: '',
    icon: '',
    image: '',
  }
  const trade = { order_id: resting, matched_size: '20', trade_id: tradeIDs[0], transaction_hash: transactionsHashes[0] }
  expect(told.payload).toMatchObject({ ...texts, ...trade, condition_id: market.condition, outcome_index: 0 })
})

test('all notifications are dropped by clients that name none', async () => {
  expect((await bob.call('GET', '/notifications')).body).toHaveLength(1)
  expect((await bob.call('DELETE', '/notifications?ids=')).body).toBe('OK') // an empty list of ids names nothing
  expect((await bob.call('GET', '/notifications')).body).toHaveLength(1)
  expect((await bob.call('DELETE', '/notifications')).body).toBe('OK')
  expect((await bob.call('GET', '/notifications')).body).toEqual([])
  expect((await alice.call('GET', '/notifications')).body).toHaveLength(1)
})

test('the leaderboard is also where data clients look for it, and tells the place of one trader', async () => {
  const board = async (path: string) => (await send(compat, 'GET', path)).body
  const all = await board('/v1/leaderboard?timePeriod=ALL&orderBy=VOL')
  expect(all.map(({ proxyWallet }: { proxyWallet: string }) => proxyWallet).toSorted()).toEqual(
    [wallets.alice.address, wallets.bob.address].toSorted(),
  )
  expect(await board('/leaderboard?timePeriod=ALL&orderBy=VOL')).toEqual(all)
  expect(await board(`/v1/leaderboard?timePeriod=all&orderBy=VOL&user=${all[1].proxyWallet}`)).toEqual([{ ...all[1], rank: '2' }])
  expect(await board(`/v1/leaderboard?timePeriod=ALL&orderBy=VOL&user=${wallets.carol.address}`)).toEqual([])
})

test('trades of one’s own may be narrowed by the names that clients have for the two sides', async () => {
  const [a, b] = [wallets.alice.address, wallets.bob.address]
  const count = async (who: Caller, query: string) => (await who.call('GET', `/data/trades?${query}`)).body.data.length
  expect(
    await Promise.all([`taker=${b}`, `taker=${a}`, `maker=${a}`, `maker=${b}`, `maker_address=${a}`].map((query) => count(bob, query))),
  ).toEqual([1, 0, 1, 1, 1])
  expect(await Promise.all([`taker=${a}`, `maker=${a}`].map((query) => count(alice, query)))).toEqual([0, 1])
})

test('an unknown order is null', async () => {
  const reply = await alice.call('GET', `/data/order/0x${'12'.repeat(32)}`)
  expect([reply.status, reply.body]).toEqual([200, null])
})

test('many last prices may be asked for in the body of a GET, and all prices by either name', async () => {
  const prices = [{ token_id: market.yes, price: expect.any(String), side: expect.any(String) }]
  expect(await getWithBody('/last-trades-prices', [{ token_id: market.yes }])).toEqual(prices)
  const history = (interval: string) => send(compat, 'GET', `/prices-history?market=${market.yes}&interval=${interval}`)
  expect((await history('all')).body).toEqual((await history('max')).body)
})

test('orders of a market are cancelled by clients that send null for what they leave open', async () => {
  await alice.call('POST', '/order', bid('0.1'))
  const { body } = await alice.call('DELETE', '/cancel-market-orders', { market: market.condition, asset_id: null })
  expect(body.canceled).toHaveLength(1)
  expect((await alice.call('DELETE', '/cancel-market-orders', { market: null, asset_id: null })).status).toBe(400)
})

test('many tokens may be named in the query of a GET, in either dialect', async () => {
  await alice.call('POST', '/order', bid('0.3'))
  const ids = `token_ids=${market.yes},${market.no}`
  const get = async (address: string, path: string) => (await send(address, 'GET', path)).body
  for (const address of [compat, running.url]) {
    expect(await get(address, `/midpoints?${ids}`)).toEqual({ [market.yes]: '0.4', [market.no]: '0.6' })
    const none = address === compat ? '0' : null // what an empty side has
    const both = { [market.yes]: { BUY: '0.3', SELL: none }, [market.no]: { BUY: none, SELL: '0.7' } }
    expect(await get(address, `/prices?${ids}`)).toEqual(both)
    expect(await get(address, `/prices?${ids}&sides=BUY,SELL`)).toEqual({ [market.yes]: { BUY: '0.3' }, [market.no]: { SELL: '0.7' } })
    expect(await get(address, `/prices?token_id=${market.yes}&token_id=${market.yes}&sides=buy&sides=sell`)).toEqual({
      [market.yes]: both[market.yes],
    })
    expect(await get(address, `/last-trades-prices?${ids}`)).toHaveLength(2)
    expect(await get(address, '/midpoints?token_ids=12')).toEqual({})
  }
  for (const path of ['/midpoints', '/prices', '/last-trades-prices'])
    expect(await send(compat, 'GET', path)).toMatchObject({ status: 400, body: { error: 'Invalid token id' } })
  expect((await send(compat, 'GET', `/prices?${ids}&sides=HOLD`)).status).toBe(400)
  await alice.call('DELETE', '/cancel-all')
})

test('lists of the data service have the order and kind that was asked for, or are refused', async () => {
  await alice.call('POST', '/positions/split', { market: market.condition, amount: '7' })
  await alice.call('GET', '/data/trades') // history has it now
  const kinds = async (query: string, address = compat) => {
    const { body } = await send(address, 'GET', `/activity?user=${wallets.alice.address}&${query}`)
    return body.map?.(({ type }: { type: string }) => type) ?? body.code
  }
  expect([await kinds(''), await kinds('sortDirection=ASC'), await kinds('sortDirection=asc&sortBy=timestamp&limit=1')]).toEqual([
    ['SPLIT', 'TRADE'],
    ['TRADE', 'SPLIT'],
    ['TRADE'],
  ])
  expect(await kinds('sortDirection=ASC&limit=1&offset=1', running.url)).toEqual(['TRADE'])
  expect(await kinds('sortBy=CASH')).toBe('invalid_payload')
  expect([await kinds('type=REWARD'), await kinds('type=SPLIT,REWARD,YIELD'), await kinds('type=')]).toEqual([
    [],
    ['SPLIT'],
    ['SPLIT', 'TRADE'],
  ])
  expect([await kinds('eventId=7'), await kinds('eventId=7&eventId=8')]).toEqual([[], []])
  for (const path of ['/live-volume?id=7', `/positions?user=${wallets.alice.address}&eventId=7`])
    expect([path, (await send(compat, 'GET', path)).body]).toEqual([path, []])
  const [{ id, volume }] = (
    await send(compat, 'GET', `/gamma/events?slug=${(await send(compat, 'GET', `/markets/${market.condition}`)).body.event.slug}`)
  ).body
  expect(await kinds(`eventId=${id},7&market=${market.condition}`)).toEqual(['SPLIT', 'TRADE'])
  for (const path of [`/positions?user=${wallets.alice.address}&eventId=${id}`, `/trades?eventId=${id}`])
    expect(new Set((await send(compat, 'GET', path)).body.map(({ conditionId }: { conditionId: string }) => conditionId))).toEqual(
      new Set([market.condition]),
    )
  expect((await send(compat, 'GET', `/live-volume?id=${id}`)).body).toMatchObject([{ total: volume }])
  const titles = async (words: string) => (await send(compat, 'GET', `/positions?user=${wallets.alice.address}&title=${words}`)).body.length
  expect([await titles('COMPAT'), await titles('snow')]).toEqual([2, 0])
  const second = Math.floor(Date.now() / 1000)
  const trades = async (query: string) => (await send(compat, 'GET', `/trades?market=${market.condition}&${query}`)).body.length
  expect([await trades(`start=${second - 600}&end=${second}`), await trades(`start=${second + 60}`), await trades('end=1000')]).toEqual([
    1, 0, 0,
  ])
})

test('trades are narrowed by what they cost and by their size, also those of one user, and never in silence', async () => {
  await alice.call('GET', '/data/trades') // history has it now
  const trades = async (query: string, address = compat) => {
    const { status, body } = await send(address, 'GET', query)
    return status === 200 ? (body.data ?? body).length : body.code
  }
  // Bob took 20 No at 0.60 for 12 USDC; Alice gave 8 USDC for the other half.
  for (const [filter, ...found] of [
    ['filterType=CASH&filterAmount=8', 1, 1, 1],
    ['filterType=cash&filterAmount=8.000001', 1, 0, 1],
    ['filterType=CASH&filterAmount=12.1', 0, 0, 0],
    ['filterType=TOKENS&filterAmount=20', 1, 1, 1],
    ['filterType=TOKENS&filterAmount=20.000001', 0, 0, 0],
    ['filterType=CASH&filterAmount=9999999999999999', 0, 0, 0],
    ...['filterType=CASH&filterAmount=0.0000001', 'filterType=CASH', 'filterAmount=1', 'filterType=SIZE&filterAmount=1'].map(
      (wrong) => [wrong, ...Array(3).fill('invalid_payload')] as const,
    ),
  ] as const) {
    const users = [`market=${market.condition}`, `user=${wallets.alice.address}&takerOnly=false`, `user=${wallets.bob.address}`]
    expect([filter, ...(await Promise.all(users.map((whose) => trades(`/trades?${whose}&${filter}`))))]).toEqual([filter, ...found])
  }
  for (const [query, found] of [
    [`/trades?market=${market.condition}&min_shares=20`, 1],
    [`/trades?market=${market.condition}&min_shares=20.01`, 0],
    [`/activity?user=${wallets.alice.address}&min_usdc=8`, 1],
    [`/activity?user=${wallets.alice.address}&min_shares=21`, 0],
    [`/activity?user=${wallets.alice.address}&min_usdc=9999999999999999`, 0],
  ] as const)
    expect([query, await trades(query, running.url)]).toEqual([query, found])
})

test('a position that was closed says when, and is found by it', async () => {
  const sold = await registerMarket(running, 'sold')
  const closed = async (query = '') =>
    (await send(running.url, 'GET', `/closed-positions?user=${wallets.alice.address}&sortBy=TIMESTAMP${query}`)).body
  await alice.call('POST', '/positions/split', { market: sold.condition, amount: '5' })
  await alice.call('POST', '/positions/merge', { market: sold.condition, amount: '5' })
  await alice.call('GET', '/data/trades') // history has it now
  const rows = await closed()
  expect(rows).toMatchObject([
    { conditionId: sold.condition, timestamp: expect.any(Number) },
    { conditionId: sold.condition, timestamp: rows[0].timestamp },
  ])
  expect(rows[0].timestamp).toBe(Math.floor(Date.parse(rows[0].timestamp_iso) / 1000))
  const [merged] = (await send(running.url, 'GET', `/activity?user=${wallets.alice.address}&type=MERGE`)).body
  expect(rows[0].timestamp).toBe(merged.timestamp)
  expect(await closed('&title=nothing')).toEqual([])
})

test('what concerns several markets has the id of none, in the form of one, and tells their event', async () => {
  const { metadata } = conditionRequest('many')
  const changes = { metadata, neg_risk_event: { slug: metadata.event.slug, size: 2 } }
  const [first] = [await registerMarket(running, 'many-one', changes), await registerMarket(running, 'many-two', changes)]
  const { neg_risk_market_id: event } = (await send(running.url, 'GET', `/markets/${first.condition}`)).body
  await bob.call('POST', '/positions/split', { market: first.condition, amount: '5' })
  await bob.call('POST', '/positions/convert', { event, market_ids: [first.condition], amount: '2' })
  await bob.call('GET', '/data/trades') // history has it now
  const rows = (await send(compat, 'GET', `/activity?user=${wallets.bob.address}&type=CONVERSION`)).body
  const told = { type: 'CONVERSION', title: metadata.event.title, eventSlug: metadata.event.slug, outcome: '' }
  expect(rows).toMatchObject([{ ...told, slug: metadata.event.slug, conditionId: `0x${'0'.repeat(64)}` }])
  const [here] = (await send(running.url, 'GET', `/activity?user=${wallets.bob.address}&type=CONVERSION`)).body
  expect(here).toMatchObject({ ...told, slug: '', conditionId: '' })
})

test('markets and tokens are found under the names of other services, and unknown keys are ignored, also of signed requests', async () => {
  for (const name of ['condition_id', 'conditionId', 'condition_ids'])
    expect((await send(compat, 'GET', `/gamma/markets?${name}=${market.condition}`)).body).toMatchObject([
      { conditionId: market.condition },
    ])
  for (const name of ['clob_token_id', 'token_id', 'clob_token_ids'])
    expect((await send(compat, 'GET', `/gamma/markets?${name}=${market.no}`)).body).toMatchObject([{ conditionId: market.condition }])
  expect((await send(compat, 'GET', `/book?clob_token_id=${market.no}`)).body).toMatchObject({ asset_id: market.no })
  expect((await send(compat, 'GET', `/holders?conditionId=${market.condition}`)).status).toBe(200)
  expect((await bob.call('GET', '/data/orders?somebody=else')).status).toBe(200)
})
