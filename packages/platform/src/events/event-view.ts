import type { Event } from '@augury/domain/platform/event.entity'
import type { Market } from '@augury/domain/platform/market.entity'
import { ONE } from '@augury/units/price'
import { MICROS } from '@augury/units/usdc'
import type { Event as EventShape } from '@augury/wire/platform/event'
import type { MarketMetadata, Market as MarketShape } from '@augury/wire/platform/market'
import { type Address, getAddress } from 'viem'

/** Days after its end that a market leaves for disputes. */
const DISPUTE_DAYS = 7

const usdc = (micros: number) => micros / MICROS
const decimalPrice = (steps: number) => steps / ONE
const orNull = (steps: number | null | undefined) => (steps === null || steps === undefined ? null : decimalPrice(steps))
const mirrored = (steps: number | null | undefined) => (steps === null || steps === undefined ? null : ONE - steps)
const isoOrNull = (date: Date | null | undefined) => date?.toISOString() ?? null

/** An event as the contract shows it. Load its markets with their outcomes and its tags first; `trendingFloor` in millionths. */
export function toEventShape(event: Event, trendingFloor: number): EventShape {
  const { negRiskMarketId = null } = event
  return {
    id: event.id,
    slug: event.slug,
    title: event.title,
    creator: getAddress(event.creator as Address),
    icon_url: event.iconUrl,
    show_market_icons: event.markets.getItems().some((market) => market.iconUrl !== ''),
    enable_neg_risk: event.negRisk,
    neg_risk: event.negRisk,
    neg_risk_market_id: negRiskMarketId,
    status: event.status,
    rules: event.rules ?? '',
    series_slug: event.seriesSlug ?? null,
    series_recurrence: event.seriesRecurrence ?? null,
    has_live_chart: Boolean(event.seriesSlug),
    active_markets_count: event.activeMarketsCount,
    total_markets_count: event.totalMarketsCount,
    volume: usdc(event.volume),
    volume_24h: usdc(event.volume24h),
    liquidity: usdc(event.liquidity),
    start_date: isoOrNull(event.startDate),
    end_date: isoOrNull(event.endDate),
    resolved_at: isoOrNull(event.resolvedAt),
    created_at: event.createdAt.toISOString(),
    updated_at: event.updatedAt.toISOString(),
    markets: inReadingOrder(event).map((market) => toMarketShape(event, market)),
    tags: event.tags.getItems().map(({ tag }) => ({ id: tag.id, name: tag.name, slug: tag.slug, isMainCategory: tag.isMainCategory })),
    main_tag: event.mainTag?.slug ?? '',
    is_bookmarked: false,
    is_trending: event.volume24h > 0 && event.volume24h >= trendingFloor,
  }
}

/** Favourites first where one market wins; otherwise by end, so that a row of dates reads as one. */
function inReadingOrder(event: Event): Market[] {
  const byChance = (a: Market, b: Market) => b.price - a.price || b.listingPrice - a.listingPrice
  const byEnd = (a: Market, b: Market) => a.endTime.getTime() - b.endTime.getTime()
  const compare = event.negRisk ? byChance : byEnd
  return event.markets.getItems().toSorted((a, b) => compare(a, b) || a.position - b.position)
}

function toMarketShape(event: Event, market: Market): MarketShape {
  const { outcomes, ...metadata } = toMarketMetadata(event, market)
  const buy = [orNull(market.bestAsk), orNull(mirrored(market.bestBid))]
  const sell = [orNull(market.bestBid), orNull(mirrored(market.bestAsk))]
  return {
    ...metadata,
    event_id: event.id,
    icon_url: market.iconUrl,
    price: decimalPrice(market.price),
    probability: market.price / 100,
    outcomes: outcomes.map((outcome) => ({
      ...outcome,
      buy_price: buy[outcome.outcome_index] ?? null,
      sell_price: sell[outcome.outcome_index] ?? null,
    })),
  }
}

/** A market as the law's metadata. Load its outcomes first. */
export function toMarketMetadata(event: Event, market: Market): MarketMetadata {
  const resolver = getAddress(market.resolver as Address)
  const weight = market.weight ?? null
  const deadline = new Date(market.endTime)
  deadline.setUTCDate(deadline.getUTCDate() + DISPUTE_DAYS)
  return {
    condition_id: market.conditionId,
    title: market.title,
    slug: market.slug,
    short_title: market.shortTitle,
    question: market.question,
    market_rules: market.rules ?? '',
    resolution_source: market.resolutionSource,
    resolution_source_url: market.resolutionSourceUrl,
    resolver,
    end_time: market.endTime.toISOString(),
    is_active: market.isActive,
    is_resolved: market.isResolved,
    neg_risk: event.negRisk,
    neg_risk_market_id: event.negRiskMarketId ?? null,
    volume: usdc(market.volume),
    volume_24h: usdc(market.volume24h),
    condition: {
      id: market.conditionId,
      oracle: resolver,
      question_id: market.questionId,
      outcome_slot_count: market.outcomes.length,
      resolved: market.isResolved,
      resolution_status: market.resolutionStatus,
      resolution_price: orNull(weight),
      resolution_flagged: market.resolutionFlagged,
      resolution_paused: market.resolutionPaused,
      resolution_deadline_at: deadline.toISOString(),
      volume: usdc(market.volume),
      open_interest: usdc(market.openInterest),
      active_positions_count: market.activePositionsCount,
    },
    outcomes: market.outcomes.getItems().map(({ tokenId, text, index }) => {
      const payout = index === 0 ? weight : mirrored(weight)
      return {
        token_id: tokenId,
        outcome_text: text,
        outcome_index: index,
        is_winning_outcome: payout === ONE,
        payout_value: orNull(payout),
      }
    }),
    created_at: market.createdAt.toISOString(),
    updated_at: market.updatedAt.toISOString(),
  }
}
