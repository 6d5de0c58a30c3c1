import { anyOf, tables } from '@augury/domain/platform/tables'
import { formatPrice } from '@augury/units/decimal'
import { LOTS_PER_SHARE } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import type { Input, Output } from '@augury/wire/operation'
import type { AdminEventRow, adminEventOperations } from '@augury/wire/platform/admin-events'
import { tickSize } from '@augury/wire/scalars'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import { resolutionsOf } from '../resolution/history.ts'
import type { Platform } from '../site/platform.ts'
import type { Site } from '../site/site.ts'
import { entriesOf } from './audit-log.ts'
import { orderBy, pattern } from './list-order.ts'

type Operations = typeof adminEventOperations

const COLUMNS = {
  title: 'lower(title)',
  slug: 'slug',
  status: 'status',
  creator: 'creator',
  volume: 'volume',
  volume_24h: 'volume_24h',
  end_date: 'end_date',
  created_at: 'created_at',
  active_markets_count: 'active_markets_count',
}

interface Row extends Omit<AdminEventRow, 'volume' | 'volume_24h'> {
  volume: string
  volume_24h: string
  rules: string
}

/** Events with what needs attention. Its first two values are the time and the deployment's own wallet. */
const SELECT = `
  select event.id, event.slug, title, creator, icon_url, rules, status, hidden_at is not null as hidden, paused_at is not null as paused, neg_risk,
    coalesce(main.slug, '') as main_tag, series_slug, active_markets_count, total_markets_count, volume, volume_24h, end_date, event.created_at,
    creator = own.address as own, to_jsonb(array_remove(array[
      case when trouble.ended then 'ended' end, case when trouble.disputed then 'disputed' end,
      case when trouble.due and creator = own.address then 'due' end, case when trouble.flagged then 'flagged' end,
      case when trouble.unregistered and creator = own.address then 'unregistered' end,
      case when paused_at is not null and status <> 'resolved' then 'paused' end
    ], null)) as attention
  from (select ?::timestamptz as now, ?::text as address) own cross join event
  left join tag main on main.id = main_tag_id
  left join lateral (
    select bool_or(end_time < own.now and not is_resolved and resolution_status = 'pending' and registered_at is not null) as ended,
      bool_or(resolution_status = 'proposed' and resolution_deadline_at < own.now - interval '1 minute') as due,
      bool_or(resolution_status = 'disputed') as disputed, bool_or(resolution_flagged and not is_resolved) as flagged,
      bool_or(registered_at is null) as unregistered
    from market where event_id = event.id
  ) trouble on true`

/**
 * Ids of the events that need attention. Those whose markets are looked at one by one are found in indexes, of which each has a branch of its own.
 * Its last value is the time.
 */
export const TROUBLED = `
  select id from (${SELECT} where event.id in (
    select event_id from market where not is_resolved and registered_at is not null and end_time < ?::timestamptz
    union all select event_id from market where not is_resolved and (resolution_status <> 'pending' or resolution_flagged or registered_at is null)
    union all select id from event where paused_at is not null
  )) event where attention <> '[]'`

const iso = (time: string | Date | null) => (time === null ? null : new Date(time).toISOString())

const view = ({ rules: _, ...row }: Row): AdminEventRow => ({
  ...row,
  creator: getAddress(row.creator),
  volume: Number(row.volume) / 1_000_000,
  volume_24h: Number(row.volume_24h) / 1_000_000,
  end_date: iso(row.end_date),
  created_at: iso(row.created_at)!,
})

const ownValues = (site: Site) => [site.now(), site.exchange.operatorAddress.toLowerCase()]
const troubledValues = (site: Site) => [...ownValues(site), site.now()]

/** A page of events of every status. Throws `invalid_sort_by`. */
export async function listAdminEvents(
  site: Site,
  { query }: Pick<Input<Operations['adminEvents']>, 'query'>,
): Promise<Output<Operations['adminEvents']>> {
  const em = site.em()
  const order = orderBy(COLUMNS, query, 'created_at', 'id')
  const like = pattern(query.search)
  const filters: [sql: string, values: unknown[]][] = [
    ...(query.search ? [['(title ilike ? or slug ilike ?)', [like, like]] as [string, unknown[]]] : []),
    ...(query.mainCategorySlug
      ? [['main_tag_id = (select id from tag where slug = ?)', [query.mainCategorySlug]] as [string, unknown[]]]
      : []),
    ...(query.creator ? [['creator = ?', [query.creator.toLowerCase()]] as [string, unknown[]]] : []),
    ...(query.seriesSlug ? [['series_slug = ?', [query.seriesSlug]] as [string, unknown[]]] : []),
    ...(query.activeOnly ? [[`status = 'active'`, []] as [string, unknown[]]] : []),
    ...(query.attention ? [[`id in (${TROUBLED})`, troubledValues(site)] as [string, unknown[]]] : []),
  ]
  // The page of ids is found first, so that markets and texts are read for these rows only.
  const page: { id: string; total: number }[] = await em.execute(
    `select id, count(*) over ()::int as total from event where ${['true', ...filters.map(([sql]) => sql)].join(' and ')}
     order by ${order} limit ? offset ?`,
    [...filters.flatMap(([, values]) => values), query.limit, query.offset],
  )
  const rows: Row[] = await em.execute(
    `select * from (${SELECT} where event.id in (select value::uuid from jsonb_array_elements_text(?::jsonb))) event order by ${order}`,
    [...ownValues(site), JSON.stringify(page.map(({ id }) => id))],
  )
  const [options]: { creators: string[]; series: string[] }[] = await em.execute(
    `select (select coalesce(jsonb_agg(distinct creator), '[]') from event) as creators,
       (select coalesce(jsonb_agg(distinct series_slug) filter (where series_slug is not null), '[]') from event) as series`,
  )
  return {
    data: rows.map(view),
    totalCount: page[0]?.total ?? 0,
    creatorOptions: options!.creators.map((address) => getAddress(address as `0x${string}`)),
    seriesOptions: options!.series,
  }
}

