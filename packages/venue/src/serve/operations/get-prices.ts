import { formatDecimal, formatPrice } from '@augury/units/decimal'
import { displayedPrice } from '@augury/units/displayed-price'
import { ONE } from '@augury/units/price'
import type { LastTrade, TokenPrices } from '@augury/wire/book'
import { ServiceError } from '@augury/wire/service-error'
import type { TokenBatch } from '@augury/wire/token-batch'
import { lastTradeOf, type Token } from '../../base/books.ts'
import type { Visitor } from '../access/identity.ts'
import type { Context } from './context.ts'
import { findToken, tokenIds, tokenOf } from './get-books.ts'

type OneToken = { query: { token_id: string } }
type Batch = { body: TokenBatch }
type Several = { query: { token_id?: string[] | undefined; token_ids?: string[] | undefined } }

/** Tokens of a query, each once. */
const namedIn = ({ query: { token_id = [], token_ids = [] } }: Several): string[] => [...new Set([...token_id, ...token_ids])]

/** Best bid and ask of a token in steps; null where there is none. After the resolution both are what it pays. */
function topOf(ctx: Context, { condition: id, outcome }: Token): { bid: number | null; ask: number | null } {
  const condition = ctx.exchange.condition(id)
  if (condition?.mode === 'resolved') {
    const payout = outcome === 0 ? condition.weight! : ONE - condition.weight!
    return { bid: payout, ask: payout }
  }
  const { bids, asks } = ctx.exchange.depth(id, outcome, 1)
  return { bid: bids[0]?.[0] ?? null, ask: asks[0]?.[0] ?? null }
}

const spreadOf = (ctx: Context, token: Token): string => {
  const { bid, ask } = topOf(ctx, token)
  return bid === null || ask === null ? '0' : formatPrice(ask - bid)
}

/**
 * The middle of best bid and ask. A book of one side has the price that the site displays; without an order and a trade there is none, and the
 * answer is null.
 */
function midpointOf(ctx: Context, token: Token): string | null {
  const { bid, ask } = topOf(ctx, token)
  if (bid !== null && ask !== null) return formatDecimal((bid + ask) * 5, 5)
  const trade = ctx.exchange.condition(token.condition)?.lastTrade
  const shown = displayedPrice({ bid, ask, last: trade ? lastTradeOf(trade, token.outcome).price : null })
  return shown === null ? null : formatDecimal(shown * 10, 5)
}

const lastOf = (ctx: Context, token: Token): LastTrade | null => {
  const trade = ctx.exchange.condition(token.condition)?.lastTrade
  if (!trade) return null
  const { price, side } = lastTradeOf(trade, token.outcome)
  return { token_id: token.id, price: formatPrice(price), side }
}

/** Values of the known tokens that have one. */
const byToken = (ctx: Context, ids: string[], priceOf: (token: Token) => string | null): Record<string, string> =>
  Object.fromEntries(
    ids.flatMap((id) => {
      const token = findToken(ctx, id)
      const value = token && priceOf(token)
      return value === null ? [] : [[id, value]]
    }),
  )

/** Best ask minus best bid of each token; "0" when a side is empty or the token is unknown. */
export async function getSpreads(ctx: Context, _: Visitor, { body }: Batch): Promise<Record<string, string>> {
  const ids = tokenIds(body)
  return { ...Object.fromEntries(ids.map((id) => [id, '0'])), ...byToken(ctx, ids, (token) => spreadOf(ctx, token)) }
}

/** Best ask minus best bid. */
export const getSpread = async (ctx: Context, _: Visitor, { query }: OneToken) => ({ spread: spreadOf(ctx, tokenOf(ctx, query.token_id)) })

/** Middle between best bid and ask. Throws `unknown_token`, also for a token without a price. */
export async function getMidpoint(ctx: Context, _: Visitor, { query }: OneToken) {
  const mid = midpointOf(ctx, tokenOf(ctx, query.token_id))
  if (mid === null) throw new ServiceError('unknown_token')
  return { mid }
}

/** The same of many tokens; those that are unknown or have no price are left out. */
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

/** Price and side of the last trade; null and no side for a token that never traded. */
export async function getLastTradePrice(
  ctx: Context,
  _: Visitor,
  { query }: OneToken,
): Promise<{ price: string | null; side: 'BUY' | 'SELL' | '' }> {
  const last = lastOf(ctx, tokenOf(ctx, query.token_id))
  return last ? { price: last.price, side: last.side } : { price: null, side: '' }
}

const priceOf = (steps: number | null): string | null => (steps === null ? null : formatPrice(steps))

/** Best bid for BUY and best ask for SELL; null for an empty side. */
export async function getPrice(ctx: Context, _: Visitor, { query }: { query: { token_id: string; side: 'BUY' | 'SELL' } }) {
  const { bid, ask } = topOf(ctx, tokenOf(ctx, query.token_id))
  const [best_bid, best_ask] = [priceOf(bid), priceOf(ask)]
  return { price: query.side === 'BUY' ? best_bid : best_ask, best_bid, best_ask }
}

/** The same of many tokens, narrowed to the sides that were named. */
export async function getPrices(ctx: Context, _: Visitor, { body }: Batch): Promise<TokenPrices> {
  const prices: TokenPrices = {}
  for (const { token_id, side } of body) {
    const token = findToken(ctx, token_id)
    if (!token) continue
    const { bid, ask } = topOf(ctx, token)
    const wanted = side?.toUpperCase()
    prices[token_id] = {
      ...prices[token_id],
      ...(wanted === 'SELL' ? {} : { BUY: priceOf(bid) }),
      ...(wanted === 'BUY' ? {} : { SELL: priceOf(ask) }),
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
