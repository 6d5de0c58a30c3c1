import type { Exchange } from '@augury/engine/exchange'
import type { ConditionView } from '@augury/engine/views'
import { formatDecimal, formatPrice, formatUsdc } from '@augury/units/decimal'
import { LOTS_PER_SHARE } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import type {
  CatalogueEvent,
  CatalogueEventBrief,
  CatalogueEventMarket,
  CatalogueMarket,
  CatalogueSeries,
  CatalogueTag,
} from '@augury/wire/catalogue'
import { getAddress } from 'viem'
import { lastTradeOf } from '../../base/books.ts'
import type { ListedEvent, ListedMarket, Totals } from '../reference/catalogue.ts'
import { isClosed, shownPrice, takesOrders } from './market-view.ts'
import { usdcNumber } from './position-view.ts'

/** A market that the engine has, with its sums. */
export interface SeenMarket {
  listed: ListedMarket
  condition: ConditionView
  totals: Totals
}
/** An event with those of its markets that the engine has, at least one. */
export interface SeenEvent {
  listed: ListedEvent
  markets: readonly SeenMarket[]
  totals: Totals
}

const states = (closed: boolean) => ({ active: true as const, closed, archived: false as const })
const marks = { new: false, featured: false, restricted: false, cyom: false } as const
const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** Returns whether trading is over in all markets of an event. */
export const isOver = ({ markets }: SeenEvent): boolean => markets.every(({ condition }) => isClosed(condition))

/** A tag. */
export const tagView = ({ number, slug, name }: ListedEvent['tags'][number]): CatalogueTag => ({ id: String(number), label: name, slug })

/** Tags of an event. */
export const tagViews = ({ tags }: ListedEvent): CatalogueTag[] => tags.map(tagView)

/** A series of events. */
export const seriesView = ({ number, slug }: NonNullable<ListedEvent['series']>): CatalogueSeries => ({
  id: String(number),
  ticker: slug,
  slug,
  title: slug,
  active: true,
  closed: false,
  archived: false,
})

/** Prices of the Yes token, 0 … 1. */
function pricesOf(exchange: Exchange, { listed: { market }, condition }: SeenMarket) {
  const { bids, asks } = exchange.depth(market.condition, 0, 1)
  const [bid, ask] = [bids[0]?.[0] ?? 0, asks[0]?.[0] ?? ONE]
  const last = condition.lastTrade ? lastTradeOf(condition.lastTrade, 0).price : 0
  return { bestBid: bid / ONE, bestAsk: ask / ONE, spread: (ask - bid) / ONE, lastTradePrice: last / ONE }
}

/** Displayed prices are steps, or halves of them. */
const priceText = (price: number): string => formatDecimal(Math.round(price * ONE * 2) * 5, 5)

/** Returns the prices of both tokens; null without one. */
const pricesText = (prices: (number | null)[]): string | null =>
  prices.some((price) => price === null) ? null : JSON.stringify(prices.map((price) => priceText(price!)))

function resolutionOf({
  listed: { market },
  condition,
}: SeenMarket): Pick<CatalogueEventMarket, 'umaResolutionStatus' | 'umaResolutionStatuses'> {
  const { status } = market.resolution
  const shown = condition.mode === 'resolved' ? 'resolved' : status === 'proposed' || status === 'disputed' ? status : ''
  return { umaResolutionStatus: shown, umaResolutionStatuses: JSON.stringify(shown === '' ? [] : [shown]) }
}

function volumesOf({ volume, volume24h, liquidity }: Totals) {
  const [all, day, behind] = [usdcNumber(volume), usdcNumber(volume24h), usdcNumber(liquidity)]
  return {
    volume: formatUsdc(volume),
    volumeNum: all,
    volumeClob: all,
    volume24hr: day,
    volume24hrClob: day,
    liquidity: formatUsdc(liquidity),
    liquidityNum: behind,
    liquidityClob: behind,
  }
}

