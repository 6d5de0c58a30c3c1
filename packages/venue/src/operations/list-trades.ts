import type { Hex } from '@augury/engine/command'
import { transactionHash } from '@augury/signing/ids'
import { formatLots, formatPrice, formatUsdc, parseUsdc } from '@augury/units/decimal'
import { cost, type Usdc } from '@augury/units/usdc'
import { FIRST_CURSOR, LAST_CURSOR, PAGE } from '@augury/wire/limits'
import type { OwnTrade, PublicTrade } from '@augury/wire/trade'
import { getAddress } from 'viem'
import type { Annex } from '../annex.ts'
import type { Context } from '../context.ts'
import type { Trader, Visitor } from '../identity.ts'
import type { Page, TradeFilter, TradeRecord } from '../read-model.ts'

interface TradesQuery {
  market?: string | undefined
  asset_id?: string | undefined
  before?: number | undefined
  after?: number | undefined
  next_cursor?: string | undefined
}

/** Which trades a query asks for; null when it names what does not exist, so that there are none. */
function filterOf(ctx: Context, query: TradesQuery & { id?: string | undefined }): TradeFilter | null {
  const filter: TradeFilter = {}
  if (query.id !== undefined) filter.id = query.id
  if (query.before !== undefined) filter.before = query.before * 1000
  if (query.after !== undefined) filter.after = query.after * 1000
  if (query.asset_id !== undefined) {
    const token = ctx.markets.token(query.asset_id)
    if (!token) return null
    filter.conditions = [token.condition]
  }
  if (query.market !== undefined) {
    const found = query.market.split(',').flatMap((id) => ctx.markets.market(id)?.condition ?? [])
    filter.conditions = filter.conditions ? filter.conditions.filter((condition) => found.includes(condition)) : found
    if (!filter.conditions.length) return null
  }
  return filter
}

const cursorOf = (cursor: string | undefined): string | null =>
  cursor === undefined || cursor === '' || cursor === FIRST_CURSOR ? null : cursor

async function rows(cursor: string | undefined, query: (cursor: string | null) => Promise<Page<TradeRecord>>): Promise<Page<TradeRecord>> {
  return cursor === LAST_CURSOR ? { rows: [], next: null } : query(cursorOf(cursor))
}

const iso = (ms: number): string => new Date(ms).toISOString()
const walletOf = (account: Hex, by: Annex): Hex => getAddress(by.maker ?? account)

/** Trades of everybody, newest first. */
export async function listTrades(
  ctx: Context,
  _: Visitor,
  {
    query,
  }: {
    query: TradesQuery & { user?: string | undefined; side?: 'BUY' | 'SELL' | undefined; min_usdc?: string | undefined; limit: number }
  },
): Promise<{ data: PublicTrade[]; next_cursor: string }> {
  const filter = filterOf(ctx, query)
  if (!filter) return { data: [], next_cursor: LAST_CURSOR }
  const { readModel } = ctx.venue
  const asked = { limit: query.limit }
  const user = query.user === undefined ? undefined : ctx.wallets.accountOf(query.user as Hex)
  const page = await rows(query.next_cursor, (cursor) =>
    user === undefined ? readModel.trades(filter, { ...asked, cursor }) : readModel.tradesOf(user, filter, { ...asked, cursor }),
  )
  const token = query.asset_id === undefined ? null : ctx.markets.token(query.asset_id)
  const least = query.min_usdc === undefined ? 0 : parseUsdc(query.min_usdc)
  const passes = (trade: TradeRecord) =>
    (query.side === undefined || trade.side === query.side) && (!token || trade.outcome === token.outcome) && value(trade) >= least
  return { data: page.rows.filter(passes).map((trade) => publicTrade(ctx, trade)), next_cursor: page.next ?? LAST_CURSOR }
}

const value = ({ price, lots }: TradeRecord): Usdc => cost(price as never, lots as never)

