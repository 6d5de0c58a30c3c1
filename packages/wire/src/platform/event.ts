import { z } from 'zod'
import { market, picture } from './market.ts'

const iso = z.iso.datetime()

/** A tag of an event. */
export const tag = z.object({ id: z.string(), name: z.string(), slug: z.string(), isMainCategory: z.boolean() })

/** The outcome by whose name a search found an event. */
const matchedOutcome = z.object({ condition_id: z.string(), outcome_index: z.int(), token_id: z.string(), name: z.string() })

/**
 * An event with its markets. Money in USDC; `open_interest` with what was converted among the markets, which counts once. `main_tag` is the slug
 * of its main category, empty when it has none. `matched_outcome` is in results of a search only, and null when the title or a tag was enough.
 */
export const event = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  creator: z.string(),
  icon_url: z.string(),
  picture,
  show_market_icons: z.boolean(),
  enable_neg_risk: z.boolean(),
  neg_risk: z.boolean(),
  neg_risk_market_id: z.string().nullable(),
  status: z.enum(['draft', 'active', 'resolved', 'archived']),
  rules: z.string(),
  series_slug: z.string().nullable(),
  series_recurrence: z.string().nullable(),
  has_live_chart: z.boolean(),
  active_markets_count: z.int(),
  total_markets_count: z.int(),
  volume: z.number(),
  volume_24h: z.number(),
  liquidity: z.number(),
  open_interest: z.number(),
  start_date: iso.nullable(),
  end_date: iso.nullable(),
  resolved_at: iso.nullable(),
  created_at: iso,
  updated_at: iso,
  markets: z.array(market),
  tags: z.array(tag),
  main_tag: z.string(),
  is_bookmarked: z.boolean(),
  is_trending: z.boolean(),
  matched_outcome: matchedOutcome.nullable().optional(),
})

/** A related event. `chance` is the displayed price of its leading market, in percent; `leading` the name of that market, if it has others. */
export const relatedEvent = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  icon_url: z.string(),
  picture,
  common_tags_count: z.int(),
  chance: z.number().min(0).max(100).nullable(),
  leading: z.string().nullable(),
  /** The leading market and its Yes token, to follow the price; null while none has a price. */
  leading_market: z.object({ condition_id: z.string(), token_id: z.string() }).nullable(),
})

/** A main category with its sub-categories, for navigation. */
export const mainTag = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  childs: z.array(z.object({ name: z.string(), slug: z.string() })),
})

/**
 * The chance of one market over time: `t` in Unix milliseconds, `p` the displayed price of Yes (0..1), oldest first. `earlier` says that points up
 * to a time are not of this exchange: sample prices of a sandbox, or imported ones.
 */
export const chanceLine = z.object({
  condition_id: z.string(),
  history: z.array(z.object({ t: z.int(), p: z.number() })),
  earlier: z.object({ source: z.enum(['sample', 'imported']), until: z.int() }).nullable(),
})

export type MatchedOutcome = z.output<typeof matchedOutcome>
export type Event = z.output<typeof event>
export type MainTag = z.output<typeof mainTag>
export type ChanceLine = z.output<typeof chanceLine>
