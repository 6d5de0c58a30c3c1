import { AssetType, Side } from '@polymarket/clob-client'
import { type Program, type Stage, Tally } from './program.ts'

/** Methods of the clients that make no call of the exchange of their own. */
const WITHIN = new Set(
  `put get post del throwIfError canL1Auth canL2Auth mustBuilderAuth canBuilderAuth clearTickSizeCache updateTickSizeFromOrderBook
  createExchangeV3OrderFromAmounts waitForResolvedTrades resolveTransactionsHashes isBuilderOrder getBuilderTakerFeeRate
  adjustBuyAmountForBalance ensureBuilderFeeRateCached resolveVersion getOrderBookHash`.split(/\s+/),
)

/** Methods about the keys of programs that bring trades (builders), which this exchange does not have. */
const OF_BUILDERS = new Set(['createBuilderApiKey', 'getBuilderApiKeys', 'revokeBuilderApiKey'])

type Calls = Record<string, () => Promise<Program>>
const plain = (client: Program, ...names: string[]): Calls => Object.fromEntries(names.map((name) => [name, () => client[name]()]))
const of = (client: Program, argument: unknown, ...names: string[]): Calls =>
  Object.fromEntries(names.map((name) => [name, () => client[name](argument)]))

/** What methods that read of markets, and those about keys, are called with. */
function reads({ world, maker }: Stage, client: Program): Calls {
  const { yes, no, market } = world
  const many = [yes, no].map((token_id) => ({ token_id, side: Side.BUY }))
  return {
    ...plain(client, 'getOk', 'getServerTime', 'getVersion'),
    ...plain(client, 'getMarkets', 'getSamplingMarkets', 'getSimplifiedMarkets', 'getSamplingSimplifiedMarkets'),
    ...of(client, market, 'getMarket', 'getClobMarketInfo', 'getMarketTradesEvents', 'getRawRewardsForMarket'),
    ...of(client, yes, 'getOrderBook', 'getTickSize', 'getNegRisk', 'getFeeRateBps', 'getFeeExponent'),
    ...of(client, yes, 'getMidpoint', 'getSpread', 'getLastTradePrice'),
    ...of(client, many, 'getOrderBooks', 'getMidpoints', 'getPrices', 'getSpreads', 'getLastTradesPrices'),
    getPrice: () => client.getPrice(yes, Side.BUY),
    getPricesHistory: () => client.getPricesHistory({ market: yes, interval: '1d' }),
    ...plain(client, 'createApiKey', 'deriveApiKey', 'createOrDeriveApiKey', 'getApiKeys', 'getClosedOnlyMode'),
    ...plain(client, 'createReadonlyApiKey', 'getReadonlyApiKeys'),
    validateReadonlyApiKey: async () => client.validateReadonlyApiKey(maker.wallet.address, (await maker.v1.createReadonlyApiKey()).apiKey),
    deleteReadonlyApiKey: async () => client.deleteReadonlyApiKey((await client.getReadonlyApiKeys())[0]),
  }
}

/** What methods about orders and the account are called with, in an order in which each finds what it needs. */
function trading({ world }: Stage, client: Program): Calls {
  const { yes, market } = world
  const at = { tickSize: '0.01', negRisk: false }
  const bid = { tokenID: yes, side: Side.BUY, price: 0.2, size: 10 }
  const buy = { tokenID: yes, side: Side.BUY, amount: 5 }
  const orders: string[] = []
  const keep = async (placed: Promise<{ orderID: string }>) => {
    const answer = await placed
    orders.push(answer.orderID)
    return answer
  }
  return {
    createOrder: () => client.createOrder(bid, at),
    createMarketOrder: () => client.createMarketOrder(buy, at),
    calculateMarketPrice: () => client.calculateMarketPrice(yes, Side.BUY, 5),
    createAndPostOrder: () => keep(client.createAndPostOrder(bid, at)),
    createAndPostMarketOrder: () => keep(client.createAndPostMarketOrder(buy, at)),
    postOrder: async () => keep(client.postOrder(await client.createOrder({ ...bid, price: 0.21 }, at))),
    postOrders: async () => client.postOrders([{ order: await client.createOrder({ ...bid, price: 0.22 }, at), orderType: 'GTC' }]),
    getOrder: () => client.getOrder(orders[0]),
    ...plain(client, 'getOpenOrders', 'getPreMigrationOrders', 'getTrades', 'getTradesPaginated', 'getNotifications'),
    dropNotifications: () => client.dropNotifications({ ids: ['1'] }),
    ...of(client, { asset_type: AssetType.COLLATERAL }, 'getBalanceAllowance', 'updateBalanceAllowance'),
    isOrderScoring: () => client.isOrderScoring({ order_id: orders[0] }),
    areOrdersScoring: () => client.areOrdersScoring({ orderIds: orders }),
    ...of(client, '2026-04-16', 'getEarningsForUserForDay', 'getTotalEarningsForUserForDay', 'getUserEarningsAndMarketsConfig'),
    ...plain(client, 'getRewardPercentages', 'getCurrentRewards', 'postHeartbeat'),
    getBuilderTrades: () => client.getBuilderTrades({ builder_code: `0x${'0'.repeat(63)}1` }),
    cancelOrder: () => client.cancelOrder({ orderID: orders[0] }),
    cancelOrders: () => client.cancelOrders(orders),
    cancelMarketOrders: () => client.cancelMarketOrders({ market }),
    ...plain(client, 'cancelAll', 'deleteApiKey'),
  }
}

/** Makes every call that a client's class offers. */
async function orderClient(name: string, stage: Stage, client: Program): Promise<Tally> {
  const tally = new Tally(name)
  const made = { ...reads(stage, client), ...trading(stage, client) }
  const needsBuilder = (method: string) => OF_BUILDERS.has(method) || (method === 'getBuilderTrades' && client.mustBuilderAuth)
  const isCall = (method: string) => !/^_|^constructor$/.test(method) && !WITHIN.has(method) && !needsBuilder(method)
  const offered = Object.getOwnPropertyNames(Object.getPrototypeOf(client)).filter(isCall)
  for (const [method, make] of Object.entries(made)) if (offered.includes(method)) await tally.try(method, make)
  for (const method of offered) if (!made[method]) await tally.try(method, () => Promise.reject(new Error('no call is made of it here')))
  return tally
}

/** The older client, behind ethers 5. */
export const olderClient = async (stage: Stage) => orderClient('@polymarket/clob-client 5.8.1', stage, (await stage.world.trader()).v1)
/** The newer client, behind viem. */
export const newerClient = async (stage: Stage) => orderClient('@polymarket/clob-client-v2 1.1.0', stage, (await stage.world.trader()).v2)