/** A market as a part of its event. */
export function eventMarketView(exchange: Exchange, seen: SeenMarket, now: number): CatalogueEventMarket {
  const { listed, condition, totals } = seen
  const { market } = listed
  const { metadata } = market
  const [startDate, endDate] = [iso(listed.startsAt), iso(listed.endsAt)]
  return {
    id: String(listed.number),
    question: metadata.question,
    conditionId: market.condition,
    questionID: market.questionId,
    marketMakerAddress: '',
    slug: market.questionSlug,
    groupItemTitle: metadata.short_title,
    description: [metadata.description, metadata.rules].filter((text) => text !== '').join('\n\n'),
    resolutionSource: metadata.resolution_source_url || metadata.resolution_source,
    category: metadata.event.tags[0]?.name ?? '',
    image: metadata.icon,
    icon: metadata.icon,
    startDate,
    startDateIso: startDate.slice(0, 10),
    endDate,
    endDateIso: endDate.slice(0, 10),
    createdAt: iso(listed.createdAt),
    updatedAt: iso(listed.updatedAt),
    outcomes: JSON.stringify(market.outcomes),
    outcomePrices: pricesText(([0, 1] as const).map((outcome) => shownPrice(exchange, market, condition, outcome))),
    clobTokenIds: JSON.stringify(market.tokens),
    ...states(isClosed(condition)),
    ...marks,
    acceptingOrders: takesOrders(market, condition, now),
    acceptingOrdersTimestamp: iso(listed.createdAt),
    enableOrderBook: true,
    ...pricesOf(exchange, seen),
    ...volumesOf(totals),
    orderPriceMinTickSize: Number(formatPrice(condition.grid)),
    orderMinSize: condition.minLots / LOTS_PER_SHARE,
    secondsDelay: 0,
    makerBaseFee: 0,
    takerBaseFee: 0,
    feesEnabled: condition.feeBps > 0,
    feeSchedule: { rate: condition.feeBps / ONE, exponent: 1, takerOnly: true, rebateRate: condition.rebateBps / ONE },
    rewardsMinSize: 0,
    rewardsMaxSpread: 0,
    clobRewards: [],
    negRisk: condition.event !== null,
    negRiskMarketID: market.negRiskMarketId ?? '',
    negRiskRequestID: '',
    negRiskOther: false,
    ...resolutionOf(seen),
    resolvedBy: getAddress(market.creator),
  }
}

/** An event without its markets. */
function eventBriefView(seen: SeenEvent): CatalogueEventBrief {
  const { listed, markets, totals } = seen
  const first = listed.markets[0]!.market
  const { event } = first.metadata
  const liquidity = usdcNumber(totals.liquidity)
  const negRisk = markets.some(({ condition }) => condition.event !== null)
  return {
    id: String(listed.number),
    ticker: listed.slug,
    slug: listed.slug,
    title: event.title,
    description: event.rules,
    resolutionSource: first.metadata.resolution_source_url,
    startDate: iso(listed.startsAt),
    creationDate: iso(listed.createdAt),
    endDate: iso(listed.endsAt),
    image: event.icon,
    icon: event.icon,
    ...states(isOver(seen)),
    ...marks,
    liquidity,
    liquidityClob: liquidity,
    volume: usdcNumber(totals.volume),
    volume24hr: usdcNumber(totals.volume24h),
    openInterest: usdcNumber(totals.openInterest),
    category: listed.tags[0]?.name ?? '',
    createdAt: iso(listed.createdAt),
    updatedAt: iso(listed.updatedAt),
    enableOrderBook: true,
    negRisk,
    enableNegRisk: negRisk,
    negRiskMarketID: first.negRiskMarketId ?? '',
    commentCount: 0,
    seriesSlug: listed.series?.slug ?? '',
  }
}

/** An event with its markets. */
export const eventView = (seen: SeenEvent, markets: CatalogueEventMarket[]): CatalogueEvent => ({
  ...eventBriefView(seen),
  tags: tagViews(seen.listed),
  series: seen.listed.series ? [seriesView(seen.listed.series)] : [],
  markets,
})

/** A market with its event. */
export const catalogueMarketView = (
  exchange: Exchange,
  seen: SeenMarket,
  event: SeenEvent,
  withTags: boolean,
  now: number,
): CatalogueMarket => ({
  ...eventMarketView(exchange, seen, now),
  events: [eventBriefView(event)],
  ...(withTags ? { tags: tagViews(event.listed) } : {}),
})
