import type { CatalogueEvent, CatalogueMarket, CatalogueTag } from '@augury/wire/catalogue'
import type { Input, Output } from '@augury/wire/operation'
import type { catalogueOperations } from '@augury/wire/operations/catalogue'
import { ServiceError } from '@augury/wire/service-error'
import { inTurns } from '../../base/in-turns.ts'
import type { Visitor } from '../access/identity.ts'
import { added, type ListedEvent, type ListedMarket, type Totals } from '../reference/catalogue.ts'
import {
  catalogueMarketView,
  eventMarketView,
  eventView,
  isOver,
  type SeenEvent,
  type SeenMarket,
  tagViews,
} from '../views/catalogue-view.ts'
import { isClosed } from '../views/market-view.ts'
import type { Context } from './context.ts'
import { type EventQuery, eventsAskedFor, inOrder, isInBounds, type MarketQuery, marketsAskedFor, pageAfter } from './select-catalogue.ts'

type Asked<Name extends keyof typeof catalogueOperations> = Input<(typeof catalogueOperations)[Name]>
type Answered<Name extends keyof typeof catalogueOperations> = Output<(typeof catalogueOperations)[Name]>
/** Markets that are shown in one turn of the event loop, and events or markets that are looked at. */
const SHOWN_AT_ONCE = 50
const SEEN_AT_ONCE = 250
type SumsOf = (condition: ListedMarket['market']['condition']) => Totals

/** A market as it is now; null if the engine does not have it yet. */
function seenMarket({ exchange }: Context, sumsOf: SumsOf, listed: ListedMarket): SeenMarket | null {
  const condition = exchange.condition(listed.market.condition)
  return condition && { listed, condition, totals: sumsOf(listed.market.condition) }
}

/** The same of an event; null if the engine has none of its markets. */
function seenEvent(ctx: Context, sumsOf: SumsOf, listed: ListedEvent): SeenEvent | null {
  const markets = listed.markets.flatMap((market) => seenMarket(ctx, sumsOf, market) ?? [])
  if (markets.length === 0) return null
  const totals = added(markets.map((market) => market.totals))
  const { negRiskMarketId } = listed.markets[0]!.market
  // Money behind conversions backs the shares of all markets of an event together, and of none alone.
  const shared = negRiskMarketId === null ? 0 : (ctx.exchange.event(negRiskMarketId)?.cash ?? 0)
  return { listed, markets, totals: { ...totals, openInterest: totals.openInterest + shared } }
}

/** Events that a list selects, of all or of some. */
export async function eventsOf(ctx: Context, query: EventQuery, among?: readonly ListedEvent[]): Promise<SeenEvent[]> {
  const sumsOf = await ctx.catalogue.sums()
  const { closed, liquidity_min, liquidity_max, volume_min, volume_max } = query
  const bounds = { closed, liquidity: [liquidity_min, liquidity_max], volume: [volume_min, volume_max] } as const
  const isAskedFor = eventsAskedFor(query)
  return inTurns(among ?? (await ctx.catalogue.index()).events, SEEN_AT_ONCE, (listed) => {
    const event = isAskedFor(listed) ? seenEvent(ctx, sumsOf, listed) : null
    return event && isInBounds(event, isOver(event), bounds) ? event : null
  })
}

async function marketsOf(ctx: Context, query: MarketQuery): Promise<SeenMarket[]> {
  const sumsOf = await ctx.catalogue.sums()
  const { closed, liquidity_num_min, liquidity_num_max, volume_num_min, volume_num_max } = query
  const bounds = { closed, liquidity: [liquidity_num_min, liquidity_num_max], volume: [volume_num_min, volume_num_max] } as const
  const isAskedFor = marketsAskedFor(query)
  return inTurns((await ctx.catalogue.index()).markets, SEEN_AT_ONCE, (listed) => {
    const market = isAskedFor(listed) ? seenMarket(ctx, sumsOf, listed) : null
    return market && isInBounds(market, isClosed(market.condition), bounds) ? market : null
  })
}

/** Events with their markets. */
export async function eventViews({ exchange, venue }: Context, events: readonly SeenEvent[]): Promise<CatalogueEvent[]> {
  const markets = events.flatMap((event) => event.markets)
  const views = await inTurns(markets, SHOWN_AT_ONCE, (market) => eventMarketView(exchange, market, venue.now()))
  let shown = 0
  return events.map((event) => {
    const from = shown
    shown += event.markets.length
    return eventView(event, views.slice(from, shown))
  })
}

/** Markets with their events; those of an event share one look at it. */
async function marketViews(ctx: Context, markets: readonly SeenMarket[], withTags: boolean): Promise<CatalogueMarket[]> {
  const sumsOf = await ctx.catalogue.sums()
  const events = new Map<ListedEvent, SeenEvent>()
  return inTurns(markets, SHOWN_AT_ONCE, (market) => {
    const { event } = market.listed
    const seen = events.get(event) ?? seenEvent(ctx, sumsOf, event)!
    events.set(event, seen)
    return catalogueMarketView(ctx.exchange, market, seen, withTags, ctx.venue.now())
  })
}

