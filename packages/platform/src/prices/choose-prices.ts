import { alignDown, type Interval, lengthOf, MINUTES, type Source } from './intervals.ts'

/** A settled price: that of the source at the end of a window. Times in Unix milliseconds, the price in the quote currency. */
export interface Mark {
  windowEnd: number
  price: number
  sourceTimestamp: number
}

/** The current window, with its opening price. */
export interface LiveWindow {
  start: number
  end: number
  openingPrice: number
}

/** A configured series. */
export interface Series {
  slug: string
  instrument: string
  interval: Interval
  source: Source
}

/** The time range of a market, as requested. */
export interface MarketWindow {
  start: number
  end: number
  minutes: number
}

/** A query of the marks: the newest of this interval whose window ended at or before this time. */
export interface LookUp {
  interval: Interval
  atOrBefore: number
}

/** Names of the queries. */
export const LOOK_UPS = ['openingPreferred', 'openingOwn', 'closing', 'latest'] as const
/** The answers of the marks, and the current window. */
export type Found = Record<(typeof LOOK_UPS)[number], Mark | null> & { live: LiveWindow | null }

/** The interval in which openings are looked up first: a finer one for days. */
const PREFERRED: Readonly<Record<Interval, Interval>> = { '5m': '5m', '15m': '15m', '1h': '1h', '4h': '4h', '1d': '5m' }

/** The time range of a market. Without a start, it lasts as long as given, or as a window of the series. */
export function marketWindow(interval: Interval, end: number, start: number | null, minutes: number | null): MarketWindow {
  const lasting = minutes ?? MINUTES[interval]
  return { start: start ?? end - lasting * 60_000, end, minutes: lasting }
}

/** The queries for a market. Target times are aligned down, so that no answer is from after them. */
export function lookUps({ interval }: Series, { start, end }: MarketWindow, now: number): Record<(typeof LOOK_UPS)[number], LookUp> {
  const preferred = PREFERRED[interval]
  return {
    openingPreferred: { interval: preferred, atOrBefore: alignDown(start, preferred) },
    openingOwn: { interval, atOrBefore: alignDown(start, interval) },
    closing: { interval, atOrBefore: alignDown(end, interval) },
    latest: { interval, atOrBefore: alignDown(now, interval) },
  }
}

/** Sources of the opening price, best first. */
const OPENING: readonly ((found: Found, start: number) => number | null)[] = [
  ({ openingPreferred }) => openingPreferred?.price ?? null,
  ({ openingOwn }) => openingOwn?.price ?? null,
  ({ live }, start) => (live && live.start <= start && start < live.end ? live.openingPrice : null),
]

/** Whether a market's time is over. */
const isClosed = ({ end }: MarketWindow, now: number) => now > end

/** The opening price, or null when no mark is that old. */
export function openingPrice(found: Found, { start }: MarketWindow): number | null {
  for (const from of OPENING) {
    const price = from(found, start)
    if (price !== null) return price
  }
  return null
}

/** The closing price, or null before the end and without history. */
const closingPrice = (found: Found, window: MarketWindow, now: number): number | null =>
  isClosed(window, now) ? (found.closing?.price ?? null) : null

/** The price reference snapshot, as the interface names its fields. */
export function snapshot(series: Series, window: MarketWindow, found: Found, now: number) {
  const { slug, instrument, interval, source } = series
  return {
    series_slug: slug,
    instrument,
    interval,
    source,
    interval_ms: lengthOf(interval),
    active_window_minutes: window.minutes,
    event_window_start_ms: window.start,
    event_window_end_ms: window.end,
    opening_price: openingPrice(found, window),
    closing_price: closingPrice(found, window, now),
    latest_price: found.latest?.price ?? null,
    latest_window_end_ms: found.latest?.windowEnd ?? alignDown(now, interval),
    latest_source_timestamp_ms: found.latest?.sourceTimestamp ?? 0,
    is_event_closed: isClosed(window, now),
  }
}

/** The prices exactly at the start and end of a market; null while one of them is missing. */
export function settledPrices(series: Series, window: MarketWindow, found: Found): { opening: number; closing: number } | null {
  const wanted = lookUps(series, window, window.end)
  const at = (mark: Mark | null, { atOrBefore }: LookUp) => (mark?.windowEnd === atOrBefore ? mark.price : null)
  const opening = at(found.openingPreferred, wanted.openingPreferred) ?? at(found.openingOwn, wanted.openingOwn)
  const closing = at(found.closing, wanted.closing)
  return opening === null || closing === null ? null : { opening, closing }
}
