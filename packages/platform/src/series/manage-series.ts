import type { PriceSeries } from '@augury/domain/platform/price-series.entity'
import { tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { adminPriceOperations, PriceSeriesRow } from '@augury/wire/platform/admin-prices'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { difference, runSensitive } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { isStale } from '../prices/series-of-event.ts'
import type { Platform } from '../site/platform.ts'
import type { Site } from '../site/site.ts'

type Operations = typeof adminPriceOperations

/** The configuration of a series; what is left out has its default. */
export type SeriesTerms = Pick<PriceSeries, 'slug' | 'instrument' | 'interval' | 'source' | 'displayName'> &
  Partial<
    Pick<PriceSeries, 'symbolA' | 'symbolB' | 'enabled' | 'recurring' | 'category' | 'ahead' | 'settlementSeconds' | 'disputeSeconds'>
  >

/** Creates a series unless one of its slug exists. */
export async function addSeries(em: EntityManager, terms: SeriesTerms): Promise<void> {
  const { symbolA = '', symbolB = '', enabled = true, recurring = false, category = 'crypto', ahead = 2 } = terms
  const { settlementSeconds = 300, disputeSeconds = 300, displayName: display_name, ...rest } = terms
  const { slug, instrument, interval, source } = rest
  const row = {
    slug,
    instrument,
    interval,
    source,
    display_name,
    symbol_a: symbolA,
    symbol_b: symbolB,
    enabled,
    recurring,
    category,
    ahead,
  }
  await insert(em, { ...row, settlement_seconds: settlementSeconds, dispute_seconds: disputeSeconds })
}

interface Listed extends PriceSeriesRow {
  checked_at: string | null
  window_end: string | null
  price: string | null
}

/** The price series of the deployment, with the latest mark of the source that counts. */
export async function listPriceSeries(platform: Platform): Promise<Output<Operations['adminPriceSeries']>> {
  const rows: Listed[] = await platform.em().execute(LIST)
  const now = platform.now().getTime()
  const data = rows.map(({ checked_at, window_end, price, ...row }) => {
    const latest = window_end === null ? null : new Date(window_end)
    return {
      ...row,
      latest_at: latest?.toISOString() ?? null,
      latest_price: price === null ? null : Number(price),
      is_stale: isStale({ checked_at, interval: row.interval }, latest?.getTime() ?? null, now),
    }
  })
  return { data, totalCount: data.length }
}

/** A series by its slug, or undefined. `lock`: no other transaction can change it before this one ends. */
export async function findSeries(em: EntityManager, slug: string, lock = false): Promise<PriceSeriesRow | undefined> {
  return tables(em)
    .selectFrom('price_series')
    .select(COLUMNS)
    .where('slug', '=', slug)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
}

/**
 * Creates or changes a series. Open markets keep their rules, which are stored with them. Throws `step_up_required`, `price_series_fixed`
 * where a known series would be about something else, and `changed_meanwhile` where its terms are not those that the caller has seen.
 */
export function putPriceSeries(
  site: Site,
  admin: Admin,
  { params: { slug }, body: { seen, ...terms } }: Pick<Input<Operations['adminPutPriceSeries']>, 'params' | 'body'>,
): Promise<Output<Operations['adminPutPriceSeries']>> {
  const row: PriceSeriesRow = { slug, interval: slug.split('-').at(-1) as PriceSeriesRow['interval'], ...terms }
  return runSensitive(site, admin, async (em) => {
    if (await insert(em, row))
      return { answer: { success: true, data: row }, record: { action: 'price_series_changed', target: slug, after: row } }
    const known = (await findSeries(em, slug, true))!
    if (known.instrument !== row.instrument) throw new ServiceError('price_series_fixed')
    const changes = difference(known, row)
    if (!changes) return { answer: { success: true, data: row }, record: null }
    if (seen && difference<PriceSeriesRow>(known, seen as Partial<PriceSeriesRow>)) throw new ServiceError('changed_meanwhile')
    const { slug: _, instrument: __, interval: ___, ...terms } = row
    await tables(em).updateTable('price_series').set(terms).where('slug', '=', slug).execute()
    return { answer: { success: true, data: row }, record: { action: 'price_series_changed', target: slug, ...changes } }
  })
}

const TERMS = [
  'source',
  'display_name',
  'symbol_a',
  'symbol_b',
  'enabled',
  'recurring',
  'category',
  'ahead',
  'settlement_seconds',
  'dispute_seconds',
] as const
const COLUMNS = ['slug', 'instrument', 'interval', ...TERMS] as const

const LIST = `
  select ${COLUMNS.map((column) => `price_series.${column}`).join(', ')}, checked_at, window_end, price
  from price_series left join price_feed using (source, instrument, interval)
  left join lateral (
    select window_end, price from price_mark mark
    where (mark.source, mark.instrument, mark.interval) = (price_series.source, price_series.instrument, price_series.interval)
    order by window_end desc limit 1
  ) newest on true
  order by slug limit 500`

/** Stores a series; false if one of its slug exists, even if it was created concurrently. */
async function insert(em: EntityManager, row: PriceSeriesRow): Promise<boolean> {
  const made = await tables(em)
    .insertInto('price_series')
    .values(row)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('slug')
    .execute()
  return made.length > 0
}
