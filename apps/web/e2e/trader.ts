import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import { webSettings } from '@augury/settings/env'
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

/** The market of an event with one market, as the exchange lists it: its condition and its tokens. */
export async function findMarket(questionStart: string): Promise<{ conditionId: string; yes: string; no: string; tick: string }> {
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
