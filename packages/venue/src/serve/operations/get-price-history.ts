import { transactionHash } from '@augury/signing/transaction-hash'
import { formatLots, formatPrice } from '@augury/units/decimal'
import type { PriceHistoryRange, PricePoint, TapeTrade } from '@augury/wire/price-history'
import { getAddress } from 'viem'
import type { Token } from '../../base/books.ts'
import { onGrid } from '../../record/history/shown-prices.ts'
import type { Visitor } from '../access/identity.ts'
import { shownPrice } from '../views/market-view.ts'
import type { Context } from './context.ts'
import { findToken, tokenOf } from './get-books.ts'
import { marketOf } from './list-markets.ts'

const MINUTE = 60_000
/** Minutes that each interval looks back, and minutes between two points; shortest first. */
const INTERVALS = {
  '1h': { back: 60, step: 1 },
  '6h': { back: 360, step: 1 },
  '1d': { back: 1440, step: 5 },
  '1w': { back: 10_080, step: 30 },
  '1m': { back: 43_200, step: 180 },
  max: { back: Number.POSITIVE_INFINITY, step: 1440 },
} as const
/** Trades of a tape. */
const TAPE = 100

/** Minutes between two points of the shortest interval that is as long as a range. */
const usualStep = (ms: number): number => Object.values(INTERVALS).find(({ back }) => ms <= back * MINUTE)!.step

/** Begin and end in engine milliseconds, and minutes between points. Without an end, the range ends now. */
function rangeOf(ctx: Context, token: Token, { startTs, endTs, interval, fidelity }: PriceHistoryRange) {
  const now = ctx.venue.now()
  const { back } = INTERVALS[interval === 'all' ? 'max' : (interval ?? (startTs === undefined ? '1d' : 'max'))]
  const born = Date.parse(ctx.markets.market(token.condition)!.createdAt)
  const to = Math.min(endTs === undefined ? now : endTs * 1000, now)
  const from = Math.max(startTs === undefined ? to - back * MINUTE : startTs * 1000, born - MINUTE, 0)
  return { from, to, now, minutes: fidelity ?? usualStep(startTs === undefined && Number.isFinite(back) ? back * MINUTE : to - from) }
}

/**
 * The displayed price of a token at each multiple of the step within a range. A range without an end ends with the price displayed now, if
 * there is one; it is the only point that need not lie on the grid.
 */
async function historyOf(ctx: Context, token: Token, asked: PriceHistoryRange): Promise<PricePoint[]> {
  const { from, to, now, minutes } = rangeOf(ctx, token, asked)
  if (from > to) return []
  const { condition, outcome } = token
  const shown = await ctx.venue.readModel.shownPrices(condition, outcome, { from, to, minutes })
  const seconds = (ms: number) => Math.floor(ms / 1000)
  const points = onGrid(shown, from, to).map(({ at, price }) => ({ t: seconds(at), p: price }))
  if (asked.endTs !== undefined) return points
  const market = ctx.markets.market(condition)!
  const price = shownPrice(ctx.exchange, market, ctx.exchange.condition(condition)!, outcome)
  return price === null ? points : [...points.filter(({ t }) => t < seconds(now)), { t: seconds(now), p: price }]
}

/** Prices of a token. Throws `unknown_token`. */
export async function getPriceHistory(ctx: Context, _: Visitor, { query }: { query: PriceHistoryRange & { market: string } }) {
  const { market, ...asked } = query
  return { history: await historyOf(ctx, tokenOf(ctx, market), asked) }
}

/** Prices of several tokens; unknown ones are left out. */
export async function getPriceHistories(ctx: Context, _: Visitor, { body }: { body: PriceHistoryRange & { markets: string[] } }) {
  const { markets, ...asked } = body
  const found = [...new Set(markets)].flatMap((id) => findToken(ctx, id) ?? [])
  const histories = await Promise.all(found.map(async (token) => [token.id, await historyOf(ctx, token, asked)] as const))
  return { history: Object.fromEntries(histories) }
}

/** The last trades of a market, newest first, in the established shape. Throws `unknown_market`. */
export async function listMarketTape(ctx: Context, _: Visitor, { params }: { params: { condition_id: string } }): Promise<TapeTrade[]> {
  const { market } = marketOf(ctx, params.condition_id)
  const { metadata, tokens, outcomes } = market
  const { rows } = await ctx.venue.readModel.trades({ conditions: [market.condition] }, { limit: TAPE, cursor: null })
  return rows.map((trade) => ({
    event_type: 'trade',
    market: {
      condition_id: market.condition,
      asset_id: tokens[trade.outcome],
      question: metadata.question,
      icon: metadata.icon,
      slug: market.questionSlug,
    },
    user: {
      address: getAddress(trade.taker.by.maker ?? trade.taker.account),
      username: '',
      profile_picture: '',
      optimized_profile_picture: '',
      pseudonym: '',
    },
    side: trade.side,
    size: formatLots(trade.lots),
    fee_rate_bps: String(trade.feeBps),
    price: formatPrice(trade.price),
    outcome: outcomes[trade.outcome],
    outcome_index: trade.outcome,
    transaction_hash: transactionHash(ctx.venue.stream, trade.seq, trade.n),
    timestamp: String(Math.floor(trade.at / 1000)),
    timestamp_iso: new Date(trade.at).toISOString(),
  }))
}