function publicTrade(ctx: Context, trade: TradeRecord): PublicTrade {
  const market = ctx.markets.market(trade.condition)!
  return {
    id: trade.id,
    market: trade.condition,
    asset_id: market.tokens[trade.outcome],
    outcome: market.outcomes[trade.outcome],
    outcome_index: trade.outcome,
    side: trade.side,
    price: formatPrice(trade.price),
    size: formatLots(trade.lots),
    usdc_size: formatUsdc(value(trade)),
    match_type: trade.makers[0]!.kind,
    fee: formatUsdc(trade.fee),
    timestamp: Math.floor(trade.at / 1000),
    timestamp_iso: iso(trade.at),
    transaction_hash: transactionHash(ctx.venue.stream, trade.seq, trade.n),
    taker_address: walletOf(trade.taker.account, trade.taker.by),
    event_slug: market.metadata.event.slug,
    title: market.metadata.question,
    slug: market.questionSlug,
    seq: trade.seq,
  }
}

/** Trades of the caller, newest first, as taker and as maker. Waits until history knows what the caller did last. */
export async function listOwnTrades(
  ctx: Context,
  trader: Trader,
  { query }: { query: TradesQuery & { id?: string | undefined; maker_address?: Hex | undefined } },
) {
  await ctx.venue.readModel.waitFor(ctx.exchange.seq)
  const filter = filterOf(ctx, query)
  const page = filter
    ? await rows(query.next_cursor, (cursor) => ctx.venue.readModel.tradesOf(trader.account, filter, { limit: PAGE, cursor }))
    : { rows: [], next: null }
  const token = query.asset_id === undefined ? null : ctx.markets.token(query.asset_id)
  const data = page.rows
    .map((trade) => ownTrade(ctx, trader.account, trade))
    .filter((trade) => !token || trade.asset_id === token.id || trade.maker_orders.some((maker) => maker.asset_id === token.id))
    .filter((trade) => query.maker_address === undefined || isMaker(trade, query.maker_address))
  return { limit: PAGE, count: data.length, next_cursor: page.next ?? LAST_CURSOR, data }
}

const isMaker = (trade: OwnTrade, address: Hex): boolean =>
  [trade.maker_address, ...trade.maker_orders.map((maker) => maker.maker_address)].some((maker) => maker.toLowerCase() === address)

function ownTrade(ctx: Context, account: Hex, trade: TradeRecord): OwnTrade {
  const market = ctx.markets.market(trade.condition)!
  const seconds = String(Math.floor(trade.at / 1000))
  const taker = trade.taker.account === account
  const own = taker ? null : trade.makers.find((maker) => maker.account === account)!
  const by = own?.by ?? trade.taker.by
  return {
    id: trade.id,
    taker_order_id: trade.taker.orderId,
    market: trade.condition,
    asset_id: market.tokens[trade.outcome],
    side: trade.side,
    size: formatLots(trade.lots),
    fee_rate_bps: String(trade.feeBps),
    price: formatPrice(trade.price),
    status: 'CONFIRMED',
    match_time: seconds,
    match_time_iso: iso(trade.at),
    last_update: seconds,
    outcome: market.outcomes[trade.outcome],
    bucket_index: 0,
    owner: by.owner,
    maker_address: walletOf(own?.account ?? trade.taker.account, by),
    maker_orders: trade.makers.map((maker) => ({
      order_id: maker.orderId,
      owner: maker.by.owner,
      maker_address: walletOf(maker.account, maker.by),
      matched_amount: formatLots(maker.lots),
      price: formatPrice(maker.price),
      fee_rate_bps: '0',
      asset_id: market.tokens[maker.outcome],
      outcome: market.outcomes[maker.outcome],
      side: maker.side,
    })),
    transaction_hash: transactionHash(ctx.venue.stream, trade.seq, trade.n),
    trader_side: taker ? 'TAKER' : 'MAKER',
    fee: formatUsdc(taker ? trade.fee : 0),
    seq: trade.seq,
  }
}
