import { tables } from '@augury/domain/platform/tables'
import type { Output } from '@augury/wire/operation'
import type { adminPriceOperations, PriceSeriesState } from '@augury/wire/platform/admin-prices'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { alignDown, type Interval, lengthOf, type Source } from '../prices/intervals.ts'
import { HORIZON } from '../prices/marks-job.ts'
import { isStale, SILENT_MS, windowsAround } from '../prices/series-of-event.ts'
import type { Platform } from '../site/platform.ts'
import { findSeries } from './manage-series.ts'
import { TOLERANCE } from './series-job.ts'

/** Most windows in the table, and most gaps and corrections reported. */
const MARKS = 24
const GAPS = 20
const CORRECTIONS = 20

type Operation = typeof adminPriceOperations.adminPriceSeriesState
type Feed = PriceSeriesState['feeds'][number]

/**
 * A series with its sources, their newest marks, gaps, differences and corrections, and the windows around now. Throws `series_not_found`.
 */
export async function priceSeriesState(platform: Platform, { params: { slug } }: { params: { slug: string } }): Promise<Output<Operation>> {
  const em = platform.em()
  const series = await findSeries(em, slug)
  if (!series) throw new ServiceError('series_not_found', { values: { slug } })
  const now = platform.now().getTime()
  const { source, instrument, interval } = series
  const feeds: Feed[] = []
  for (const [each, symbol] of [['oracle_a', series.symbol_a] as const, ['oracle_b', series.symbol_b] as const])
    if (symbol !== '')
      for (const length of interval === '1d' ? (['1d', '5m'] as const) : [interval])
        feeds.push(await feedState(em, each, instrument, length, now))
  const marks = await bothSources(em, series, now)
  return {
    success: true,
    data: {
      series,
      feeds,
      marks: marks.slice(0, MARKS),
      widest: marks.reduce<PriceSeriesState['widest']>(
        (widest, { end, difference }) => (difference !== null && difference > (widest?.difference ?? -1) ? { end, difference } : widest),
        null,
      ),
      tolerance: TOLERANCE,
      corrections: await corrections(em, instrument, interval),
      windows: await windowsAround(em, { slug, source, instrument, interval }, new Date(now), now),
    },
  }
}

interface FeedRow {
  name: string | null
  simulated: boolean | null
  checked_at: string | null
  failed_at: string | null
  failure: string | null
  live_price: string | null
  live_timestamp: string | null
  window_end: string | null
  received_at: string | null
  price: string | null
}

async function feedState(em: EntityManager, source: Source, instrument: string, interval: Interval, now: number): Promise<Feed> {
  const key = [source, instrument, interval]
  const [row]: [FeedRow] = await em.execute(FEED, [...key, ...key])
  const { checked_at, window_end } = row
  return {
    source,
    interval,
    name: row.name ?? '',
    is_simulated: row.simulated ?? false,
    is_stale: isStale({ checked_at, interval }, window_end === null ? null : new Date(window_end).getTime(), now),
    checked_at: iso(checked_at),
    failed_at: iso(row.failed_at),
    failure: row.failure ?? '',
    latest_at: iso(window_end),
    received_at: iso(row.received_at),
    latest_price: number(row.price),
    live_at: iso(row.live_timestamp),
    live_price: number(row.live_price),
    gaps: await gaps(em, source, instrument, interval, now),
  }
}

/** Gaps after the first mark. A window counts as missed once there was time to ask for it. */
async function gaps(em: EntityManager, source: Source, instrument: string, interval: Interval, now: number): Promise<Feed['gaps']> {
  const length = lengthOf(interval)
  const until = alignDown(now - SILENT_MS, interval)
  const key = [source, instrument, interval]
  const rows: { from: string; to: string; windows: number }[] = await em.execute(GAP_ROWS, [
    ...key,
    new Date(until - (HORIZON - 1) * length),
    new Date(until),
    length,
    ...key,
    length,
    GAPS,
  ])
  return rows.map(({ from, to, windows }) => ({ from: iso(from), to: iso(to)!, windows }))
}

interface PairRow {
  window_end: string
  a: string | null
  b: string | null
}

/** The windows within the horizon that either source knows, newest first. */
async function bothSources(
  em: EntityManager,
  { source, instrument, interval }: PriceSeriesState['series'],
  now: number,
): Promise<PriceSeriesState['marks']> {
  const from = new Date(alignDown(now, interval) - HORIZON * lengthOf(interval))
  const rows: PairRow[] = await em.execute(PAIRS, [instrument, interval, from, instrument, interval, from])
  return rows.map(({ window_end, ...row }) => {
    const [oracle_a, oracle_b] = [number(row.a), number(row.b)]
    const counts = source === 'oracle_a' ? oracle_a : oracle_b
    return {
      end: iso(window_end),
      oracle_a,
      oracle_b,
      difference: oracle_a === null || oracle_b === null ? null : Math.abs(oracle_a - oracle_b) / counts!,
    }
  })
}

async function corrections(em: EntityManager, instrument: string, interval: Interval): Promise<PriceSeriesState['corrections']> {
  const rows = await tables(em)
    .selectFrom('price_mark_correction')
    .select(['source', 'window_end as end', 'old_price', 'new_price', 'noticed_at'])
    .where('instrument', '=', instrument)
    .where('interval', '=', interval)
    .orderBy('noticed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(CORRECTIONS)
    .execute()
  return rows.map(({ source, end, old_price, new_price, noticed_at }) => ({
    source,
    end: end.toISOString(),
    old_price: Number(old_price),
    new_price: Number(new_price),
    noticed_at: noticed_at.toISOString(),
  }))
}

const number = (price: string | null) => (price === null ? null : Number(price))
function iso(time: string): string
function iso(time: string | null): string | null
function iso(time: string | null) {
  return time === null ? null : new Date(time).toISOString()
}

const FEED = `
  select name, simulated, checked_at, failed_at, failure, live_price, live_timestamp, window_end, received_at, price
  from (values (1)) one
  left join price_feed on source = ? and instrument = ? and interval = ?
  left join lateral (
    select window_end, received_at, price from price_mark where source = ? and instrument = ? and interval = ? order by window_end desc limit 1
  ) newest on true`

const GAP_ROWS = `
  with first as (
    select min(window_end) as window_end from price_mark where source = ? and instrument = ? and interval = ? and window_end >= ?
  ), missing as (
    select windows.window_end, row_number() over (order by windows.window_end) as n
    from first cross join generate_series(first.window_end, ?::timestamptz, ? * interval '1 millisecond') as windows (window_end)
    where not exists (
      select from price_mark mark
      where mark.source = ? and mark.instrument = ? and mark.interval = ? and mark.window_end = windows.window_end
    )
  )
  select min(window_end) as "from", max(window_end) as "to", count(*)::int as windows
  from missing group by window_end - n * ? * interval '1 millisecond'
  order by "to" desc limit ?`

const MARK_OF = (source: Source) =>
  `select window_end, price from price_mark where source = '${source}' and instrument = ? and interval = ? and window_end > ?`

const PAIRS = `
  select window_end, a.price as a, b.price as b
  from (${MARK_OF('oracle_a')}) a full join (${MARK_OF('oracle_b')}) b using (window_end)
  order by window_end desc`
