import type { Stage } from './program.ts'
import { heard, type Program, program, Tally } from './program.ts'

const VERSION = '0.2.0'
const load = (entry: string) => program('@polymarket/client', VERSION, `dist/${entry}`, ['viem@2'])

interface Opened {
  /** Makes a call of the client that signs. */
  call(name: string, ...args: unknown[]): Promise<Program>
  /** Reads the first page of a list, and returns its rows. */
  list(name: string, ...args: unknown[]): Promise<Program[]>
  client: Program
  tally: Tally
  stage: Stage
}

async function open(stage: Stage): Promise<Opened> {
  const { world } = stage
  const tally = new Tally(`@polymarket/client ${VERSION}`)
  const { createSecureClient, forkEnvironmentConfig } = await load('index.js')
  const { privateKey } = await load('viem.js')
  const compat = `${world.url}/compat`
  const socket = compat.replace('http', 'ws')
  const environment = forkEnvironmentConfig({
    name: 'augury',
    chainId: world.chain,
    clob: { rest: compat, market: { ws: `${socket}/ws/market` }, user: { ws: `${socket}/ws/user` } },
    gamma: { rest: `${compat}/gamma` },
    data: { rest: compat },
    combos: { rest: compat },
    rtds: { ws: `${socket}/live` },
  })
  const { key, wallet } = await world.trader()
  const options = { environment, signer: privateKey(key), wallet: wallet.address }
  const client = await tally.try('createSecureClient', () => createSecureClient(options))
  const call = (name: string, ...args: unknown[]) => tally.try(name, () => client[name](...args))
  const list = async (name: string, ...args: unknown[]) => {
    const page = await tally.try(name, () => client[name](...args).firstPage())
    return page?.items ?? []
  }
  return { call, list, client, tally, stage }
}

async function discovery({ call, list, stage: { world, maker } }: Opened): Promise<void> {
  const address = maker.wallet.address
  const [market] = await list('listMarkets', { closed: false, pageSize: 10 })
  await list('listEvents', { pageSize: 10 })
  const event = await call('fetchEvent', { slug: 'rain-event' })
  await call('fetchEventTags', { id: event?.id })
  await call('fetchMarket', { slug: 'rain' })
  await call('fetchMarketTags', { id: market?.id })
  const [series] = await list('listSeries', { pageSize: 10 })
  await call('fetchSeries', { id: series?.id })
  await list('listMarketClarifications', { marketId: market?.id })
  await list('listTags', { pageSize: 10 })
  await call('fetchTag', { slug: 'tests' })
  await call('fetchRelatedTags', { slug: 'tests' })
  await call('fetchRelatedTagResources', { slug: 'tests' })
  await list('search', { q: 'rain', pageSize: 10 })
  await call('listSports')
  await call('fetchSportsMarketTypes')
  await list('listTeams', { pageSize: 10 })
  await list('listComboMarkets', { pageSize: 10 })
  await call('fetchPublicProfile', { address })
  await list('listComments', { parentEntityId: event?.id, parentEntityType: 'Event', pageSize: 20 })
  await call('fetchCommentsById', { id: '456', getPositions: true })
  await list('listCommentsByUserAddress', { address, pageSize: 10, order: 'DESC' })
  await call('fetchEventLiveVolume', { id: event?.id })
  await call('listOpenInterest', { market: [world.market] })
  await call('listMarketHolders', { market: [world.market], limit: 5 })
  await list('listTrades', { market: [world.market], pageSize: 10 })
  await list('listTraderLeaderboard', { orderBy: 'PNL', pageSize: 10, timePeriod: 'DAY' })
  await list('listBuilderLeaderboard', { pageSize: 10, timePeriod: 'DAY' })
  await call('fetchBuilderVolume', { timePeriod: 'DAY' })
  await list('listBuilderTrades', { builderCode: `0x${'0'.repeat(63)}1` })
  await list('listCurrentRewards')
  await list('listMarketRewards', { conditionId: world.market })
}

async function prices({ call, stage: { world } }: Opened): Promise<void> {
  const tokenId = world.yes
  const many = [{ tokenId }, { tokenId: world.no }]
  const sided = many.map((one) => ({ ...one, side: 'BUY' }))
  await call('fetchMidpoint', { tokenId })
  await call('fetchMidpoints', many)
  await call('fetchPrice', { tokenId, side: 'BUY' })
  await call('fetchPrices', sided)
  await call('fetchOrderBook', { tokenId })
  await call('fetchOrderBooks', many)
  await call('fetchSpread', { tokenId })
  await call('fetchSpreads', many)
  await call('fetchLastTradePrice', { tokenId })
  await call('fetchLastTradePrices', many)
  await call('fetchPriceHistory', { tokenId, interval: '1d' })
  await call('estimateMarketPrice', { tokenId, side: 'BUY', amount: 5 })
}

