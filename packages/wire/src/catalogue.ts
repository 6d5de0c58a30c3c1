import { z } from 'zod'
import { anyDecimal, iso } from './scalars.ts'

/**
 * What clients of the established discovery service read: the shapes of its listings. Lists within a market are JSON in a text, and figures
 * are there as a number and, where a name ends in nothing, as a text too. Numbers of events, tags and series are ours.
 */

/** The number of an event, market, tag or series as text: those of markets and events grow as they are registered. */
export const listedNumber = (complaint?: string) => z.string().regex(/^\d{1,16}$/, complaint)
const number = listedNumber()
const day = z.iso.date()

export const catalogueTag = z.object({ id: number, label: z.string(), slug: z.string() })

/** Events of one kind that follow each other, without end. The exchange knows no more of a series than its slug. */
export const catalogueSeries = z.object({
  id: number,
  ticker: z.string(),
  slug: z.string(),
  title: z.string(),
  active: z.literal(true),
  closed: z.literal(false),
  archived: z.literal(false),
})

const states = { active: z.literal(true), closed: z.boolean(), archived: z.literal(false) }
const marks = { new: z.literal(false), featured: z.literal(false), restricted: z.literal(false), cyom: z.literal(false) }

/** What a market tells of its event. */
export const catalogueEventBrief = z.object({
  id: number,
  ticker: z.string(),
  slug: z.string(),
  title: z.string(),
  /** The rules, or how the event is described. */
  description: z.string(),
  resolutionSource: z.string(),
  startDate: iso,
  creationDate: iso,
  endDate: iso,
  image: z.string(),
  icon: z.string(),
  ...states,
  ...marks,
  liquidity: z.number(),
  liquidityClob: z.number(),
  volume: z.number(),
  volume24hr: z.number(),
  openInterest: z.number(),
  category: z.string(),
  createdAt: iso,
  updatedAt: iso,
  enableOrderBook: z.literal(true),
  negRisk: z.boolean(),
  enableNegRisk: z.boolean(),
  negRiskMarketID: z.string(),
  commentCount: z.literal(0),
  seriesSlug: z.string(),
})

/** A market of an event. */
export const catalogueEventMarket = z.object({
  id: number,
  question: z.string(),
  conditionId: z.string(),
  questionID: z.string(),
  /** There is none: some clients refuse a market that does not say so. */
  marketMakerAddress: z.literal(''),
  slug: z.string(),
  groupItemTitle: z.string(),
  description: z.string(),
  resolutionSource: z.string(),
  category: z.string(),
  image: z.string(),
  icon: z.string(),
  startDate: iso,
  startDateIso: day,
  endDate: iso,
  endDateIso: day,
  createdAt: iso,
  updatedAt: iso,
  /** JSON: the names, prices and tokens of Yes and No. The prices are null without bids, asks or trades. */
  outcomes: z.string(),
  outcomePrices: z.string().nullable(),
  clobTokenIds: z.string(),
  ...states,
  ...marks,
  acceptingOrders: z.boolean(),
  acceptingOrdersTimestamp: iso,
  enableOrderBook: z.literal(true),
  /** Of Yes. Without bids 0, without asks 1, without trades 0. */
  bestBid: z.number(),
  bestAsk: z.number(),
  spread: z.number(),
  lastTradePrice: z.number(),
  volume: anyDecimal,
  volumeNum: z.number(),
  volumeClob: z.number(),
  volume24hr: z.number(),
  volume24hrClob: z.number(),
  /** The cash behind the first levels of the book. */
  liquidity: anyDecimal,
  liquidityNum: z.number(),
  liquidityClob: z.number(),
  orderPriceMinTickSize: z.number(),
  orderMinSize: z.number(),
  secondsDelay: z.literal(0),
  makerBaseFee: z.literal(0),
  takerBaseFee: z.literal(0),
  feesEnabled: z.boolean(),
  feeSchedule: z.object({ rate: z.number(), exponent: z.number(), takerOnly: z.boolean(), rebateRate: z.number() }),
  rewardsMinSize: z.literal(0),
  rewardsMaxSpread: z.literal(0),
  clobRewards: z.array(z.never()),
  negRisk: z.boolean(),
  negRiskMarketID: z.string(),
  negRiskRequestID: z.literal(''),
  negRiskOther: z.literal(false),
  /** Empty until a result is proposed. */
  umaResolutionStatus: z.enum(['', 'proposed', 'disputed', 'resolved']),
  /** JSON: a list of the same, of none or one. */
  umaResolutionStatuses: z.string(),
  resolvedBy: z.string(),
})

/** An event with its markets. */
export const catalogueEvent = catalogueEventBrief.extend({
  tags: z.array(catalogueTag),
  series: z.array(catalogueSeries),
  markets: z.array(catalogueEventMarket),
})

/** A market with its event; with the event's tags if they are asked for. */
export const catalogueMarket = catalogueEventMarket.extend({
  events: z.array(catalogueEventBrief),
  tags: z.array(catalogueTag).optional(),
})

/** The outcome by whose name a search found an event; null when its title or a tag was enough. An addition to the established shape. */
const matchedOutcome = z.object({ conditionId: z.string(), clobTokenId: z.string(), outcomeIndex: z.int(), name: z.string() }).nullable()

/** How many rows a list has, and whether more come after a page. */
export const cataloguePagination = z.object({ hasMore: z.boolean(), totalResults: z.int() })

/** What a search found. People have no names here, so none is found. */
export const catalogueSearch = z.object({
  events: z.array(catalogueEvent.extend({ matchedOutcome })),
  tags: z.array(catalogueTag.extend({ event_count: z.int() })),
  profiles: z.array(z.never()),
  pagination: cataloguePagination,
})

export type CatalogueSearch = z.output<typeof catalogueSearch>
export type CatalogueTag = z.output<typeof catalogueTag>
export type CatalogueSeries = z.output<typeof catalogueSeries>
export type CatalogueEventBrief = z.output<typeof catalogueEventBrief>
export type CatalogueEventMarket = z.output<typeof catalogueEventMarket>
export type CatalogueEvent = z.output<typeof catalogueEvent>
export type CatalogueMarket = z.output<typeof catalogueMarket>
