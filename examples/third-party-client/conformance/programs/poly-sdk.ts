import { leadHosts } from './hosts.ts'
import { heard, type Program, program, type Stage, Tally } from './program.ts'

const VERSION = '0.5.0'
type Call = (name: string, make: () => Promise<Program>, isRight?: (answer: Program) => boolean) => Promise<Program>

const succeeded = (answer: Program) => Boolean(answer?.success)
const found = (answer: Program) => answer !== null && answer !== undefined
const some = (rows: Program) => rows.length > 0

async function reads(call: Call, { dataApi, gammaApi, wallets, tradingService: desk }: Program, { world, maker }: Stage): Promise<void> {
  const user = maker.wallet.address
  const taker = desk.getAddress()
  const { market } = world
  await call('getPositions', () => dataApi.getPositions(user), some)
  await call('getClosedPositions', () => dataApi.getClosedPositions(user))
  await call('getActivity', () => dataApi.getActivity(user, { limit: 100 }), some)
  await call('getAllActivity', () => dataApi.getAllActivity(user), some)
  await call('getTrades', () => dataApi.getTrades({ limit: 100 }), some)
  await call('getTradesByMarket', () => dataApi.getTradesByMarket(market), some)
  await call('getTradesByUser', () => dataApi.getTradesByUser(taker), some)
  await call('getAllTrades', () => dataApi.getAllTrades({ market }), some)
  await call('fetchLeaderboard', () => dataApi.fetchLeaderboard({ limit: 5 }), found)
  await call('getAllLeaderboard', () => dataApi.getAllLeaderboard(100))
  await call('getAccountValue', () => dataApi.getAccountValue(user), found)
  await call('getMarketHolders', () => dataApi.getMarketHolders({ market, limit: 5 }), some)
  await call('gamma getMarkets', () => gammaApi.getMarkets({ active: true, limit: 5 }), some)
  await call('gamma getMarketBySlug', () => gammaApi.getMarketBySlug('rain'), (answer) => answer?.slug === 'rain') // biome-ignore format: one call
  await call('gamma getMarketByConditionId', () => gammaApi.getMarketByConditionId(market), (one) => one?.conditionId === market) // biome-ignore format: one call
  const [event] = (await call('getEvents', () => gammaApi.getEvents({ active: true, limit: 5 }), some)) ?? []
  await call('getEventBySlug', () => gammaApi.getEventBySlug('rain-event'), found)
  await call('getEventById', () => gammaApi.getEventById(event?.id), found)
  await call('getTrendingMarkets', () => gammaApi.getTrendingMarkets(5), some)
  await call('getWalletProfile', () => wallets.getWalletProfile(user), found)
  await call('getPositionsForMarket', () => wallets.getPositionsForMarket(user, market), some)
  await call('getWalletActivity', () => wallets.getWalletActivity(user), found)
  await call('getLeaderboard', () => wallets.getLeaderboard(0, 10), found)
  await call('getTopTraders', () => wallets.getTopTraders(5))
  await call('getLeaderboardByPeriod', () => wallets.getLeaderboardByPeriod('week', 5))
  await call('getUserPeriodPnl', () => wallets.getUserPeriodPnl(user, 'week'))
  await call('discoverActiveWallets', () => wallets.discoverActiveWallets(10), some)
  await call('detectSellActivity', () => wallets.detectSellActivity(user, market, 0), found)
}

async function markets(call: Call, { markets }: Program, { world: { market, yes, no } }: Stage): Promise<void> {
  await call('getClobMarket', () => markets.getClobMarket(market), found)
  await call('resolveMarketTokens', () => markets.resolveMarketTokens(market), found)
  await call('getClobMarkets', () => markets.getClobMarkets(), (page) => some(page.markets)) // biome-ignore format: one call
  await call('getTokenOrderbook', () => markets.getTokenOrderbook(yes), (book) => some(book.bids)) // biome-ignore format: one call
  const both = [yes, no].map((tokenId) => ({ tokenId, side: 'BUY' }))
  await call('getTokenOrderbooks', () => markets.getTokenOrderbooks(both), (books) => books.size === 2) // biome-ignore format: one call
  await call('getProcessedOrderbook', () => markets.getProcessedOrderbook(market), found)
  await call('getPricesHistory', () => markets.getPricesHistory({ tokenId: yes, interval: '1d' }), some)
  // Its next three make a number of the whole answer, which no venue's answer is.
  await call('getMidpoint', () => markets.getMidpoint(yes))
  await call('getSpread', () => markets.getSpread(yes))
  await call('getLastTradePrice', () => markets.getLastTradePrice(yes))
  await call('getMarket', () => markets.getMarket(market), found)
  await call('getMarket by its slug', () => markets.getMarket('rain'), found)
  await call('getKLinesOHLCV', () => markets.getKLinesOHLCV(market, '1h'))
  await call('getDualKLinesOHLCV', () => markets.getDualKLinesOHLCV(market, '1h'))
  await call('getKLines', () => markets.getKLines(market, '1h'))
  await call('getDualKLines', () => markets.getDualKLines(market, '1h'))
  await call('getRealtimeSpread', () => markets.getRealtimeSpread(market), found)
  await call('detectArbitrage', () => markets.detectArbitrage(market))
  await call('searchMarkets', () => markets.searchMarkets({ limit: 5 }), some)
  await call('scanCryptoShortTermMarkets', () => markets.scanCryptoShortTermMarkets({}))
  await call('detectMarketSignals', () => markets.detectMarketSignals(market))
}