/** Number of events that need attention. */
export async function countAttention(site: Site, em: EntityManager): Promise<number> {
  const [row]: { n: number }[] = await em.execute(`select count(*)::int as n from (${TROUBLED}) troubled`, troubledValues(site))
  return row!.n
}

/** One event as the list shows it. Throws `event_not_found`. */
export async function adminEventRow(site: Site, em: EntityManager, id: string): Promise<AdminEventRow> {
  return view(await findEvent(site, em, id))
}

async function findEvent(site: Site, em: EntityManager, id: string): Promise<Row> {
  const [row]: Row[] = await em.execute(`${SELECT} where event.id = ?`, [...ownValues(site), id])
  if (!row) throw new ServiceError('event_not_found')
  return row
}

/** Titles of events by their slugs. */
export async function titlesOf(platform: Platform, slugs: readonly string[]): Promise<Record<string, string>> {
  const rows = await tables(platform.em()).selectFrom('event').select(['slug', 'title']).where('slug', '=', anyOf(slugs)).execute()
  return Object.fromEntries(rows.map(({ slug, title }) => [slug, title]))
}

/** An event with its markets and the audit entries about it. Throws `event_not_found`. */
export async function showAdminEvent(
  site: Site,
  { params: { id } }: { params: { id: string } },
): Promise<Output<Operations['adminEvent']>> {
  const em = site.em()
  const row = await findEvent(site, em, id)
  const tags = await tables(em)
    .selectFrom('event_tag')
    .innerJoin('tag', 'tag.id', 'event_tag.tag_id')
    .select('slug')
    .where('event_id', '=', id)
    .orderBy('position')
    .execute()
  const event = { ...view(row), rules: row.rules, tags: tags.map(({ slug }) => slug) }
  const markets = await tables(em)
    .selectFrom('market')
    .select(['condition_id', 'slug', 'question', 'short_title', 'rules', 'end_time', 'is_active', 'is_resolved', 'weight', 'volume'])
    .select(['grid', 'min_lots', 'resolution_source', 'resolution_source_url'])
    .select((eb) => [
      'open_interest',
      eb('registered_at', 'is not', null).$castTo<boolean>().as('registered'),
      eb
        .selectFrom('outcome')
        .select(sql<string[]>`jsonb_agg(text order by index)`.as('texts'))
        .whereRef('market_condition_id', '=', 'condition_id')
        .as('outcomes'),
    ])
    .where('event_id', '=', id)
    .orderBy('position')
    .execute()
  const resolutions = new Map((await resolutionsOf(em, id)).map((each) => [each.condition_id, each]))
  return {
    success: true,
    data: {
      event,
      markets: markets.map(({ weight, volume, open_interest, end_time, outcomes, grid, min_lots, ...market }) => ({
        ...market,
        tick_size: tickSize.parse(formatPrice(grid)),
        min_size: min_lots / LOTS_PER_SHARE,
        outcomes: outcomes ?? [],
        end_time: iso(end_time)!,
        yes_pays: weight === null ? null : weight / ONE,
        volume: Number(volume) / 1_000_000,
        open_interest: Number(open_interest) / 1_000_000,
        resolution: resolutions.get(market.condition_id)!,
      })),
      changes: await entriesOf(site, id),
    },
  }
}

/** Whether an event or a market has a slug. Throws `missing_slug`. */
export async function checkSlug(
  platform: Platform,
  { body: { slug = '' } }: { body: { slug?: string | undefined } },
): Promise<{ exists: boolean }> {
  if (slug.trim() === '') throw new ServiceError('missing_slug')
  const db = tables(platform.em())
  const found = await db
    .selectFrom('event')
    .select('slug')
    .where('slug', '=', slug)
    .unionAll(db.selectFrom('market').select('slug').where('slug', '=', slug))
    .limit(1)
    .execute()
  return { exists: found.length > 0 }
}