async function trading({ call, list, tally, client, stage: { world } }: Opened): Promise<void> {
  const tokenId = world.yes
  const bid = { tokenId, price: 0.2, size: 10, side: 'BUY' }
  const isAccepted = (answer: Program) => answer?.ok === true
  const limit = await call('createLimitOrder', bid)
  const posted = await tally.try('postOrder', () => client.postOrder(limit), isAccepted)
  const placed = await tally.try('placeLimitOrder', () => client.placeLimitOrder({ ...bid, postOnly: true, price: 0.21 }), isAccepted)
  const inTime = Math.floor(Date.now() / 1000) + 600
  await tally.try('placeLimitOrder, GTD', () => client.placeLimitOrder({ ...bid, expiration: inTime }), isAccepted)
  const market = await call('createMarketOrder', { tokenId, side: 'BUY', amount: 5 })
  await tally.try('postOrders', async () => {
    const legs = [await client.createLimitOrder({ ...bid, price: 0.22 }), market]
    return client.postOrders(legs)
  }, (answers) => answers.every(isAccepted)) // biome-ignore format: one call
  const bought = await tally.try('placeMarketOrder', () => client.placeMarketOrder({ tokenId, side: 'BUY', amount: 5 }), isAccepted)
  await tally.try('placeMarketOrder, SELL', () => client.placeMarketOrder({ tokenId, side: 'SELL', shares: 2 }), isAccepted)
  await call('waitForOrderFillSettlement', bought)
  await list('listOpenOrders')
  await call('fetchOrder', { orderId: placed?.orderId })
  await list('listAccountTrades', { market: world.market })
  await call('fetchOrderScoring', { orderId: placed?.orderId })
  await call('fetchOrdersScoring', { orderIds: [placed?.orderId] })
  await call('cancelOrder', { orderId: posted?.orderId })
  await call('cancelOrders', { orderIds: [placed?.orderId] })
  await call('cancelMarketOrders', { market: world.market })
  await call('cancelAll')
}

async function account({ call, list, stage: { world } }: Opened): Promise<void> {
  const date = new Date().toISOString().slice(0, 10)
  await list('listPositions')
  await list('listClosedPositions')
  await list('listComboPositions')
  await list('listMarketPositions', { market: world.market, pageSize: 10 })
  await call('fetchPortfolioValue')
  await call('fetchTradedMarketCount')
  await call('downloadAccountingSnapshot')
  await list('listActivity')
  await list('listComboActivity')
  const notifications = await call('fetchNotifications')
  await call('dropNotifications', { ids: notifications?.slice(0, 2).map(({ id }: Program) => String(id)) ?? ['1'] })
  await call('fetchClosedOnlyMode')
  await list('listUserEarningsForDay', { date })
  await call('fetchTotalEarningsForUserForDay', { date })
  await list('listUserEarningsAndMarketsConfig', { date })
  await call('fetchRewardPercentages')
}

async function streams({ tally, client, stage: { world } }: Opened): Promise<void> {
  const buy = () => client.placeMarketOrder({ tokenId: world.yes, side: 'BUY', amount: 2 })
  /** Subscribes, and waits for the first event when something brings one about. */
  const subscribe = (name: string, topic: object, act?: () => Promise<Program>) =>
    tally.try(`subscribe to ${name}`, async () => {
      const events = await client.subscribe([topic])
      const first = act && (await heard((tell) => events[Symbol.asyncIterator]().next().then(tell), act))
      await events.close()
      return first
    })
  await subscribe('a market', { topic: 'market', tokenIds: [world.yes], customFeatureEnabled: true }, buy)
  await subscribe('the user', { topic: 'user' }, buy)
  await subscribe('comments', { topic: 'comments' })
  await subscribe('crypto prices', { topic: 'prices.crypto.binance', symbols: ['btcusdt'] })
  await subscribe('equity prices', { topic: 'prices.equity.pyth', symbol: 'AAPL' })
}

/** Makes every call of @polymarket/client that needs no chain, and that is not about sports streams, perpetuals or quotes for combos. */
export async function polymarketClient(stage: Stage): Promise<Tally> {
  const opened = await open(stage)
  if (!opened.client) return opened.tally
  for (const part of [discovery, prices, trading, account, streams]) await part(opened)
  await opened.tally.try('endAuthentication', () => opened.client.endAuthentication())
  return opened.tally
}
