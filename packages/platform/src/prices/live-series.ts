import type { Input, Output } from '@augury/wire/operation'

import type { priceReferenceOperations } from '@augury/wire/platform/price-reference'
import { ServiceError } from '@augury/wire/service-error'
import type { Platform } from '../platform.ts'
import { marketWindow, type Series, snapshot } from './choose-prices.ts'
import { readMarks } from './read-marks.ts'

type Operation = typeof priceReferenceOperations.liveSeries

/** How long the configuration of the series, and one snapshot, are kept, in milliseconds. */
const SERIES_MS = 300_000
const SNAPSHOT_MS = 1000
/** Snapshots kept at a time. */
const SNAPSHOTS = 2000
/** Furthest time that a date can be. */
const LAST_TIME = 8.64e15

/** The prices that a price-based market is about. Refuses `series_slug_required`, `event_end_required`, `series_not_found`. */
export async function liveSeries(platform: Platform, { query }: Pick<Input<Operation>, 'query'>): Promise<Output<Operation>> {
  const slug = query.seriesSlug
  if (typeof slug !== 'string' || slug === '') throw new ServiceError('series_slug_required')
  const end = positiveInteger(query.eventEndMs)
  if (end === null) throw new ServiceError('event_end_required')
  const cache = cacheOf(platform)
  const now = platform.now().getTime()
  const series = (await cache.series(now)).get(slug)
  if (!series) throw new ServiceError('series_not_found', { values: { slug } })
  const window = marketWindow(series.interval, end, positiveInteger(query.eventStartMs), positiveInteger(query.activeWindowMinutes))
  const untilClosed = now > end ? Number.POSITIVE_INFINITY : end + 1 - now
  const keptMs = Math.min(SNAPSHOT_MS, untilClosed)
  return cache.snapshot(`${slug} ${window.start} ${window.end} ${window.minutes}`, now, keptMs, async () =>
    snapshot(series, window, await readMarks(platform.em(), series, window, now), now),
  )
}

/** A whole number above 0 that can be a time; null for anything else. */
function positiveInteger(given: unknown): number | null {
  const text = typeof given === 'number' ? String(given) : given
  if (typeof text !== 'string' || !/^\d{1,16}$/.test(text)) return null
  const value = Number(text)
  return value > 0 && value <= LAST_TIME ? value : null
}

interface Kept<Value> {
  until: number
  value: Promise<Value>
}

/** What one deployment keeps for a while. Whoever asks for what is being read waits for it with the others; a failure is not kept. */
class Cache {
  readonly #platform: Platform
  #series: Kept<ReadonlyMap<string, Series>> | null = null
  readonly #snapshots = new Map<string, Kept<Output<Operation>>>()

  constructor(platform: Platform) {
    this.#platform = platform
  }

  series(now: number): Promise<ReadonlyMap<string, Series>> {
    if (this.#series && now < this.#series.until && this.#series.until - now <= SERIES_MS) return this.#series.value
    const kept = { until: now + SERIES_MS, value: readSeries(this.#platform) }
    this.#series = kept
    kept.value.catch(() => {
      if (this.#series === kept) this.#series = null
    })
    return kept.value
  }

  snapshot(key: string, now: number, keptMs: number, read: () => Promise<Output<Operation>>): Promise<Output<Operation>> {
    const known = this.#snapshots.get(key)
    if (known && now < known.until && known.until - now <= SNAPSHOT_MS) return known.value
    const kept = { until: now + keptMs, value: read() }
    this.#snapshots.delete(key)
    this.#snapshots.set(key, kept)
    if (this.#snapshots.size > SNAPSHOTS) this.#snapshots.delete(this.#snapshots.keys().next().value!)
    kept.value.catch(() => {
      if (this.#snapshots.get(key) === kept) this.#snapshots.delete(key)
    })
    return kept.value
  }
}

const caches = new WeakMap<Platform, Cache>()

function cacheOf(platform: Platform): Cache {
  const cache = caches.get(platform) ?? new Cache(platform)
  caches.set(platform, cache)
  return cache
}

async function readSeries(platform: Platform): Promise<ReadonlyMap<string, Series>> {
  const rows: Series[] = await platform.em().execute('select slug, instrument, interval, source from price_series where enabled')
  return new Map(rows.map((row) => [row.slug, row]))
}
