import { type Program, program, type Stage, Tally } from './program.ts'

/** Where ccxt finds the services, by its own setting. */
const servicesAt = (url: string) => {
  const compat = `${url}/compat`
  const ws = compat.replace('http', 'ws')
  return { gamma: `${compat}/gamma`, clob: compat, data: compat, ws: `${ws}/ws/market`, wsUser: `${ws}/ws/user` }
}

/** Makes every call of ccxt that applies to such an exchange. */
export async function ccxt({ world }: Stage): Promise<Tally> {
  const tally = new Tally('ccxt 4.5.84')
  const { default: ccxt } = await program('ccxt', '4.5.84', 'js/ccxt.js')
  const { key, wallet } = await world.trader()
  const options = { chainId: 80002, builderFee: false, signatureType: 0 }
  const exchange = new ccxt.prediction.polymarket({ privateKey: key, walletAddress: wallet.address, enableRateLimit: false, options })
  exchange.urls.api = servicesAt(world.url)
  await exchange.loadHttpProxyAgent()
  const call = (name: string, ...args: unknown[]) => tally.try(name, () => exchange[name](...args))
  /** A call that waits for what a trade brings. */
  const meanwhile = (name: string, act: () => Promise<Program>, ...args: unknown[]) =>
    tally.try(name, async () => {
      const acting = setTimeout(() => act().catch(() => undefined), 1500)
      return await exchange[name](...args).finally(() => clearTimeout(acting))
    })

  await call('createOrDeriveApiKey')
  await call('fetchMarkets')
  const markets: Program[] = Object.values((await call('loadMarkets')) ?? {})
  const { outcomes } = markets.find(({ id }) => id === world.market)
  const [yes, no] = outcomes.map(({ outcome }: Program) => outcome)
  await call('fetchEvents', { query: 'rain' })
  await call('fetchEvent', 'rain-event')
  await call('fetchTicker', yes)
  await call('fetchTickers', [yes, no])
  await call('fetchOrderBook', yes)
  await call('fetchOHLCV', yes, '1m', undefined, 10)
  await call('fetchTime')
  await call('fetchStatus')
  await call('fetchOpenInterest', yes)
  await call('fetchTradingFee', yes)
  await call('fetchTrades', yes)
  const order = await call('createOrder', yes, 'limit', 'buy', 10, 0.2)
  const bought = await call('createMarketBuyOrderWithCost', yes, 5)
  const leg = { outcome: yes, type: 'limit', side: 'buy', price: 0.1 }
  const both = [10, 11].map((amount) => ({ ...leg, amount }))
  const legs = (await call('createOrders', both)) ?? []
  await call('fetchOrder', order?.id, yes)
  await call('fetchOpenOrders', yes)
  await call('fetchMyTrades', yes)
  await call('fetchOrderTrades', bought?.id, yes)
  await call('fetchBalance')
  await call('fetchPositions')
  await call('fetchPosition', yes)
  await call('watchOrderBook', yes)
  const buy = () => exchange.createMarketBuyOrderWithCost(yes, 2)
  await meanwhile('watchTicker', buy, yes)
  await meanwhile('watchTrades', buy, yes)
  await meanwhile('watchOrders', buy, yes)
  await meanwhile('watchMyTrades', buy, yes)
  const ids = legs.map(({ id }: Program) => id)
  await call('cancelOrder', order?.id, yes)
  await call('cancelOrders', ids, yes)
  await call('cancelAllOrders', yes)
  await exchange.close()
  return tally
}
