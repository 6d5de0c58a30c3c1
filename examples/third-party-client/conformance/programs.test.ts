import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type Trading, type World } from '../test/world.ts'
import { type Program, program, Tally } from './programs.ts'

let world: World
let maker: Trading
beforeAll(async () => {
  world = await openWorld({ chain: 80002, via: 'direct' })
  maker = await world.trader()
  const options = { tickSize: '0.01', negRisk: false } as const
  await world.place(maker.v1, { tokenID: world.yes, side: 'BUY' as never, price: 0.4, size: 200 }, options)
  // The program buys at the displayed price, which has to reach the best ask.
  await world.place(maker.v1, { tokenID: world.no, side: 'BUY' as never, price: 0.59, size: 200 }, options)
})
afterAll(() => world?.close())

const HEAVY = 240_000

/** Where ccxt finds the services, by its own setting. */
const servicesAt = (url: string) => {
  const compat = `${url}/compat`
  const ws = compat.replace('http', 'ws')
  return { gamma: `${compat}/gamma`, clob: compat, data: compat, ws: `${ws}/ws/market`, wsUser: `${ws}/ws/user` }
}

test('ccxt, all that it offers for this exchange', { timeout: HEAVY }, async () => {
  const { default: ccxt } = await program('ccxt', '4.5.84', 'js/ccxt.js')
  const { key, wallet } = await world.trader()
  const options = { chainId: 80002, builderFee: false, signatureType: 0 }
  const exchange = new ccxt.prediction.polymarket({ privateKey: key, walletAddress: wallet.address, enableRateLimit: false, options })
  exchange.urls.api = servicesAt(world.url)
  await exchange.loadHttpProxyAgent()
  const tally = new Tally('ccxt 4.5.84')
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
  const legs =
    (await call(
      'createOrders',
      [10, 11].map((amount) => ({ ...leg, amount })),
    )) ?? []
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
  await call('cancelOrder', order?.id, yes)
  await call(
    'cancelOrders',
    legs.map(({ id }: Program) => id),
    yes,
  )
  await call('cancelAllOrders', yes)
  await exchange.close()
  console.log(tally.line())
  expect(tally.total - tally.failed.length, tally.line()).toBeGreaterThanOrEqual(31)
})
