import { setImmediate } from 'node:timers/promises'
import type { CatalogueEvent, CatalogueMarket, CatalogueTag } from '@augury/wire/catalogue'
import type { Input, Output } from '@augury/wire/operation'
import type { catalogueOperations } from '@augury/wire/operations/catalogue'
import { ServiceError } from '@augury/wire/service-error'
import type { Visitor } from '../access/identity.ts'
import { added, catalogueOf, type ListedEvent, type ListedMarket, type Totals } from '../catalogue.ts'
import type { Context } from '../context.ts'
import { catalogueMarketView, eventView, isClosed, isOver, type SeenEvent, type SeenMarket, tagViews } from '../views/catalogue-view.ts'
import { type EventQuery, eventsAskedFor, inOrder, isInBounds, type MarketQuery, marketsAskedFor, pageAfter } from './select-catalogue.ts'

type Asked<Name extends keyof typeof catalogueOperations> = Input<(typeof catalogueOperations)[Name]>
type Answered<Name extends keyof typeof catalogueOperations> = Output<(typeof catalogueOperations)[Name]>
/** Markets that are shown in one turn of the event loop. */
const MARKETS_AT_ONCE = 100
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

/** Events that a list selects. */
export async function eventsOf(ctx: Context, query: EventQuery): Promise<SeenEvent[]> {
  const sumsOf = await catalogueOf(ctx).sums()
  const { closed, liquidity_min, liquidity_max, volume_min, volume_max } = query
  const bounds = { closed, liquidity: [liquidity_min, liquidity_max], volume: [volume_min, volume_max] } as const
  return eventsAskedFor(catalogueOf(ctx).index.events, query)
    .flatMap((listed) => seenEvent(ctx, sumsOf, listed) ?? [])
    .filter((event) => isInBounds(event, isOver(event), bounds))
}

async function marketsOf(ctx: Context, query: MarketQuery): Promise<SeenMarket[]> {
  const sumsOf = await catalogueOf(ctx).sums()
  const { closed, liquidity_num_min, liquidity_num_max, volume_num_min, volume_num_max } = query
  const bounds = { closed, liquidity: [liquidity_num_min, liquidity_num_max], volume: [volume_num_min, volume_num_max] } as const
  return marketsAskedFor(catalogueOf(ctx).index.markets, query)
    .flatMap((listed) => seenMarket(ctx, sumsOf, listed) ?? [])
    .filter((market) => isInBounds(market, isClosed(market.condition), bounds))
}

/** Shows events, in several turns of the event loop when they have many markets. */
export async function eventViews({ exchange }: Context, events: readonly SeenEvent[]): Promise<CatalogueEvent[]> {
  const views: CatalogueEvent[] = []
  let markets = 0
  for (const event of events) {
    views.push(eventView(exchange, event))
    markets += event.markets.length
    if (markets < MARKETS_AT_ONCE) continue
    markets = 0
    await setImmediate()
  }
  return views
}

/** Markets with their events; those of an event share one view of it. */
async function marketViews(ctx: Context, markets: readonly SeenMarket[], withTags: boolean): Promise<CatalogueMarket[]> {
  const sumsOf = await catalogueOf(ctx).sums()
  const events = new Map<ListedEvent, SeenEvent>()
  return markets.map((market) => {
    const { event } = market.listed
    const seen = events.get(event) ?? seenEvent(ctx, sumsOf, event)!
    events.set(event, seen)
    return catalogueMarketView(ctx.exchange, market, seen, withTags)
  })
}

/** Events in pages that are counted. */
export async function listCatalogueEvents(ctx: Context, _: Visitor, { query }: Asked<'listCatalogueEvents'>): Promise<CatalogueEvent[]> {
  const { limit, offset, ...asked } = query
  return eventViews(ctx, inOrder(await eventsOf(ctx, asked), asked).slice(offset, offset + limit))
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
  const sumsOf = await catalogueOf(ctx).sums()
  const listed = catalogueOf(ctx).index.events.find(passes)
  const seen = listed && seenEvent(ctx, sumsOf, listed)
  if (!seen) throw new ServiceError('unknown_event')
  return seen
}

/** The first market that passes a test. Throws `unknown_market`. */
async function oneMarket(ctx: Context, passes: (market: ListedMarket) => boolean): Promise<SeenMarket> {
  const sumsOf = await catalogueOf(ctx).sums()
  const listed = catalogueOf(ctx).index.markets.find(passes)
  const seen = listed && seenMarket(ctx, sumsOf, listed)
  if (!seen) throw new ServiceError('unknown_market')
  return seen
}

/** Finds what has the number of a path; nothing, if that is none. */
export function numbered({ params }: { params: { id: string } }): (row: { number: number }) => boolean {
  const asked = /^(0|[1-9]\d{0,15})$/.test(params.id) ? Number(params.id) : null
  return ({ number }) => number === asked
}

/** One event by its number. */
export const getCatalogueEvent = async (ctx: Context, _: Visitor, input: Asked<'getCatalogueEvent'>): Promise<CatalogueEvent> =>
  eventView(ctx.exchange, await oneEvent(ctx, numbered(input)))

/** One event by its slug; of several creators’ the first. */
export const getCatalogueEventBySlug = async (
  ctx: Context,
  _: Visitor,
  { params }: Asked<'getCatalogueEventBySlug'>,
): Promise<CatalogueEvent> => eventView(ctx.exchange, await oneEvent(ctx, ({ slug }) => slug === params.slug))

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
