import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import { webSettings } from '@augury/settings/env'
import { formatPrice, parsePrice } from '@augury/units/decimal'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** Somebody with a new wallet, an API key and play money, who trades over the public API while a browser looks on. */
export interface Trader {
  client: VenueClient
  /** Places a limit order for a token; answers its id. Throws what the exchange refuses. */
  place(order: { tokenId: string; side: 'BUY' | 'SELL'; price: string; size: string }): Promise<string>
}

/** A trader who was never here before. */
export async function newTrader(): Promise<Trader> {
  const url = webSettings().clobUrl
  const wallet = privateKeyToAccount(generatePrivateKey())
  await venueClient({ url }).faucet({ body: { address: wallet.address, amount: '10000' } })
  const client = venueClient({ url, apiKey: await createApiKey({ url, wallet }) })
  return {
    client,
    place: async (order) => {
      const result = await client.placeOrder({ body: { ...order, orderType: 'GTC' } })
      if (!('orderId' in result) || !result.orderId) throw new Error(`the exchange refused: ${JSON.stringify(result)}`)
      return result.orderId
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
}

/** The lowest price at which nobody bids for Yes, so that a new order has a level to itself. */
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
    if (market) {
      const [yes, no] = market.tokens
      return { conditionId: market.condition_id, yes: yes!.token_id, no: no!.token_id, tick: String(market.minimum_tick_size) }
    }
    cursor = page.next_cursor
  } while (cursor !== 'LTE=')
  throw new Error(`no market asks “${questionStart}”`)
}

/**
 * A market in which nobody waits, so that a journey knows who is met; and the address of its page. `alone`: one whose result says nothing
 * about other markets.
 */
export async function quietMarket({ alone = false } = {}): Promise<TestMarket & { path: string }> {
  const client = venueClient({ url: webSettings().clobUrl })
  let cursor: string | undefined
  do {
    const page = await client.listMarkets({ query: cursor === undefined ? {} : { next_cursor: cursor } })
    const open = page.data.filter(({ accepting_orders, neg_risk }) => accepting_orders && !(alone && neg_risk))
    const books = await client.getBooks({ body: open.map(({ tokens }) => ({ token_id: tokens[0]!.token_id })) })
    const empty = new Set(books.filter(({ bids, asks }) => bids.length + asks.length === 0).map(({ asset_id }) => asset_id))
    const market = open.find(({ tokens }) => empty.has(tokens[0]!.token_id))
    if (market) {
      const [yes, no] = market.tokens
      const path = `/event/${market.event.slug}/${market.market_slug}`
      return { conditionId: market.condition_id, yes: yes!.token_id, no: no!.token_id, tick: String(market.minimum_tick_size), path }
    }
    cursor = page.next_cursor
  } while (cursor !== 'LTE=')
  throw new Error('somebody waits in every market')
}
