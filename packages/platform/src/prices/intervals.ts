import type { PRICE_INTERVALS, PRICE_SOURCES } from '@augury/domain/platform/price-series.entity'

/** Length of the windows of a series. */
export type Interval = (typeof PRICE_INTERVALS)[number]
/** Where reference prices come from. */
export type Source = (typeof PRICE_SOURCES)[number]

const MINUTE_MS = 60_000

/** Minutes of each interval. */
export const MINUTES: Readonly<Record<Interval, number>> = { '5m': 5, '15m': 15, '1h': 60, '4h': 240, '1d': 1440 }

/** Milliseconds of an interval. */
export const lengthOf = (interval: Interval): number => MINUTES[interval] * MINUTE_MS

/** The boundary of an interval at or before a time in Unix milliseconds. Days begin at midnight UTC. */
export const alignDown = (time: number, interval: Interval): number => Math.floor(time / lengthOf(interval)) * lengthOf(interval)
