import { tables } from '@augury/domain/platform/tables'
import { ONE } from '@augury/units/price'
import type { Output } from '@augury/wire/operation'
import type { resolutionPageQueries, SeriesOfEvent } from '@augury/wire/platform/resolution'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../site/platform.ts'
import type { Series } from './choose-prices.ts'
import { lengthOf } from './intervals.ts'
import { shortCache } from './short-cache.ts'

/** Number of marks of the line, and of windows before and after the event's. */
const MARKS = 100
const BEFORE = 8
const AFTER = 4
/** Milliseconds without a new price after which it counts as stale, and the same in windows for settled prices. */
export const SILENT_MS = 120_000
const LATE_WINDOWS = 2

/** Cache of snapshots: every viewer of a window asks every few seconds. */
const PAGE_MS = 1000

type Operation = typeof resolutionPageQueries.seriesOfEvent

const pages = shortCache<Output<Operation>>(1000)

interface SeriesRow extends Series {
  display_name: string
  name: string | null
  simulated: boolean | null
  checked_at: string | null
  failed_at: string | null
  live_price: string | null
  live_timestamp: string | null
}

interface MarkRow {
  t: string
  price: string
  source_timestamp: string
}

/**
 * The price that an event is about, its freshness, and the windows around it; null for an event without a price. Throws `event_not_found`.
 */
export function seriesOfEvent(platform: Platform, { slug }: { slug: string }): Promise<Output<Operation>> {
  return pages(platform, slug, PAGE_MS, () => read(platform, slug))
}

async function read(platform: Platform, slug: string): Promise<Output<Operation>> {
  const em = platform.em()
  const event = await tables(em)
    .selectFrom('event')
    .select(['series_slug', 'start_date', 'end_date'])
    .where('slug', '=', slug)
    .where('status', '<>', 'draft')
    .executeTakeFirst()
  if (!event) throw new ServiceError('event_not_found')
  const [series]: SeriesRow[] = event.series_slug === null ? [] : await em.execute(SERIES, [event.series_slug])
  if (!series) return null
  const { source, instrument, interval } = series
  const now = platform.now().getTime()
  const newest = (until: number, limit: number): Promise<MarkRow[]> =>
    em.execute(NEWEST, [source, instrument, interval, new Date(until), limit])
  const [latest] = await newest(now, 1)
  const marks = await newest(Math.min(now, new Date(event.end_date ?? now).getTime()), MARKS)
  return {
    slug: series.slug,
    display_name: series.display_name,
    instrument,
    interval,
    source,
    feed: {
      name: series.name ?? '',
      is_simulated: series.simulated ?? false,
      is_stale: isStale(series, latest ? Number(latest.t) : null, now),
      checked_at: iso(series.checked_at),
      failed_at: iso(series.failed_at),
      latest_at: latest ? iso(latest.source_timestamp) : null,
      latest_price: latest ? Number(latest.price) : null,
      live_at: iso(series.live_timestamp),
      live_price: series.live_price === null ? null : Number(series.live_price),
      difference: await difference(em, series),
    },
    marks: marks.toReversed().map(({ t, price }) => ({ t: Number(t), p: Number(price) })),
    windows: await windowsAround(em, series, new Date(event.start_date ?? now), now),
  }
}

const iso = (time: string | null) => (time === null ? null : new Date(time).toISOString())

/** Whether prices are stale. `latest`: end of the newest settled window in Unix milliseconds. */
export function isStale({ checked_at, interval }: Pick<SeriesRow, 'checked_at' | 'interval'>, latest: number | null, now: number): boolean {
  if (latest === null || checked_at === null) return true
  return now - new Date(checked_at).getTime() > SILENT_MS || now - latest > LATE_WINDOWS * lengthOf(interval)
}

/** Relative difference of the second source at the newest window that both have; null when there is none. */
async function difference(em: EntityManager, { source, instrument, interval }: Series): Promise<number | null> {
  const [row]: { share: string }[] = await em.execute(DIFFERENCE, [
    source === 'oracle_a' ? 'oracle_b' : 'oracle_a',
    source,
    instrument,
    interval,
  ])
  return row ? Number(row.share) : null
}

interface WindowRow {
  event_slug: string
  condition_id: string
  start_date: string
  end_date: string
  is_active: boolean
  weight: number | null
  opening_price: string | null
  closing_price: string | null
}

/** The windows of a series around the one that begins at `start`, oldest first. */
export async function windowsAround(em: EntityManager, series: Series, start: Date, now: number): Promise<SeriesOfEvent['windows']> {
  const { slug, source, instrument, interval } = series
  const key = [source, instrument, interval]
  const opening = [source, instrument, interval === '1d' ? '5m' : interval]
  const rows: WindowRow[] = await em.execute(WINDOWS, [...opening, ...key, slug, start, start, BEFORE + 1, slug, start, AFTER])
  return rows.map(({ event_slug, condition_id, start_date, end_date, is_active, weight, opening_price, closing_price }) => ({
    event_slug,
    condition_id,
    start: iso(start_date)!,
    end: iso(end_date)!,
    state: stateOf({ weight, start_date, end_date, is_active }, now),
    result: resultOf(weight),
    opening_price: opening_price === null ? null : Number(opening_price),
    closing_price: closing_price === null ? null : Number(closing_price),
  }))
}

function stateOf(
  { weight, start_date, end_date, is_active }: Pick<WindowRow, 'weight' | 'start_date' | 'end_date' | 'is_active'>,
  now: number,
): SeriesOfEvent['windows'][number]['state'] {
  if (weight !== null) return 'resolved'
  if (new Date(end_date).getTime() <= now || !is_active) return 'settling'
  return new Date(start_date).getTime() > now ? 'upcoming' : 'open'
}

/** The result of a window; one that ended where it began pays half to each side. */
function resultOf(weight: number | null): SeriesOfEvent['windows'][number]['result'] {
  if (weight === null) return null
  if (weight === ONE) return 'up'
  return weight === 0 ? 'down' : 'flat'
}

const SERIES = `
  select slug, price_series.instrument, price_series.interval, price_series.source, display_name, name, simulated, checked_at, failed_at,
    live_price, live_timestamp
  from price_series left join price_feed using (source, instrument, interval)
  where slug = ? and enabled`

const NEWEST = `
  select (extract(epoch from window_end) * 1000)::bigint as t, price, source_timestamp from price_mark
  where source = ? and instrument = ? and interval = ? and window_end <= ?
  order by window_end desc limit ?`

const DIFFERENCE = `
  select abs(theirs.price - ours.price) / ours.price as share
  from price_mark ours join price_mark theirs using (instrument, interval, window_end)
  where theirs.source = ? and ours.source = ? and ours.instrument = ? and ours.interval = ?
  order by window_end desc limit 1`

const WINDOWS = `
  select event.slug as event_slug, condition_id, start_date, end_date, is_active, weight,
    (select price from price_mark where source = ? and instrument = ? and interval = ? and window_end = start_date) as opening_price,
    (select price from price_mark where source = ? and instrument = ? and interval = ? and window_end = end_date) as closing_price
  from (
    (select event.slug, event.id, start_date, end_date from event where series_slug = ? and start_date <= ? and status <> 'draft'
      and (hidden_at is null or start_date = ?) order by start_date desc limit ?)
    union all
    (select event.slug, event.id, start_date, end_date from event where series_slug = ? and start_date > ? and status <> 'draft'
      and hidden_at is null order by start_date limit ?)
  ) event
  join market on event_id = event.id
  order by start_date`
