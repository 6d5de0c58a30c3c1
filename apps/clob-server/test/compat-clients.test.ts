import { request } from 'node:http'
import { establishedOrderDomain } from '@augury/signing/order-domains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { fund, registerMarket, type TestMarket } from './market.ts'
import { type RunningServer, runningServer, wallets } from './running-server.ts'

// What clients in other languages send that the npm clients do not, and what their types refuse to read.

let running: RunningServer
let market: TestMarket
let compat: string
let alice: Caller
let bob: Caller

beforeAll(async () => {
  running = await runningServer()
  compat = `${running.url}/compat`
  market = await registerMarket(running, 'compat-clients')
  const at = async (wallet: typeof wallets.alice) => Caller.with(compat, (await Caller.of(running.url, wallet)).key)
  ;[alice, bob] = await Promise.all([at(wallets.alice), at(wallets.bob)])
  await Promise.all([wallets.alice, wallets.bob].map(({ address }) => fund(running.url, address, '1000')))
})
afterAll(() => running.close())

const bid = (price: string, size = '10', tokenId = market.yes) => ({ tokenId, side: 'BUY', orderType: 'GTC', price, size })

test.each([
  ['GET', '/data/orders', undefined],
  ['DELETE', '/cancel-all', undefined],
  ['DELETE', '/notifications?ids=1', undefined],
  ['POST', '/orders-scoring', ['0x12']],
] as const)('%s %s may be signed with the mount, as who signs the path of an address does', async (method, path, body) => {
  const text = body && JSON.stringify(body)
  const headers = await alice.headers(method, `/compat${path.split('?')[0]}`, text)
  const poly = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace('SVC_', 'POLY_'), value]))
  expect((await send(compat, method, path, text, poly)).status).toBe(200)
})

/** Sends a GET with a body, which `fetch` does not. */
const getWithBody = (path: string, body: unknown) =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(JSON.stringify(body)) }
    const sent = request(compat + path, { method: 'GET', headers }, async (reply) =>
      resolve(JSON.parse(Buffer.concat(await reply.toArray()).toString())),
    )
    sent.on('error', reject).end(JSON.stringify(body))
  })

test('what happened is told in rows of the established data service', async () => {
  const resting = (await alice.call('POST', '/order', bid('0.4', '20'))).body.orderID
  const { tradeIDs, transactionsHashes } = (await bob.call('POST', '/order', bid('0.6', '20', market.no))).body
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
  expect(await trades(`user=${wallets.alice.address}&limit=5`)).toMatchObject([asAlice])
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

test('allowances are unlimited by the contract that a client looks for', async () => {
  const { allowance, allowances } = (await alice.call('GET', '/balance-allowance?asset_type=COLLATERAL')).body
  for (const version of [1, 2, 3] as const) {
    for (const isNegRisk of [false, true]) {
      const { verifyingContract } = establishedOrderDomain(running.settings.chainId, version, isNegRisk)!
      expect([verifyingContract, allowances[verifyingContract]]).toEqual([verifyingContract, allowance])
    }
  }
})

test('trades of one’s own may be narrowed by the names that clients have for the two sides', async () => {
  const [a, b] = [wallets.alice.address, wallets.bob.address]
  const count = async (who: Caller, query: string) => (await who.call('GET', `/data/trades?${query}`)).body.data.length
  expect(
    await Promise.all([`taker=${b}`, `taker=${a}`, `maker=${a}`, `maker=${b}`, `maker_address=${a}`].map((query) => count(bob, query))),
  ).toEqual([1, 0, 1, 1, 1])
  expect(await Promise.all([`taker=${a}`, `maker=${a}`].map((query) => count(alice, query)))).toEqual([0, 1])
})

test('an order that nobody knows is null', async () => {
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
