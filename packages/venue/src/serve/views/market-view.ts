import type { Exchange } from '@augury/engine/exchange'
import type { ConditionView } from '@augury/engine/views'
import { formatPrice } from '@augury/units/decimal'
import { displayedPrice } from '@augury/units/displayed-price'
import { LOTS_PER_SHARE } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import type { ClobMarket, Market, SimplifiedMarket } from '@augury/wire/market'
import { getAddress } from 'viem'
import { lastTradeOf } from '../../base/books.ts'
import { hasEnded, type MarketRecord } from '../reference/markets.ts'

const rewards = { rates: null, min_size: 0, max_spread: 0 }

/**
 * The displayed price of a token, 0 … 1; after the resolution, what it pays. Null while the market has no open order and never had a trade.
 */
export function shownPrice(exchange: Exchange, market: MarketRecord, condition: ConditionView, outcome: 0 | 1): number | null {
  if (condition.mode === 'resolved') return (outcome === 0 ? condition.weight! : ONE - condition.weight!) / ONE
  const { bids, asks } = exchange.depth(market.condition, outcome, 1)
  const last = condition.lastTrade ? lastTradeOf(condition.lastTrade, outcome).price : null
  const price = displayedPrice({ bid: bids[0]?.[0] ?? null, ask: asks[0]?.[0] ?? null, last })
  return price === null ? null : price / ONE
}

/** Returns whether trading in a market is over. */
export const isClosed = ({ mode }: ConditionView): boolean => mode === 'closed' || mode === 'resolved'

/** Returns whether a market takes orders now: not after its end, even if its operator has not closed it. */
export const takesOrders = (market: MarketRecord, { mode }: ConditionView, now: number): boolean =>
  mode === 'open' && !hasEnded(market, now)

/** A market in the established shape, with our additions. */
export function marketView(exchange: Exchange, market: MarketRecord, condition: ConditionView, now: number): Market {
  const { metadata, resolution } = market
  const resolved = condition.mode === 'resolved'
  const deadline = resolution.deadlineAt ?? new Date(Date.parse(market.endTime) + 7 * 24 * 60 * 60 * 1000).toISOString()
  return {
    ...simplifiedMarketView(exchange, market, condition, now),
    enable_order_book: true,
    accepting_order_timestamp: market.createdAt,
    minimum_order_size: condition.minLots / LOTS_PER_SHARE,
    minimum_tick_size: Number(formatPrice(condition.grid)),
    question_id: market.questionId,
    question: metadata.question,
    description: metadata.description,
    market_slug: market.questionSlug,
    end_date_iso: market.endTime,
    game_start_time: null,
    seconds_delay: 0,
    fpmm: '',
    maker_base_fee: 0,
    taker_base_fee: 0,
    notifications_enabled: true,
    neg_risk: condition.event !== null,
    neg_risk_market_id: market.negRiskMarketId ?? '',
    neg_risk_request_id: '',
    icon: metadata.icon,
    image: metadata.icon,
    is_50_50_outcome: resolved && condition.weight === ONE / 2,
    tags: metadata.event.tags.map(({ name }) => name),
    creator: getAddress(market.creator),
    mode: condition.mode,
    short_title: metadata.short_title,
    rules: metadata.rules,
    resolution_source: metadata.resolution_source,
    resolution_source_url: metadata.resolution_source_url,
    resolution_status: resolution.status,
    resolution_price: resolved ? condition.weight! / ONE : null,
    resolution_flagged: resolution.flagged,
    resolution_paused: resolution.paused,
    resolution_deadline_at: deadline,
    fee_rate_bps: condition.feeBps,
    created_at: market.createdAt,
    updated_at: market.updatedAt,
    event: { ...metadata.event, series_slug: metadata.event.series_slug ?? null },
  }
}

/** A market without its texts. */
export function simplifiedMarketView(exchange: Exchange, market: MarketRecord, condition: ConditionView, now: number): SimplifiedMarket {
  const resolved = condition.mode === 'resolved'
  const winner = resolved && condition.weight === ONE ? 0 : resolved && condition.weight === 0 ? 1 : null
  return {
    condition_id: market.condition,
    tokens: ([0, 1] as const).map((outcome) => ({
      token_id: market.tokens[outcome],
      outcome: market.outcomes[outcome],
      price: shownPrice(exchange, market, condition, outcome),
      winner: outcome === winner,
    })),
    rewards,
    active: !isClosed(condition),
    closed: isClosed(condition),
    archived: false,
    accepting_orders: takesOrders(market, condition, now),
  }
}

/** Trading parameters in the short keys of newer established clients. */
export const clobMarketView = (market: MarketRecord, condition: ConditionView, now: number): ClobMarket => ({
  c: market.condition,
  t: ([0, 1] as const).map((outcome) => ({ t: market.tokens[outcome], o: market.outcomes[outcome] })),
  mts: Number(formatPrice(condition.grid)),
  mos: condition.minLots / LOTS_PER_SHARE,
  mbf: 0,
  tbf: 0,
  nr: condition.event !== null,
  fd: { r: condition.feeBps / ONE, e: 1, to: true },
  r: null,
  ao: takesOrders(market, condition, now),
  gst: null,
  sd: 0,
  cbos: false,
  aot: market.createdAt,
  itode: false,
  ibce: false,
  rfqe: false,
  oas: 0,
})
