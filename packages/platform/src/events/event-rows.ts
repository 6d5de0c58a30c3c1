import type { EntityManager } from '@mikro-orm/postgresql'
import type { EventStatus } from '../cache/searched-events.ts'

/** An event as read for showing. Money in millionths as text, times as the driver gives them. */
export interface EventRow {
  id: string
  slug: string
  title: string
  /** The title as it was written, where `title` is a translation. */
  original_title?: string
  creator: string
  icon_url: string
  rules: string
  neg_risk: boolean
  neg_risk_market_id: string | null
  series_slug: string | null
  series_recurrence: string | null
  status: EventStatus
  active_markets_count: number
  total_markets_count: number
  volume: string
  volume_24h: string
  liquidity: string
  start_date: Date | null
  end_date: Date | null
  resolved_at: Date | null
  paused_at: Date | null
  created_at: Date
  updated_at: Date
  main_tag: string | null
  is_trending: boolean
  tags: { id: string; name: string; slug: string; isMainCategory: boolean }[]
}

/** A market with its two outcome tokens. Prices in steps, money in millionths as text, times as PostgreSQL writes them. */
export interface MarketRow {
  condition_id: string
  event_id: string
  position: number
  slug: string
  question_id: string
  title: string
  short_title: string
  question: string
  rules: string
  resolution_source: string
  resolution_source_url: string
  resolver: string
  icon_url: string
  end_time: string
  is_active: boolean
  is_resolved: boolean
  weight: number | null
  resolution_status: string
  resolution_flagged: boolean
  resolution_paused: boolean
  /** Until when the last proposal may be disputed; without a proposal, some days after the end. */
  resolution_deadline_at: string
  volume: string
  volume_24h: string
  open_interest: string
  event_interest: string
  active_positions_count: number
  price: string
  best_bid: number | null
  best_ask: number | null
  last_trade: number | null
  listing_price: number
  created_at: string
  updated_at: string
  yes_token: string
  yes_text: string
  no_token: string
  no_text: string
}

/** A condition on `event` and the values of its question marks. */
export interface Filter {
  sql: string
  values: unknown[]
}

/** Number of active events that are marked as trending. */
const TRENDING = 10

/** The page of a list: order, limit and offset. */
interface Page {
  /** SQL order by columns of `event`. */
  order?: string
  limit?: number
  offset?: number
  /** The statuses that the list shows, if not all: the indexes behind the orders begin with the status. */
  statuses?: readonly EventRow['status'][]
}

/**
 * Events that match all filters, in the given order. Only the ids of the page are found first, so that skipped rows cost no texts and tags.
 * Tags are looked up by id: a join would hash all tags for each event of the page.
 */
export function findEvents(em: EntityManager, filters: readonly Filter[], page: Page = {}): Promise<EventRow[]> {
  const { order = 'event.id' } = page
  const cut = cutPage(filters, { order, limit: 1, offset: 0, statuses: [], ...page })
  return em.execute(
    `select event.*, main.slug as main_tag,
      event.volume_24h > 0 and event.volume_24h >= coalesce(
        (select volume_24h from event where status = 'active' order by volume_24h desc offset ${TRENDING - 1} limit 1), 0
      ) as is_trending,
      coalesce((
        select jsonb_agg((
          select jsonb_build_object('id', tag.id, 'name', tag.name, 'slug', tag.slug, 'isMainCategory', tag.is_main_category)
          from tag where tag.id = tag_id
        ) order by position)
        from event_tag where event_id = event.id
      ), '[]') as tags
    from (${cut.sql}) page
    join event using (id)
    left join tag main on main.id = main_tag_id
    order by ${order}`,
    cut.values,
  )
}

/** The ids of a page. With several statuses the first of each are merged, because a single scan over them would sort every event. */
export function cutPage(filters: readonly Filter[], { order, limit, offset, statuses }: Required<Page>): Filter {
  const conditions = filters.map(({ sql }) => sql)
  const values = filters.flatMap((filter) => filter.values)
  const walk = (columns: string, also: string[]) =>
    `select ${columns} from event where ${[...also, ...conditions].join(' and ')} order by ${order} limit ?`
  const of = statuses.map((status) => [`event.status = '${status}'`])
  if (of.length < 2) return { sql: `${walk('id', of.flat())} offset ?`, values: [...values, limit, offset] }
  const columns = [...new Set(['event.id', ...order.match(/event\.\w+/g)!])].join(', ')
  const merged = of.map((also) => `(${walk(columns, also)})`).join(' union all ')
  return {
    sql: `select id from (${merged}) event order by ${order} limit ? offset ?`,
    values: [...of.flatMap(() => [...values, offset + limit]), limit, offset],
  }
}

/** Time after its end during which a market may be disputed, as long as nothing is proposed. */
const DISPUTE = `interval '168 hours'`

/** The markets of some events; rules are long and only read on request. A single index scan, as a page may have hundreds. */
export async function marketsOf(em: EntityManager, eventIds: readonly string[], withRules: boolean): Promise<Map<string, MarketRow[]>> {
  const rows: MarketRow[] = await em.execute(
    `select condition_id, event_id, position, slug, question_id, title, short_title, question, ${withRules ? 'rules' : `'' as rules`},
      resolution_source, resolution_source_url, resolver, icon_url, end_time::text as end_time, is_active, is_resolved, weight, resolution_status,
      resolution_flagged, resolution_paused, coalesce(resolution_deadline_at, end_time + ${DISPUTE})::text as resolution_deadline_at,
      volume, volume_24h, open_interest, event_interest, active_positions_count, price, best_bid, best_ask, last_trade, listing_price, created_at::text as created_at,
      updated_at::text as updated_at, yes_token, yes_text, no_token, no_text
    from market
    where event_id in (select value::uuid from jsonb_array_elements_text(?::jsonb)) and yes_token is not null and no_token is not null`,
    [JSON.stringify(eventIds)],
  )
  return Map.groupBy(rows, ({ event_id }) => event_id)
}
