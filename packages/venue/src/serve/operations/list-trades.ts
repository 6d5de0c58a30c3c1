import type { Hex } from '@augury/engine/command'
import { parseDecimal, parseUsdc } from '@augury/units/decimal'
import { MICROS_PER_LOT } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import { MAX_SUPPLY, MICROS } from '@augury/units/usdc'
import { LAST_CURSOR, PAGE } from '@augury/wire/limits'
import type { OwnTrade, PublicTrade } from '@augury/wire/trade'
import type { Page } from '../../record/history/read-query.ts'
import type { TradeFilter, TradeRecord } from '../../record/history/read-trades.ts'
import type { Trader, Visitor } from '../access/identity.ts'
import { ownTrade, partyTrades, publicTrade } from '../views/trade-view.ts'
import type { Context } from './context.ts'
import { Cursors } from './cursors.ts'

/** USDC, or shares, of which there can never be more. */
const MOST = MAX_SUPPLY / MICROS

interface TradesQuery {
  market?: string | readonly string[] | undefined
  asset_id?: string | undefined
  before?: number | undefined
  after?: number | undefined
  next_cursor?: string | undefined
}

/** The filter of a query; null when it names an unknown market or token, so that there are no trades. */
function filterOf(ctx: Context, query: TradesQuery & { id?: string | undefined }): TradeFilter | null {
  const filter: TradeFilter = {}
  if (query.id !== undefined) filter.id = query.id
  if (query.before !== undefined) filter.before = query.before * 1000
  if (query.after !== undefined) filter.after = query.after * 1000
  if (query.asset_id !== undefined) {
    const token = ctx.markets.token(query.asset_id)
    if (!token) return null
    filter.conditions = [token.condition]
    filter.outcome = token.outcome
  }
  if (query.market !== undefined) {
    const found = [query.market].flat().flatMap((id) => ctx.markets.market(id)?.condition ?? [])
    filter.conditions = filter.conditions ? filter.conditions.filter((condition) => found.includes(condition)) : found
    if (!filter.conditions.length) return null
  }
  return filter
}

/** The least cost and size of trades that are asked for; null where no trade can be that large. */
export function leastOf({ min_usdc, min_shares }: { min_usdc?: string | undefined; min_shares?: string | undefined }) {
  if (Number(min_usdc ?? 0) > MOST || Number(min_shares ?? 0) > MOST) return null
  return {
    ...(min_usdc === undefined ? {} : { minCost: parseUsdc(min_usdc) }),
    ...(min_shares === undefined ? {} : { minLots: Math.ceil(parseDecimal(min_shares, 6) / MICROS_PER_LOT) }),
  }
}

/** A page of a list of trades after a cursor of the same list. */
async function pageOf(
  cursors: Cursors,
  cursor: string | undefined,
  read: (place: string | null) => Promise<Page<TradeRecord>>,
): Promise<{ rows: TradeRecord[]; next_cursor: string }> {
  const place = cursors.place(cursor)
  const { rows, next } = place === 'end' ? { rows: [], next: null } : await read(place)
  return { rows, next_cursor: next === null ? LAST_CURSOR : cursors.at(next) }
}

interface PublicQuery extends TradesQuery {
  user?: Hex | undefined
  side?: 'BUY' | 'SELL' | undefined
  min_usdc?: string | undefined
  min_shares?: string | undefined
  limit: number
  /** Whether each trade is listed once for everybody who took part, in their terms. Not a parameter of the route. */
  parties?: boolean
}

/**
 * Public trades, newest first; with a token, in that token; with an account, in that account's terms. Where neither market, token nor account is
 * named, those in hidden events are left out, but for servers of our own. Waits until history includes everything applied so far.
 */
