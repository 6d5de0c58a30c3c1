import { setImmediate } from 'node:timers/promises'
import type { Exchange } from '@augury/engine/exchange'
import type { ConditionView } from '@augury/engine/views'
import { formatPrice } from '@augury/units/decimal'
import { ONE } from '@augury/units/price'
import { LAST_CURSOR, PAGE } from '@augury/wire/limits'
import type { ClobMarket, Market, SimplifiedMarket } from '@augury/wire/market'
import { ServiceError } from '@augury/wire/service-error'
import type { Visitor } from '../access/identity.ts'
import { isHidden, type MarketRecord } from '../reference/markets.ts'
import { clobMarketView, marketView, simplifiedMarketView, takesOrders } from '../views/market-view.ts'
import type { Context } from './context.ts'
import { Cursors } from './cursors.ts'
import { tokenOf } from './get-books.ts'

/** Flags of a row by which lists are narrowed. */
const FLAGS = ['active', 'closed', 'archived', 'accepting_orders'] as const
type Paged = { query: { next_cursor?: string | undefined } & { [Flag in (typeof FLAGS)[number]]?: boolean | undefined } }
interface CountedPage<Row> {
  limit: number
  count: number
  next_cursor: string
  data: Row[]
}

/** A registered market by its condition id. Throws `unknown_market`. */
export function marketOf(ctx: Context, id: string): { market: MarketRecord; condition: ConditionView } {
  const market = ctx.markets.market(id)
  const condition = market && ctx.exchange.condition(market.condition)
  if (!market || !condition) throw new ServiceError('unknown_market')
  return { market, condition }
}

/** Markets that are looked at in one turn of the event loop: of very many, few may be open. */
const SEEN_AT_ONCE = 250

/**
 * A page of the registered markets that pass a test, in order of registration. Cursors count markets, so pages never shift. Markets of hidden
 * events are left out, but for servers of our own, which keep them up to date.
 */
async function pageOf<Row extends SimplifiedMarket>(
  ctx: Context,
  { internal }: Visitor,
  list: string,
  { query }: Paged,
  passes: (market: MarketRecord, condition: ConditionView, now: number) => boolean,
  view: (exchange: Exchange, market: MarketRecord, condition: ConditionView, now: number) => Row,
): Promise<CountedPage<Row>> {
  const data: Row[] = []
  const now = ctx.venue.now()
  const cursors = new Cursors(list, query)
  let at = cursors.position(query.next_cursor)
  for (; at < ctx.markets.count && data.length < PAGE; at++) {
    if (at % SEEN_AT_ONCE === SEEN_AT_ONCE - 1) await setImmediate()
    const [market] = ctx.markets.page(at, 1)
    const condition = ctx.exchange.condition(market!.condition)
    if (!condition || (!internal && isHidden(market!)) || !passes(market!, condition, now)) continue
    const row = view(ctx.exchange, market!, condition, now)
    if (FLAGS.every((flag) => query[flag] === undefined || query[flag] === row[flag])) data.push(row)
  }
  const next_cursor = at < ctx.markets.count ? cursors.at(String(at)) : LAST_CURSOR
  return { limit: PAGE, count: data.length, next_cursor, data }
}

const all = () => true

/** All markets but those of hidden events. */
export const listMarkets = (ctx: Context, visitor: Visitor, input: Paged): Promise<CountedPage<Market>> =>
  pageOf(ctx, visitor, 'markets', input, all, marketView)

/** All markets without their texts. */
export const listSimplifiedMarkets = (ctx: Context, visitor: Visitor, input: Paged): Promise<CountedPage<SimplifiedMarket>> =>
  pageOf(ctx, visitor, 'simplified-markets', input, all, simplifiedMarketView)

/** Markets that accept orders. */
export const listSamplingMarkets = (ctx: Context, visitor: Visitor, input: Paged): Promise<CountedPage<Market>> =>
  pageOf(ctx, visitor, 'sampling-markets', input, takesOrders, marketView)

/** Markets that accept orders, without their texts. */
export const listSamplingSimplifiedMarkets = (ctx: Context, visitor: Visitor, input: Paged): Promise<CountedPage<SimplifiedMarket>> =>
  pageOf(ctx, visitor, 'sampling-simplified-markets', input, takesOrders, simplifiedMarketView)

type ById = { params: { condition_id: string } }

/** One market. */
export async function getMarket(ctx: Context, _: Visitor, { params }: ById): Promise<Market> {
  const { market, condition } = marketOf(ctx, params.condition_id)
  return marketView(ctx.exchange, market, condition, ctx.venue.now())
}

/** Trading parameters of a market. */
export async function getClobMarket(ctx: Context, _: Visitor, { params }: ById): Promise<ClobMarket> {
  const { market, condition } = marketOf(ctx, params.condition_id)
  return clobMarketView(market, condition, ctx.venue.now())
}

/** The market of a token, and its two tokens. */
export async function getMarketByToken(ctx: Context, _: Visitor, { params }: { params: { token_id: string } }) {
  const { condition } = tokenOf(ctx, params.token_id)
  const [primary_token_id, secondary_token_id] = ctx.markets.tokensOf(condition)
  return { condition_id: condition as string, primary_token_id, secondary_token_id }
}

type OneToken = { query: { token_id: string } }
const conditionOf = (ctx: Context, { query }: OneToken): ConditionView => ctx.exchange.condition(tokenOf(ctx, query.token_id).condition)!

/** Smallest price step of a token. */
export const getTickSize = async (ctx: Context, _: Visitor, input: OneToken) => ({
  minimum_tick_size: Number(formatPrice(conditionOf(ctx, input).grid)),
})

/** Whether a token's market belongs to an event with a single winner. */
export const getNegRisk = async (ctx: Context, _: Visitor, input: OneToken) => ({ neg_risk: conditionOf(ctx, input).event !== null })

/** The fee that an order must sign, which is zero, and the fee schedule of takers. */
export async function getFeeRate(ctx: Context, _: Visitor, input: OneToken) {
  const { feeBps, rebateBps } = conditionOf(ctx, input)
  return { base_fee: 0, fee_schedule: { rate: feeBps / ONE, exponent: 1, takerOnly: true, rebateRate: rebateBps / ONE } }
}
