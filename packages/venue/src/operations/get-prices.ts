import { formatDecimal, formatPrice } from '@augury/units/decimal'
import { ONE } from '@augury/units/price'
import type { LastTrade } from '@augury/wire/book'
import type { TokenBatch } from '@augury/wire/token-batch'
import type { Visitor } from '../access/identity.ts'
import type { Context } from '../context.ts'
import { lastTradeOf, type Token } from '../views/books.ts'
import { findToken, tokenIds, tokenOf } from './get-books.ts'

type OneToken = { query: { token_id: string } }
type Batch = { body: TokenBatch }
type Several = { query: { token_id?: string[] | undefined; token_ids?: string[] | undefined } }

/** Tokens of a query, each once. */
const namedIn = ({ query: { token_id = [], token_ids = [] } }: Several): string[] => [...new Set([...token_id, ...token_ids])]

/** Best bid and ask of a token in steps; null where there is none. */
function topOf(ctx: Context, { condition, outcome }: Token): { bid: number | null; ask: number | null } {
  const { bids, asks } = ctx.exchange.depth(condition, outcome, 1)
  return { bid: bids[0]?.[0] ?? null, ask: asks[0]?.[0] ?? null }
}

const spreadOf = (ctx: Context, token: Token): string => {
  const { bid, ask } = topOf(ctx, token)
  return bid === null || ask === null ? '0' : formatPrice(ask - bid)
}

/** The middle of best bid and ask; an empty side counts as 0 or 1. */
const midpointOf = (ctx: Context, token: Token): string => {
  const { bid, ask } = topOf(ctx, token)
  return formatDecimal(((bid ?? 0) + (ask ?? ONE)) * 5, 5)
}

const lastOf = (ctx: Context, token: Token): LastTrade | null => {
  const trade = ctx.exchange.condition(token.condition)?.lastTrade
  if (!trade) return null
  const { price, side } = lastTradeOf(trade, token.outcome)
  return { token_id: token.id, price: formatPrice(price), side }
}

const byToken = (ctx: Context, ids: string[], value: (token: Token) => string): Record<string, string> =>
  Object.fromEntries(
    ids.flatMap((id) => {
      const token = findToken(ctx, id)
      return token ? [[id, value(token)]] : []
    }),
  )

/** Best ask minus best bid of each token; "0" when a side is empty or the token is unknown. */
export async function getSpreads(ctx: Context, _: Visitor, { body }: Batch): Promise<Record<string, string>> {
  const ids = tokenIds(body)
  return { ...Object.fromEntries(ids.map((id) => [id, '0'])), ...byToken(ctx, ids, (token) => spreadOf(ctx, token)) }
}

/** Best ask minus best bid. */
export const getSpread = async (ctx: Context, _: Visitor, { query }: OneToken) => ({ spread: spreadOf(ctx, tokenOf(ctx, query.token_id)) })

/** Middle between best bid and ask. */
export const getMidpoint = async (ctx: Context, _: Visitor, { query }: OneToken) => ({ mid: midpointOf(ctx, tokenOf(ctx, query.token_id)) })

/** The same of many tokens; unknown ones are left out. */
export const getMidpoints = async (ctx: Context, _: Visitor, { body }: Batch) =>
  byToken(ctx, tokenIds(body), (token) => midpointOf(ctx, token))

/** The same of the tokens of a query. */
export const queryMidpoints = async (ctx: Context, _: Visitor, input: Several) =>
  byToken(ctx, namedIn(input), (token) => midpointOf(ctx, token))

const lastTrades = (ctx: Context, ids: readonly string[]): LastTrade[] =>
  ids.flatMap((id) => {
    const token = findToken(ctx, id)
    return (token && lastOf(ctx, token)) ?? []
  })

/** Last trades of many tokens; those that never traded are left out. */
export const postLastTradesPrices = async (ctx: Context, _: Visitor, { body }: Batch) => lastTrades(ctx, tokenIds(body))

/** The same for tokens named in the query. */
export const getLastTradesPrices = async (ctx: Context, _: Visitor, input: Several) => lastTrades(ctx, namedIn(input))

/** Price and side of the last trade; 0.5 without a side for a token that never traded. */
export async function getLastTradePrice(
  ctx: Context,
  _: Visitor,
  { query }: OneToken,
): Promise<{ price: string; side: 'BUY' | 'SELL' | '' }> {
  const last = lastOf(ctx, tokenOf(ctx, query.token_id))
  return last ? { price: last.price, side: last.side } : { price: '0.5', side: '' }
}

/** Best bid for BUY and best ask for SELL; "0" and "1" stand for an empty side. */
export async function getPrice(ctx: Context, _: Visitor, { query }: { query: { token_id: string; side: 'BUY' | 'SELL' } }) {
  const { bid, ask } = topOf(ctx, tokenOf(ctx, query.token_id))
  const [best_bid, best_ask] = [formatPrice(bid ?? 0), formatPrice(ask ?? ONE)]
  return { price: query.side === 'BUY' ? best_bid : best_ask, best_bid, best_ask }
}

/** The same of many tokens, narrowed to the sides that were named. */
export async function getPrices(ctx: Context, _: Visitor, { body }: Batch): Promise<Record<string, { BUY?: string; SELL?: string }>> {
  const prices: Record<string, { BUY?: string; SELL?: string }> = {}
  for (const { token_id, side } of body) {
    const token = findToken(ctx, token_id)
    if (!token) continue
    const { bid, ask } = topOf(ctx, token)
    const wanted = side?.toUpperCase()
    prices[token_id] = {
      ...prices[token_id],
      ...(wanted === 'SELL' ? {} : { BUY: formatPrice(bid ?? 0) }),
      ...(wanted === 'BUY' ? {} : { SELL: formatPrice(ask ?? ONE) }),
    }
  }
  return prices
}

/** The same of the tokens of a query; a token named twice may have both sides. */
export const queryPrices = (
  ctx: Context,
  visitor: Visitor,
  { query }: { query: Several['query'] & { sides?: ('BUY' | 'SELL')[] | undefined } },
) => {
  const { token_id = [], token_ids = [], sides = [] } = query
  return getPrices(ctx, visitor, { body: [...token_id, ...token_ids].map((id, index) => ({ token_id: id, side: sides[index] })) })
}
