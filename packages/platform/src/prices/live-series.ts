import { tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { priceReferenceOperations } from '@augury/wire/platform/price-reference'
import { ServiceError } from '@augury/wire/service-error'
import type { Platform } from '../site/platform.ts'
import { marketWindow, type Series, snapshot } from './choose-prices.ts'
import { readMarks } from './read-marks.ts'
import { shortCache } from './short-cache.ts'

type Operation = typeof priceReferenceOperations.liveSeries

/** Milliseconds for which the configuration of the series, and a snapshot, are cached. */
const SERIES_MS = 300_000
const SNAPSHOT_MS = 1000
/** The largest time that a Date can hold. */
const LAST_TIME = 8.64e15

const configuration = shortCache<ReadonlyMap<string, Series>>(1)
const snapshots = shortCache<Output<Operation>>(2000)

/** The reference prices of a price-based market. Throws `series_slug_required`, `event_end_required`, `series_not_found`. */
export async function liveSeries(platform: Platform, { query }: Pick<Input<Operation>, 'query'>): Promise<Output<Operation>> {
  const slug = query.seriesSlug
  if (typeof slug !== 'string' || slug === '') throw new ServiceError('series_slug_required')
  const end = positiveInteger(query.eventEndMs)
  if (end === null) throw new ServiceError('event_end_required')
  const series = (await configuration(platform, '', SERIES_MS, () => readSeries(platform))).get(slug)
  if (!series) throw new ServiceError('series_not_found', { values: { slug } })
  const minutes = positiveInteger(query.activeWindowMinutes, LAST_TIME / 60_000)
  const window = marketWindow(series.interval, end, positiveInteger(query.eventStartMs), minutes)
  const now = platform.now().getTime()
  const untilClosed = now > end ? Number.POSITIVE_INFINITY : end + 1 - now
  return snapshots(platform, `${slug} ${window.start} ${window.end} ${window.minutes}`, Math.min(SNAPSHOT_MS, untilClosed), async () =>
    snapshot(series, window, await readMarks(platform.em(), series, window, now), now),
  )
}

/** A positive integer up to a maximum, by default the largest time; null for anything else. */
function positiveInteger(given: unknown, most = LAST_TIME): number | null {
  const text = typeof given === 'number' ? String(given) : given
  if (typeof text !== 'string' || !/^\d{1,16}$/.test(text)) return null
  const value = Number(text)
  return value > 0 && value <= most ? value : null
}

async function readSeries(platform: Platform): Promise<ReadonlyMap<string, Series>> {
  const rows = await tables(platform.em())
    .selectFrom('price_series')
    .select(['slug', 'instrument', 'interval', 'source'])
    .where('enabled', '=', true)
    .execute()
  return new Map(rows.map((row) => [row.slug, row]))
}