/** Events in pages that are counted. */
export async function listCatalogueEvents(ctx: Context, _: Visitor, { query }: Asked<'listCatalogueEvents'>): Promise<CatalogueEvent[]> {
  const { limit, offset, ...asked } = query
  return eventViews(ctx, inOrder(await eventsOf(ctx, asked), asked).slice(offset, offset + limit))
}

/** The same, with how many there are. */
export async function countCatalogueEvents(
  ctx: Context,
  _: Visitor,
  { query }: Asked<'countCatalogueEvents'>,
): Promise<Answered<'countCatalogueEvents'>> {
  const { limit, offset, ...asked } = query
  const found = inOrder(await eventsOf(ctx, asked), asked)
  const data = await eventViews(ctx, found.slice(offset, offset + limit))
  return { data, pagination: { hasMore: found.length > offset + limit, totalResults: found.length } }
}

/** Events in pages that follow each other. */
export async function followCatalogueEvents(
  ctx: Context,
  _: Visitor,
  { query }: Asked<'followCatalogueEvents'>,
): Promise<Answered<'followCatalogueEvents'>> {
  const { page, ...next } = pageAfter('catalogue-events', await eventsOf(ctx, query), query)
  return { events: await eventViews(ctx, page), ...next }
}

/** Markets in pages that are counted. */
export async function listCatalogueMarkets(ctx: Context, _: Visitor, { query }: Asked<'listCatalogueMarkets'>): Promise<CatalogueMarket[]> {
  const { limit, offset, ...asked } = query
  return marketViews(ctx, inOrder(await marketsOf(ctx, asked), asked).slice(offset, offset + limit), query.include_tag)
}

/** Markets in pages that follow each other. */
export async function followCatalogueMarkets(
  ctx: Context,
  _: Visitor,
  { query }: Asked<'followCatalogueMarkets'>,
): Promise<Answered<'followCatalogueMarkets'>> {
  const { page, ...next } = pageAfter('catalogue-markets', await marketsOf(ctx, query), query)
  return { markets: await marketViews(ctx, page, query.include_tag), ...next }
}

/** The first event that passes a test. Throws `unknown_event`. */
async function oneEvent(ctx: Context, passes: (event: ListedEvent) => boolean): Promise<SeenEvent> {
  const sumsOf = await ctx.catalogue.sums()
  const listed = (await ctx.catalogue.index()).events.find(passes)
  const seen = listed && seenEvent(ctx, sumsOf, listed)
  if (!seen) throw new ServiceError('unknown_event')
  return seen
}

async function oneEventView(ctx: Context, passes: (event: ListedEvent) => boolean): Promise<CatalogueEvent> {
  const [view] = await eventViews(ctx, [await oneEvent(ctx, passes)])
  return view!
}

/** The first market that passes a test. Throws `unknown_market`. */
async function oneMarket(ctx: Context, passes: (market: ListedMarket) => boolean): Promise<SeenMarket> {
  const sumsOf = await ctx.catalogue.sums()
  const listed = (await ctx.catalogue.index()).markets.find(passes)
  const seen = listed && seenMarket(ctx, sumsOf, listed)
  if (!seen) throw new ServiceError('unknown_market')
  return seen
}

/** A test for the number in a path. Nothing passes it when that is no number. */
export function numbered({ params }: { params: { id: string } }): (row: { number: number }) => boolean {
  const asked = /^(0|[1-9]\d{0,15})$/.test(params.id) ? Number(params.id) : null
  return ({ number }) => number === asked
}

/** One event by its number. */
export const getCatalogueEvent = (ctx: Context, _: Visitor, input: Asked<'getCatalogueEvent'>): Promise<CatalogueEvent> =>
  oneEventView(ctx, numbered(input))

/** One event by its slug; of several creators’ the first. */
export const getCatalogueEventBySlug = (ctx: Context, _: Visitor, { params }: Asked<'getCatalogueEventBySlug'>): Promise<CatalogueEvent> =>
  oneEventView(ctx, ({ slug }) => slug === params.slug)

/** Tags of an event. */
export const listCatalogueEventTags = async (ctx: Context, _: Visitor, input: Asked<'listCatalogueEventTags'>): Promise<CatalogueTag[]> =>
  tagViews((await oneEvent(ctx, numbered(input))).listed)

/** One market by its number. */
export async function getCatalogueMarket(ctx: Context, _: Visitor, input: Asked<'getCatalogueMarket'>): Promise<CatalogueMarket> {
  const [view] = await marketViews(ctx, [await oneMarket(ctx, numbered(input))], input.query.include_tag)
  return view!
}

/** One market by its slug; of several creators’ the first. */
export async function getCatalogueMarketBySlug(
  ctx: Context,
  _: Visitor,
  { params, query }: Asked<'getCatalogueMarketBySlug'>,
): Promise<CatalogueMarket> {
  const [view] = await marketViews(ctx, [await oneMarket(ctx, ({ market }) => market.questionSlug === params.slug)], query.include_tag)
  return view!
}

/** Tags of a market: those of its event. */
export const listCatalogueMarketTags = async (ctx: Context, _: Visitor, input: Asked<'listCatalogueMarketTags'>): Promise<CatalogueTag[]> =>
  tagViews((await oneMarket(ctx, numbered(input))).listed.event)
