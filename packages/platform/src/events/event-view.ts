import { ONE } from '@augury/units/price'
import { MICROS } from '@augury/units/usdc'
import type { Event } from '@augury/wire/platform/event'
import type { Market, MarketMetadata } from '@augury/wire/platform/market'
import { type Address, getAddress } from 'viem'
import { type PicturedEvent, pictureOfEvent, pictureOfMarket } from '../pictures/pictures.ts'
import type { EventRow, MarketRow } from './event-rows.ts'

const usdc = (micros: string) => Number(micros) / MICROS
/**
 * ISO 8601 of a time, also as PostgreSQL writes it. With a UTC session only a few characters differ: a list has thousands of times, and parsing
 * them as dates would cost most of its making.
 */
function iso(time: string | Date): string {
  if (typeof time !== 'string') return time.toISOString()
  if (time[4] !== '-' || time.length > LONGEST || !time.endsWith('+00')) return new Date(time).toISOString()
  const clock = time.slice(11, -3)
  return `${time.slice(0, 10)}T${clock.length === 8 ? `${clock}.000` : clock.padEnd(12, '0')}Z`
}
const LONGEST = '2000-01-01 00:00:00.000+00'.length

const isoOrNull = (time: string | Date | null) => (time === null ? null : iso(time))
const decimal = (steps: number | null) => (steps === null ? null : steps / ONE)
const mirror = (steps: number | null) => (steps === null ? null : ONE - steps)

let last = { address: '', text: '' }
/** The checksummed form of an address. Remembers the last one, because consecutive ones are mostly the same. */
function checksummed(address: string): string {
  if (last.address !== address) last = { address, text: getAddress(address as Address) }
  return last.text
}

/** An event in the shape of the API. */
export function toEvent(event: EventRow, markets: readonly MarketRow[], isBookmarked = false): Event {
  return {
    id: event.id,
    slug: event.slug,
    title: event.title,
    creator: checksummed(event.creator),
    icon_url: event.icon_url,
    picture: pictureOfEvent(picturedBy(event)),
    show_market_icons: markets.some((market) => market.icon_url !== ''),
    enable_neg_risk: event.neg_risk,
    neg_risk: event.neg_risk,
    neg_risk_market_id: event.neg_risk_market_id,
    status: event.status,
    rules: event.rules,
    series_slug: event.series_slug,
    series_recurrence: event.series_recurrence,
    has_live_chart: event.series_slug !== null,
    active_markets_count: event.active_markets_count,
    total_markets_count: event.total_markets_count,
    volume: usdc(event.volume),
    volume_24h: usdc(event.volume_24h),
    liquidity: usdc(event.liquidity),
    open_interest: openInterestOf(markets),
    start_date: isoOrNull(event.start_date),
    end_date: isoOrNull(event.end_date),
    resolved_at: isoOrNull(event.resolved_at),
    created_at: iso(event.created_at),
    updated_at: iso(event.updated_at),
    markets: inReadingOrder(event, markets).map((market) => toMarket(event, market, markets.length === 1)),
    tags: event.tags,
    main_tag: event.main_tag ?? '',
    is_bookmarked: isBookmarked,
    is_trending: event.is_trending,
  }
}

/** Tags by their slugs, the main category first. */
const picturedBy = ({ original_title, title, icon_url, main_tag, tags }: EventRow): PicturedEvent => ({
  title: original_title ?? title,
  icon_url,
  tags: [...(main_tag === null ? [] : [main_tag]), ...tags.map(({ slug }) => slug)],
})

/** Open interest of an event in USDC: that of its markets, and once what was converted among them. */
function openInterestOf(markets: readonly MarketRow[]): number {
  const own = markets.reduce((sum, { open_interest }) => sum + Number(open_interest), 0)
  return (own + Math.max(0, ...markets.map(({ event_interest }) => Number(event_interest)))) / 1_000_000
}

/** Order of an event's markets: favourites first when exactly one wins, else by end, so that dates read in order. */
function inReadingOrder(event: EventRow, markets: readonly MarketRow[]): MarketRow[] {
  const byChance = (a: MarketRow, b: MarketRow) => (priceOf(b) ?? -1) - (priceOf(a) ?? -1) || b.listing_price - a.listing_price
  const byEnd = (a: MarketRow, b: MarketRow) =>
    a.end_time === b.end_time ? 0 : new Date(a.end_time).getTime() - new Date(b.end_time).getTime()
  const compare = event.neg_risk ? byChance : byEnd
  return markets.toSorted((a, b) => compare(a, b) || a.position - b.position)
}

/** What a share pays, after the resolution; before it the displayed price, or null without bids, asks or trades. */
function priceOf({ weight, price, best_bid, best_ask, last_trade }: MarketRow): number | null {
  if (weight !== null) return weight
  return best_bid === null && best_ask === null && last_trade === null ? null : Number(price)
}

function toMarket(event: EventRow, market: MarketRow, single: boolean): Market {
  const metadata = toMarketMetadata(event, market)
  const [yes, no] = metadata.outcomes
  const { best_bid: bid, best_ask: ask } = market
  const price = priceOf(market)
  return {
    ...metadata,
    event_id: event.id,
    position: market.position,
    icon_url: market.icon_url,
    picture: pictureOfMarket({ name: market.short_title || market.title, icon_url: market.icon_url, single }, picturedBy(event)),
    is_paused: event.paused_at !== null && !market.is_active && !market.is_resolved,
    price: decimal(price),
    probability: price === null ? null : price / 100,
    outcomes: [
      { ...yes!, buy_price: decimal(ask), sell_price: decimal(bid) },
      { ...no!, buy_price: decimal(mirror(bid)), sell_price: decimal(mirror(ask)) },
    ],
  }
}

/** A market as the API's metadata. */
export function toMarketMetadata(event: EventRow, market: MarketRow): MarketMetadata {
  const resolver = checksummed(market.resolver)
  const volume = usdc(market.volume)
  const outcome = (outcome_index: 0 | 1, token_id: string, outcome_text: string, payout: number | null) => ({
    token_id,
    outcome_text,
    outcome_index,
    is_winning_outcome: payout === ONE,
    payout_value: decimal(payout),
  })
  return {
    condition_id: market.condition_id,
    title: market.title,
    slug: market.slug,
    short_title: market.short_title,
    question: market.question,
    market_rules: market.rules,
    resolution_source: market.resolution_source,
    resolution_source_url: market.resolution_source_url,
    resolver,
    end_time: iso(market.end_time),
    is_active: market.is_active,
    is_resolved: market.is_resolved,
    neg_risk: event.neg_risk,
    neg_risk_market_id: event.neg_risk_market_id,
    volume,
    volume_24h: usdc(market.volume_24h),
    condition: {
      id: market.condition_id,
      oracle: resolver,
      question_id: market.question_id,
      outcome_slot_count: 2,
      resolved: market.is_resolved,
      resolution_status: market.resolution_status,
      resolution_price: decimal(market.weight),
      resolution_flagged: market.resolution_flagged,
      resolution_paused: market.resolution_paused,
      resolution_deadline_at: iso(market.resolution_deadline_at),
      volume,
      open_interest: usdc(market.open_interest),
      active_positions_count: market.active_positions_count,
    },
    outcomes: [
      outcome(0, market.yes_token, market.yes_text, market.weight),
      outcome(1, market.no_token, market.no_text, mirror(market.weight)),
    ],
    created_at: iso(market.created_at),
    updated_at: iso(market.updated_at),
  }
}
