import { AssetType, type OpenOrder, OrderType, Side, type TickSize, type Trade } from '@polymarket/clob-client'
import type { Desk } from './desk.ts'

/** A market in which two desks can meet: its tokens, and a price between the best bid and the best ask. */
export interface Venue {
  condition: string
  yes: string
  no: string
  tickSize: TickSize
  negRisk: boolean
  price: number
}

/** The result, for a caller to check. */
export interface Session {
  resting: OpenOrder
  mint: Placed
  direct: Placed
  cancelled: { canceled: string[]; again: number; all: string[] }
  balances: { maker: string; yes: string }
  trades: Trade[]
  openAtEnd: number
  read: { hash: string; ownHash: string; mid: string; spread: string; last: { price: string; side: string } }
}

/** Answer to an order that was accepted. */
export interface Placed {
  orderID: string
  status: string
  makingAmount: string
  takingAmount: string
  transactionsHashes: string[]
}

interface MarketRow {
  condition_id: string
  neg_risk: boolean
  minimum_tick_size: number
  tokens: { token_id: string }[]
}

const SHARES = 10

/** The first market whose spread leaves a tick in the middle, so that no other order is in the way. */
export async function findMarket({ client }: Desk, wanted: (market: MarketRow) => boolean = () => true): Promise<Venue> {
  for (let cursor = 'MA=='; cursor !== 'LTE='; ) {
    const { data, next_cursor } = (await client.getSamplingMarkets(cursor)) as unknown as { data: MarketRow[]; next_cursor: string }
    for (const market of data.filter(wanted)) {
      const [yes, no] = market.tokens.map((token) => token.token_id) as [string, string]
      // Best last: that is how this client reads a book.
      const book = await client.getOrderBook(yes)
      const tick = market.minimum_tick_size
      const bid = Math.round(Number(book.bids.at(-1)?.price ?? 0) / tick)
      const ask = Math.round(Number(book.asks.at(-1)?.price ?? 1) / tick)
      const price = Math.floor((bid + ask) / 2) * tick
      if (ask - bid < 2 || price < 0.05 || price > 0.95) continue
      const tickSize = String(tick) as TickSize
      return { condition: market.condition_id, yes, no, tickSize, negRisk: market.neg_risk, price: Number(price.toFixed(4)) }
    }
    cursor = next_cursor
  }
  throw new Error('there is no market with a spread of two ticks: register some, or stop the bots')
}

/** One desk makes, the other one takes: first by minting, then directly; then what rests is cancelled and everything is read back. */
export async function tradeTogether(maker: Desk, taker: Desk, venue: Venue, say: (text: string) => void): Promise<Session> {
  const { yes, no, condition, tickSize, negRisk, price } = venue
  const place = (desk: Desk, tokenID: string, side: Side, at: number) =>
    desk.client.createAndPostOrder({ tokenID, side, price: at, size: SHARES }, { tickSize, negRisk }, OrderType.GTC) as Promise<Placed>
  const other = Number((1 - price).toFixed(4))

  const bid = await place(maker, yes, Side.BUY, price)
  const resting = await maker.client.getOrder(bid.orderID)
  say(
    `${maker.name} bids ${price} for ${SHARES} Yes: ${bid.status}, ${(await maker.client.getOpenOrders({ market: condition })).length} open`,
  )

  const mint = await place(taker, no, Side.BUY, other)
  say(`${taker.name} bids ${other} for ${SHARES} No: ${mint.status}, shares are minted`)

  await place(maker, yes, Side.SELL, price)
  const direct = await place(taker, yes, Side.BUY, price)
  say(`${maker.name} sells its Yes to ${taker.name} at ${price}: ${direct.status}`)

  const cancelled = await cancel(maker, () => place(maker, yes, Side.BUY, Number(tickSize)))
  say(`${maker.name} cancels one order, and all the others`)

  const trades = await taker.client.getTrades({ market: condition })
  const maker$ = await maker.client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL })
  const taker$ = await taker.client.getBalanceAllowance({ asset_type: AssetType.CONDITIONAL, token_id: yes })
  say(`${taker.name} has ${Number(taker$.balance) / 1e6} Yes after ${trades.length} trades`)
  const openAtEnd = (await maker.client.getOpenOrders()).length
  const read = await readBook(taker, yes)
  return { resting, mint, direct, cancelled, balances: { maker: maker$.balance, yes: taker$.balance }, trades, openAtEnd, read }
}

/** What a book says of itself, and the hash that the client computes of it. */
async function readBook({ client }: Desk, token: string): Promise<Session['read']> {
  const book = await client.getOrderBook(token)
  const { mid } = (await client.getMidpoint(token)) as { mid: string }
  const { spread } = (await client.getSpread(token)) as { spread: string }
  const last = (await client.getLastTradePrice(token)) as { price: string; side: string }
  return { hash: book.hash, ownHash: await client.getOrderBookHash({ ...book }), mid, spread, last }
}

async function cancel({ client }: Desk, place: () => Promise<Placed>): Promise<Session['cancelled']> {
  const one = await place()
  const { canceled } = (await client.cancelOrder({ orderID: one.orderID })) as { canceled: string[] }
  const again = await client.cancelOrder({ orderID: one.orderID }).then(
    () => 200,
    (refused: { status?: number }) => refused.status ?? 0,
  )
  const two = await place()
  const all = ((await client.cancelAll()) as { canceled: string[] }).canceled
  if (!all.includes(two.orderID)) throw new Error('cancelAll left an order')
  return { canceled, again, all }
}