async function trading(call: Call, { tradingService: desk }: Program, { world: { market, yes } }: Stage): Promise<void> {
  const bid = { tokenId: yes, side: 'BUY', price: 0.2, size: 10 }
  const order = await call('createLimitOrder', () => desk.createLimitOrder(bid), succeeded)
  const expiration = Math.floor(Date.now() / 1000) + 600
  await call('createLimitOrder, GTD', () => desk.createLimitOrder({ ...bid, orderType: 'GTD', expiration }), succeeded)
  const batch = [0.21, 0.22].map((price) => ({ ...bid, price }))
  const legs = await call('createBatchOrders', () => desk.createBatchOrders(batch), (answer) => answer.orderIds?.length === 2) // biome-ignore format: one call
  const market5 = { tokenId: yes, side: 'BUY', amount: 5, orderType: 'FOK' }
  await call('createMarketOrder', () => desk.createMarketOrder(market5), succeeded)
  await call('createMarketOrder, SELL', () => desk.createMarketOrder({ ...market5, side: 'SELL', orderType: 'FAK' }), succeeded)
  await call('getOrder', () => desk.getOrder(order?.orderId), found)
  await call('getOpenOrders', () => desk.getOpenOrders(market), some)
  await call('canCancelOrder', () => desk.canCancelOrder(order?.orderId), Boolean)
  await call('getOrderProgress', () => desk.getOrderProgress(order?.orderId), found)
  await call('trading getTrades', () => desk.getTrades(market), some)
  await call('isOrderScoring', () => desk.isOrderScoring(order?.orderId))
  await call('areOrdersScoring', () => desk.areOrdersScoring([order?.orderId]))
  await call('getEarningsForDay', () => desk.getEarningsForDay('2026-04-16'))
  await call('getCurrentRewards', () => desk.getCurrentRewards())
  await call('getMarketRewardConfig', () => desk.getMarketRewardConfig(market))
  await call('getRewardsSummary', () => desk.getRewardsSummary('2026-04-15', '2026-04-16'), found)
  await call('getTopRewardMarkets', () => desk.getTopRewardMarkets())
  await call('getBalanceAllowance', () => desk.getBalanceAllowance('COLLATERAL'), ({ balance }) => Number(balance) > 0) // biome-ignore format: one call
  await call('updateBalanceAllowance', () => desk.updateBalanceAllowance('COLLATERAL'))
  await call('cancelOrder', () => desk.cancelOrder(order?.orderId), succeeded)
  await call('cancelOrders', () => desk.cancelOrders(legs?.orderIds ?? []), succeeded)
  await call('cancelMarketOrders', () => desk.cancelMarketOrders(market), found)
  await call('cancelAllOrders', () => desk.cancelAllOrders(), succeeded)
}

async function streams(call: Call, { realtime, tradingService: desk }: Program, { world: { yes, no } }: Stage): Promise<void> {
  const { key, secret, passphrase } = desk.getCredentials()
  const buy = () => desk.createMarketOrder({ tokenId: yes, side: 'BUY', amount: 2, orderType: 'FOK' })
  await call('subscribeMarkets', () => heard((onOrderbook) => realtime.subscribeMarkets([yes, no], { onOrderbook }), buy))
  await call('subscribeMarkets, trades', () => heard((onLastTrade) => realtime.subscribeMarkets([yes, no], { onLastTrade }), buy))
  const keys = { apiKey: key, secret, passphrase }
  await call('subscribeUserEvents', () => heard((onOrder) => realtime.subscribeUserEvents(keys, { onOrder }), buy))
  await call('subscribeUserEvents, trades', () => heard((onTrade) => realtime.subscribeUserEvents(keys, { onTrade }), buy))
}

/** Makes every call of poly-sdk that needs no chain, no subgraph and no other exchange. */
export async function polySdk(stage: Stage): Promise<Tally> {
  const tally = new Tally(`@catalyst-team/poly-sdk ${VERSION}`)
  const { PolymarketSDK } = await program('@catalyst-team/poly-sdk', VERSION, 'dist/src/index.js')
  const { world } = stage
  const compat = `${world.url}/compat`
  const putBack = leadHosts({
    'clob.polymarket.com': compat,
    'data-api.polymarket.com': compat,
    'gamma-api.polymarket.com': `${compat}/gamma`,
    'ws-subscriptions-clob.polymarket.com': compat,
    'ws-live-data.polymarket.com': `${compat}/live`,
  })
  const call: Call = (name, make, isRight) => tally.try(name, make, isRight)
  try {
    const { key } = await world.trader()
    const sdk = new PolymarketSDK({ privateKey: key, chainId: world.chain })
    await call('start', () => sdk.start())
    await trading(call, sdk, stage)
    await reads(call, sdk, stage)
    await markets(call, sdk, stage)
    await streams(call, sdk, stage)
    sdk.stop()
  } finally {
    putBack()
  }
  return tally
}
