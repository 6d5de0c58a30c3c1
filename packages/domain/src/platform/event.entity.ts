import { defineEntity, type Opt, p } from '@mikro-orm/core'
import { int8Column, usdcColumn } from '../columns.ts'
import { EventTag } from './event-tag.entity.ts'
import { Market } from './market.entity.ts'
import { Tag } from './tag.entity.ts'

/** What an event is to visitors; derived from its markets in the transaction that changes them. */
const EVENT_STATUSES = ['draft', 'active', 'resolved', 'archived'] as const

/** An order of lists. What decides whether a list shows an event lies beside it: a row is read only where it is shown. */
const listIndex = (name: string, order: string) => ({
  name,
  expression: `create index ${name} on event (status, ${order}, id) include (is_shown, hidden_at, main_tag_id)`,
})

export const eventSchema = defineEntity({
  name: 'Event',
  tableName: 'event',
  checks: [
    { name: 'event_slug_form', expression: `slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 200` },
    { name: 'event_title_length', expression: 'length(title) >= 1 and length(title) <= 400' },
    { name: 'event_creator_form', expression: `creator ~ '^0x[0-9a-f]{40}$'` },
    { name: 'event_neg_risk_id_form', expression: `neg_risk_market_id is null or neg_risk and neg_risk_market_id ~ '^0x[0-9a-f]{62}00$'` },
    { name: 'event_resolved_has_time', expression: `(status = 'resolved') = (resolved_at is not null)` },
    { name: 'event_counts', expression: 'active_markets_count >= 0 and active_markets_count <= total_markets_count' },
    { name: 'event_money_not_negative', expression: 'volume >= 0 and volume_24h >= 0 and liquidity >= 0 and ranking_seed >= 0' },
  ],
  indexes: [
    listIndex('event_by_trend', 'volume_24h desc, volume desc, ranking_seed desc, created_at desc'),
    listIndex('event_by_volume', 'volume desc, ranking_seed desc, created_at desc'),
    listIndex('event_by_creation', 'created_at desc'),
    listIndex('event_by_end', 'end_date'),
    {
      name: 'event_of_series',
      expression: 'create index event_of_series on event (series_slug, start_date) where series_slug is not null',
    },
    {
      name: 'event_of_series_open',
      expression: `create index event_of_series_open on event (series_slug) where series_slug is not null and status in ('active', 'archived')`,
    },
    {
      // What recurs by the calendar has no start.
      name: 'event_of_calendar',
      expression: 'create index event_of_calendar on event (series_slug, end_date) where series_slug is not null and start_date is null',
    },
    {
      name: 'event_by_creator',
      expression: 'create index event_by_creator on event (creator) include (volume, volume_24h)',
    },
    {
      name: 'event_paused',
      expression: 'create index event_paused on event (id) where paused_at is not null',
    },
  ],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    slug: p.text().unique(),
    title: p.text(),
    /** The title as searches compare it: one writing of every letter, whatever its case. */
    titleKey: p.text().$type<Opt<string>>().generated(`(casefold((normalize(title, nfkc) collate pg_unicode_fast))) stored`),
    creator: p.text(),
    iconUrl: p.text().default(''),
    rules: p.text().default(''),
    negRisk: p.boolean().default(false),
    negRiskMarketId: p.text().nullable(),
    seriesSlug: p.text().nullable(),
    seriesRecurrence: p.text().nullable(),
    status: p.enum(EVENT_STATUSES).default('draft'),
    mainTag: () => p.manyToOne(Tag).nullable().index(),
    activeMarketsCount: p.integer().default(0),
    totalMarketsCount: p.integer().default(0),
    volume: usdcColumn().default(0),
    volume24h: usdcColumn().fieldName('volume_24h').default(0),
    liquidity: usdcColumn().default(0),
    /** Whole USDC traded elsewhere: orders lists among events without trades here, and is never shown. */
    rankingSeed: int8Column().default(0),
    startDate: p.datetime(3).nullable(),
    endDate: p.datetime(3).nullable(),
    resolvedAt: p.datetime(3).nullable(),
    /** Whether its creator is one of those whose markets the deployment shows. */
    isShown: p.boolean().default(true),
    /** When an admin took it out of the lists; its own page stays. */
    hiddenAt: p.datetime(3).nullable(),
    /** When an admin paused its markets; null while they are not. */
    pausedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
    markets: () => p.oneToMany(Market).mappedBy('event'),
    tags: () => p.oneToMany(EventTag).mappedBy('event').orderBy({ position: 'asc' }),
  },
})

/** A question or a group of questions that belong together. Money in millionths of a USDC. */
export class Event extends eventSchema.class {}
eventSchema.setClass(Event)
