import { conditionId, questionId } from '@augury/signing/ids'
import { parseDecimal, parsePrice } from '@augury/units/decimal'
import { ONE } from '@augury/units/price'
import type { Market } from '@augury/wire/market'
import type { Listing } from '../catalogue/listing.ts'
import { Unusable } from '../jobs/market-batches.ts'
import { plainLine } from '../outbound/plain-text.ts'

/** What the exchange says of a condition, by column name. Prices in steps. */
export interface MarketState {
  condition_id: string
  is_open: boolean
  grid: number
  min_lots: number
  fee_bps: number
  end_time: string
  /** What a Yes lot pays; null until resolved. */
  weight: number | null
  resolution_flagged: boolean
  resolution_paused: boolean
}

/** The most lots that the column of a market's smallest order holds: about half of the largest order there is. */
const MOST_STORED = 2_147_483_647

/** Reads the state of a market. Throws `Unusable` or a `DecimalError`. */
export function toState(market: Market): MarketState {
  const { condition_id, mode, resolution_price: price, end_date_iso } = market
  if (end_date_iso === null) throw new Unusable('a market without an end')
  const resolved = mode === 'resolved'
  if (resolved !== (price !== null)) throw new Unusable(`${mode}, and pays ${price}`)
  const minLots = parseDecimal(String(market.minimum_order_size), 2)
  if (minLots > MOST_STORED) throw new Unusable(`a smallest order of ${market.minimum_order_size} shares`)
  return {
    condition_id: condition_id.toLowerCase(),
    is_open: mode === 'open',
    grid: parsePrice(String(market.minimum_tick_size)),
    min_lots: minLots,
    fee_bps: market.fee_rate_bps,
    end_time: end_date_iso,
    weight: price === null ? null : parseDecimal(String(price), 4),
    resolution_flagged: market.resolution_flagged,
    resolution_paused: market.resolution_paused,
  }
}

/** The markets of one event as the exchange describes them, ready to be stored. Throws `Unusable`. */
export function toListing(markets: readonly Market[]): Listing {
  const { event, neg_risk, neg_risk_market_id, creator } = markets[0]!
  const ends = markets.map(({ end_date_iso }) => new Date(end_date_iso!))
  return {
    place: `${creator}/${event.slug}`,
    slug: event.slug,
    title: readable(event.title, 'title'),
    negRisk: neg_risk,
    ...(neg_risk ? { negRiskMarketId: neg_risk_market_id } : {}),
    tags: event.tags.map(({ slug, name }) => ({ slug: slug.slice(0, 80).replace(/-$/, ''), label: name })),
    rules: event.rules,
    iconUrl: event.icon,
    seriesSlug: event.series_slug,
    isHidden: event.hidden === true,
    startDate: event.start_date === null ? null : new Date(event.start_date),
    endDate: event.end_date === null ? new Date(Math.max(...ends.map(Number))) : new Date(event.end_date),
    rankingSeed: 0,
    markets: markets.map(toListedMarket),
  }
}

function toListedMarket(market: Market): Listing['markets'][number] {
  const [yes, no] = market.tokens
  if (market.tokens.length !== 2 || !yes || !no) throw new Unusable(`${market.tokens.length} outcomes`)
  const condition = conditionId(market.creator, questionId(market.creator, market.market_slug))
  if (condition !== market.condition_id.toLowerCase()) throw new Unusable(`its slug and creator make ${condition}`)
  const { grid, min_lots, fee_bps, end_time } = toState(market)
  return {
    slug: market.market_slug,
    question: readable(market.question, 'question'),
    shortTitle: market.short_title,
    outcomes: [yes.outcome, no.outcome],
    endTime: new Date(end_time),
    grid,
    minLots: min_lots,
    feeBps: fee_bps,
    rules: market.rules,
    resolutionSource: market.resolution_source,
    resolutionSourceUrl: market.resolution_source_url,
    iconUrl: market.icon,
    listingPrice: ONE / 2,
    rankingSeed: 0,
  }
}

/** Returns a required text of a market, or throws. */
function readable(text: string, what: string): string {
  if (plainLine(text, 1) === '') throw new Unusable(`a ${what} of which nothing can be seen`)
  return text
}
