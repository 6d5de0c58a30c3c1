import type { Event } from '@augury/wire/platform/event'
import type { Market } from '@augury/wire/platform/market'
import type { Quote } from '#lib/book/quote.ts'
import { byChance, type MarketRow, marketRow } from '#lib/lists/event-card.ts'

/** A market on its event's page. */
export interface MarketView extends MarketRow {
  /** Token ids of Yes and No. */
  tokens: [string, string]
  question: string
  rules: string
  source: { name: string; url: string } | null
  /** Address of the resolver. */
  resolver: string
  open: boolean
  endsAt: number
}

/** An event for its page. Money in USDC, times in Unix milliseconds. */
export interface EventView {
  id: string
  slug: string
  title: string
  /** Path of its picture on this site. */
  picture: string
  category: { slug: string; name: string } | null
  tags: { slug: string; name: string }[]
  status: Event['status']
  volume: number
  volume24h: number
  openInterest: number
  startsAt: number | null
  endsAt: number | null
  resolvedAt: number | null
  negRisk: boolean
  rules: string
  markets: MarketView[]
  /** Whether the viewing member has saved it. */
  saved: boolean
}

const time = (iso: string | null) => (iso === null ? null : Date.parse(iso))

function marketView(market: Market): MarketView {
  const url = URL.parse(market.resolution_source_url)
  const safe = url?.protocol === 'https:' || url?.protocol === 'http:'
  const row = marketRow(market)
  return {
    ...row,
    tokens: [market.outcomes[0]?.token_id ?? '', market.outcomes[1]?.token_id ?? ''],
    question: market.question,
    rules: market.market_rules,
    source: market.resolution_source || safe ? { name: market.resolution_source || url!.host, url: safe ? url.href : '' } : null,
    resolver: market.resolver,
    open: row.result === null && !row.closed,
    endsAt: Date.parse(market.end_time),
  }
}

/** The parts of an event that its page shows. Markets are in the order of their prices. */
export function eventView(event: Event): EventView {
  const tag = event.tags.find((each) => each.slug === event.main_tag)
  const markets = event.markets.map(marketView)
  return {
    id: event.id,
    slug: event.slug,
    title: event.title,
    picture: event.picture,
    category: tag ? { slug: tag.slug, name: tag.name } : null,
    tags: event.tags.filter((each) => each !== tag).map(({ slug, name }) => ({ slug, name })),
    // As the next sync derives it: trading is over.
    status: event.status === 'active' && !markets.some(({ open }) => open) ? 'archived' : event.status,
    volume: event.volume,
    volume24h: event.volume_24h,
    openInterest: event.open_interest,
    startsAt: time(event.start_date),
    endsAt: time(event.end_date),
    resolvedAt: time(event.resolved_at),
    negRisk: event.neg_risk,
    rules: event.rules,
    markets: markets.sort(byChance),
    saved: event.is_bookmarked,
  }
}

/** The markets of an event in the order of the prices that its page shows, each with its quote. */
export function inShownOrder(event: EventView, quotes: readonly Quote[]): { event: EventView; quotes: Quote[] } {
  const rows = event.markets.map((market, i) => ({ market, quote: quotes[i]!, ...market, percent: quotes[i]!.percent })).sort(byChance)
  return { event: { ...event, markets: rows.map(({ market }) => market) }, quotes: rows.map(({ quote }) => quote) }
}

/** Whether an operator paused trading of an event. */
export const isPaused = ({ markets }: EventView): boolean => markets.some(({ paused }) => paused)

/** Whether shares of both sides of a market were paid. */
export const isSplit = ({ result, outcomes }: MarketView): boolean => result !== null && !outcomes.includes(result)

/** The rules of a market, or else those of its event. */
export const rulesOf = (event: EventView, market: MarketView | null): string => (market?.rules || event.rules).trim()