export async function listTrades(
  ctx: Context,
  { internal }: Visitor,
  { query }: { query: PublicQuery },
): Promise<{ data: PublicTrade[]; next_cursor: string }> {
  const filter = filterOf(ctx, query)
  const least = leastOf(query)
  if (!filter || !least) return { data: [], next_cursor: LAST_CURSOR }
  if (!internal && filter.conditions === undefined && ctx.markets.hidden.length > 0) filter.except = ctx.markets.hidden
  const { readModel } = ctx.venue
  await readModel.waitFor(ctx.exchange.seq)
  const cursors = new Cursors('trades', query)
  if (query.user !== undefined || query.parties) return listParties(ctx, query, filter, least, cursors)
  Object.assign(filter, least)
  if (query.side !== undefined) filter.side = query.side
  const { rows, next_cursor } = await pageOf(cursors, query.next_cursor, (cursor) =>
    readModel.trades(filter, { limit: query.limit, cursor }),
  )
  return {
    data: await settled(
      ctx,
      rows.map((trade) => publicTrade(ctx, trade, filter.outcome)),
    ),
    next_cursor,
  }
}

/** Trades in the terms of an account, or of everybody who took part. What is asked of a row holds in those terms. */
async function listParties(
  ctx: Context,
  query: PublicQuery,
  { outcome, except, ...filter }: TradeFilter,
  { minCost = 0, minLots = 0 }: { minCost?: number; minLots?: number },
  cursors: Cursors,
): Promise<{ data: PublicTrade[]; next_cursor: string }> {
  const account = query.user === undefined ? null : ctx.wallets.accountOf(query.user)
  // No part of a trade is larger than the trade, and no share costs more than 1.
  const lots = Math.max(minLots, Math.ceil(minCost / ONE))
  const wide = { ...filter, ...(lots > 0 ? { minLots: lots } : {}) }
  const { rows, next_cursor } = await pageOf(cursors, query.next_cursor, (cursor) => {
    const page = { limit: query.limit, cursor }
    if (account === null) return ctx.venue.readModel.trades({ ...wide, ...(except && { except }) }, page)
    return ctx.venue.readModel.tradesOf(account, wide, page)
  })
  const data = rows
    .flatMap((trade) => partyTrades(ctx, trade, account))
    .filter(
      (row) =>
        (outcome === undefined || row.outcome_index === outcome) &&
        (query.side === undefined || row.side === query.side) &&
        parseUsdc(row.usdc_size) >= minCost &&
        parseDecimal(row.size, 2) >= minLots,
    )
  return { data: await settled(ctx, data), next_cursor }
}

/** Trades with the root in the vault that settles each. */
async function settled({ venue }: Context, trades: readonly PublicTrade[]): Promise<PublicTrade[]> {
  const found = await venue.readModel.settlements(trades.map(({ seq }) => seq))
  return trades.map((trade) => {
    const root = found.get(trade.seq)
    return { ...trade, settlement: root ? { root: root.n, transaction_hash: root.transaction } : null }
  })
}

/** Trades of the caller as taker and maker, newest first. Waits until history includes everything applied so far. */
export async function listOwnTrades(
  ctx: Context,
  trader: Trader,
  { query }: { query: TradesQuery & { id?: string | undefined } & Parties },
) {
  await ctx.venue.readModel.waitFor(ctx.exchange.seq)
  const filter = filterOf(ctx, query)
  const cursors = new Cursors('own-trades', { ...query, account: trader.account })
  const { rows, next_cursor } = await pageOf(cursors, query.next_cursor, async (cursor) =>
    filter ? ctx.venue.readModel.tradesOf(trader.account, filter, { limit: PAGE, cursor }) : { rows: [], next: null },
  )
  const data = rows.map((trade) => ownTrade(ctx, trader.account, trade)).filter((trade) => isBetween(trade, query))
  return { limit: PAGE, count: data.length, next_cursor, data }
}

/** Wallets to which a list of trades is narrowed; `maker_address` and `maker` are two established names of one filter. */
interface Parties {
  maker_address?: Hex | undefined
  maker?: Hex | undefined
  taker?: Hex | undefined
}

function isBetween(trade: OwnTrade, { maker_address, maker = maker_address, taker }: Parties): boolean {
  const own = trade.maker_address.toLowerCase()
  const makers = [own, ...trade.maker_orders.map((order) => order.maker_address.toLowerCase())]
  return (maker === undefined || makers.includes(maker)) && (taker === undefined || (trade.trader_side === 'TAKER' && taker === own))
}
