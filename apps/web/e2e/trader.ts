import { RefusedError } from '@augury/client/answer'
import { createTradingKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import { webSettings } from '@augury/settings/env'
import { formatPrice, parsePrice } from '@augury/units/decimal'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { workerIndex } from './worker.ts'

/** A trader with a new wallet, an API key and play money, who uses the public API while a browser looks on. */
export interface Trader {
  address: string
  client: VenueClient
  /** Places a limit order for a token; answers its id. Throws what the exchange refuses. */
  place(order: LimitOrder): Promise<string>
  /** Places an order after taking all that would fill it: all of it rests, first in line for the next taker. */
  placeFirst(order: LimitOrder): Promise<string>
}

interface LimitOrder {
  tokenId: string
  side: 'BUY' | 'SELL'
  price: string
  size: string
}

/** A trader who was never here before. */
export async function newTrader(): Promise<Trader> {
  const url = webSettings().clobUrl
  const wallet = privateKeyToAccount(generatePrivateKey())
  await venueClient({ url }).faucet({ body: { address: wallet.address, amount: '10000' } })
  const client = venueClient({ url, apiKey: await createTradingKey({ url, wallet }) })
  const place = async (order: LimitOrder): Promise<string> => {
    // By a name of its own: two orders that are equal, sent within a second, would be one.
    const result = await client.placeOrder({ body: { ...order, orderType: 'GTC', clientOrderId: crypto.randomUUID() } })
    if (!('orderId' in result) || !result.orderId) throw new Error(`the exchange refused: ${JSON.stringify(result)}`)
    return result.orderId
  }
  return {
    address: wallet.address,
    client,
    place,
    placeFirst: async (order) => {
      await client.placeOrder({ body: { ...order, orderType: 'FAK', size: '1000' } }).catch((error) => {
        if (!(error instanceof RefusedError && error.code === 'fak_no_match')) throw error
      })
      return place(order)
    },
  }
}

/** A market as the journeys trade it. */
export interface TestMarket {
  conditionId: string
  yes: string
  no: string
  /** Smallest difference of prices, and the lowest price there is. */
  tick: string
  /** Address of its page. */
  path: string
}

type Listed = Awaited<ReturnType<VenueClient['listMarkets']>>['data'][number]

const testMarket = ({ condition_id, tokens, minimum_tick_size, event, market_slug }: Listed): TestMarket => ({
  conditionId: condition_id,
  yes: tokens[0]!.token_id,
  no: tokens[1]!.token_id,
  tick: String(minimum_tick_size),
  path: `/event/${event.slug}/${market_slug}`,
})

/** Returns the lowest price without a bid for Yes, so that a new order has a level to itself. */
export async function emptyBid({ yes, tick }: TestMarket): Promise<string> {
  const { bids } = await venueClient({ url: webSettings().clobUrl }).getOrderbook({ query: { token_id: yes } })
  const taken = new Set(bids.map(({ price }) => parsePrice(price) as number))
  let steps: number = parsePrice(tick)
  while (taken.has(steps)) steps += parsePrice(tick)
  return formatPrice(steps)
}

/** The market that asks a question, as the exchange lists it. */
export async function findMarket(questionStart: string): Promise<TestMarket> {
  const client = venueClient({ url: webSettings().clobUrl })
  let cursor: string | undefined
  do {
    const page = await client.listMarkets({ query: cursor === undefined ? {} : { next_cursor: cursor } })
    const market = page.data.find(({ question }) => question.startsWith(questionStart))
    if (market) return testMarket(market)
    cursor = page.next_cursor
  } while (cursor !== 'LTE=')
  throw new Error(`no market asks “${questionStart}”`)
}

/**
 * A market of `quiet-markets.ts`, which the liquidity bot never quotes, with an empty book, so that a journey knows the counterparty. `alone`: one
 * whose result says nothing about other markets; `inEvent`: one whose result does; `untraded`: one without trades.
 */
export async function quietMarket({ alone = false, inEvent = false, untraded = false } = {}): Promise<TestMarket> {
  const client = venueClient({ url: webSettings().clobUrl })
  let cursor: string | undefined
  do {
    const page = await client.listMarkets({ query: cursor === undefined ? {} : { next_cursor: cursor } })
    const open = page.data.filter((market) => market.accepting_orders && isOfThisWorker(market) && !(market.neg_risk ? alone : inEvent))
    const asked = open.map(({ tokens }) => ({ token_id: tokens[0]!.token_id }))
    const books = asked.length === 0 ? [] : await client.getBooks({ body: asked })
    const quiet = books.filter(({ bids, asks, last_trade_price }) => bids.length + asks.length === 0 && !(untraded && last_trade_price))
    const empty = new Set(quiet.map(({ asset_id }) => asset_id))
    const market = open.find(({ tokens }) => empty.has(tokens[0]!.token_id))
    if (market) return testMarket(market)
    cursor = page.next_cursor
  } while (cursor !== 'LTE=')
  throw new Error('every market has resting orders')
}

/**
 * Whether a quiet market is one of those that this worker of Playwright trades in: no other worker comes into it between the look and the
 * order. Markets of one event go together.
 */
function isOfThisWorker({ market_slug }: Listed): boolean {
  const number = /^quiet-(?:event-)?(\d+)/.exec(market_slug)?.[1]
  return number !== undefined && Number(number) % 2 === workerIndex() % 2
}
