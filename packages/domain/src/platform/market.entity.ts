import { defineEntity, p } from '@mikro-orm/core'
import { displayedPriceColumn, int8Column, priceColumn, usdcColumn } from '../columns.ts'
import { Event } from './event.entity.ts'
import { Outcome } from './outcome.entity.ts'

/** The states of a resolution; only `confirmed` pays. */
const RESOLUTION_STATUSES = ['pending', 'proposed', 'disputed', 'confirmed'] as const

export const marketSchema = defineEntity({
  name: 'Market',
  tableName: 'market',
  checks: [
    { name: 'market_condition_form', expression: `condition_id ~ '^0x[0-9a-f]{64}$' and question_id ~ '^0x[0-9a-f]{64}$'` },
    { name: 'market_slug_form', expression: `slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 200` },
    { name: 'market_resolver_form', expression: `resolver ~ '^0x[0-9a-f]{40}$'` },
    { name: 'market_grid', expression: 'grid in (1000, 100, 50, 25, 10, 1)' },
    {
      name: 'market_terms',
      expression: 'min_lots >= 1 and fee_bps >= 0 and fee_bps <= 1000 and affiliate_bps >= 0 and affiliate_bps <= 10000 and position >= 0',
    },
    { name: 'market_active_is_registered', expression: 'not is_active or (registered_at is not null and not is_resolved)' },
    {
      name: 'market_resolved_has_weight',
      expression: `is_resolved = (weight is not null) and is_resolved = (resolution_status = 'confirmed')`,
    },
    { name: 'market_weight', expression: 'weight >= 0 and weight <= 10000 and proposed_weight >= 0 and proposed_weight <= 10000' },
    {
      name: 'market_proposal',
      expression: `(proposed_weight is not null) = (resolution_status in ('proposed', 'disputed')) and (proposed_weight is null or resolution_deadline_at is not null)`,
    },
    { name: 'market_final_price', expression: 'not price_is_final or is_resolved' },
    { name: 'market_price', expression: 'price >= 0 and price <= 10000 and listing_price >= 0 and listing_price <= 10000' },
    {
      name: 'market_book',
      expression:
        'best_bid >= 1 and best_bid <= 9999 and best_ask >= 1 and best_ask <= 9999 and best_bid < best_ask and last_trade >= 1 and last_trade <= 9999',
    },
    {
      name: 'market_money_not_negative',
      expression:
        'volume >= 0 and volume_24h >= 0 and open_interest >= 0 and liquidity >= 0 and ranking_seed >= 0 and active_positions_count >= 0',
    },
    { name: 'market_event_interest', expression: 'event_interest >= 0' },
    {
      name: 'market_outcomes_whole',
      expression: '(yes_token is null) = (yes_text is null) and (no_token is null) = (no_text is null)',
    },
  ],
  uniques: [{ name: 'market_position_unique', properties: ['event', 'position'] }],
  indexes: [
    {
      name: 'market_to_sync',
      expression: 'create index market_to_sync on market (condition_id) where registered_at is not null and not is_resolved',
    },
    {
      name: 'market_price_to_settle',
      expression: 'create index market_price_to_settle on market (condition_id) where is_resolved and not price_is_final',
    },
    {
      name: 'market_to_end',
      expression: 'create index market_to_end on market (end_time) where registered_at is not null and not is_resolved',
    },
    {
      name: 'market_to_confirm',
      expression: `create index market_to_confirm on market (resolution_deadline_at) where resolution_status = 'proposed'`,
    },
    {
      name: 'market_to_look_at',
      expression: `create index market_to_look_at on market (event_id) where not is_resolved and (resolution_status <> 'pending' or resolution_flagged or registered_at is null)`,
    },
    {
      name: 'market_active',
      expression: 'create index market_active on market (event_id) where is_active',
    },
    {
      name: 'market_with_interest',
      expression:
        'create index market_with_interest on market (event_id) include (open_interest, event_interest) where open_interest > 0 or event_interest > 0',
    },
  ],
  properties: {
    conditionId: p.text().primary(),
    event: () => p.manyToOne(Event),
    /** Order inside the event. */
    position: p.smallint(),
    slug: p.text().unique(),
    questionId: p.text().unique(),
    title: p.text(),
    shortTitle: p.text(),
    question: p.text(),
    rules: p.text().default(''),
    resolutionSource: p.text().default(''),
    resolutionSourceUrl: p.text().default(''),
    /** Address that resolves the question; the oracle of the condition. */
    resolver: p.text(),
    iconUrl: p.text().default(''),
    endTime: p.datetime(3),
    /** Price steps. */
    grid: p.smallint(),
    minLots: p.integer(),
    feeBps: p.smallint(),
    /** Share of a taker's fee that goes to the taker's referrer. */
    affiliateBps: p.smallint().default(0),
    /** When it was registered at the exchange; null before. */
    registeredAt: p.datetime(3).nullable(),
    isActive: p.boolean().default(false),
    isResolved: p.boolean().default(false),
    /** What a Yes lot pays, in steps of 0.0001; No gets the rest. */
    weight: priceColumn().nullable(),
    resolutionStatus: p.enum(RESOLUTION_STATUSES).default('pending'),
    /** What a Yes lot pays by the proposal; null without one. */
    proposedWeight: priceColumn().nullable(),
    /** Until when the latest proposal may or could be disputed. */
    resolutionDeadlineAt: p.datetime(3).nullable(),
    resolutionFlagged: p.boolean().default(false),
    resolutionPaused: p.boolean().default(false),
    volume: usdcColumn().default(0),
    volume24h: usdcColumn().fieldName('volume_24h').default(0),
    openInterest: usdcColumn().default(0),
    /** Cash of what was converted in its event. It backs the shares of all the event's markets together, so it counts once an event. */
    eventInterest: usdcColumn().default(0),
    /** Cash behind the visible levels of the book. */
    liquidity: usdcColumn().default(0),
    activePositionsCount: p.integer().default(0),
    /** Displayed price of Yes, and what it was computed from, in steps. */
    price: displayedPriceColumn().default(5000),
    /** Whether the price is what a resolved share pays. */
    priceIsFinal: p.boolean().default(false),
    bestBid: priceColumn().nullable(),
    bestAsk: priceColumn().nullable(),
    lastTrade: priceColumn().nullable(),
    /** Price of Yes where the market was listed first: sorts the outcomes of an event until the exchange has prices, and is never shown. */
    listingPrice: priceColumn().default(5000),
    rankingSeed: int8Column().default(0),
    /** A copy of its outcomes for lists, maintained by a trigger only. Null until there are any. */
    yesToken: p.text().nullable(),
    yesText: p.text().nullable(),
    noToken: p.text().nullable(),
    noText: p.text().nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
    outcomes: () => p.oneToMany(Outcome).mappedBy('market').orderBy({ index: 'asc' }),
  },
})

/** A condition of the exchange with its texts. Prices of Yes in steps, money in millionths of a USDC. */
export class Market extends marketSchema.class {}
marketSchema.setClass(Market)
