import type { LiveWindow, Mark } from './choose-prices.ts'
import type { Interval } from './intervals.ts'

/** The current window of a source: its opening price, and the last price. */
export interface LivePrice extends LiveWindow {
  price: number
  timestamp: number
}

/** A source of reference prices. Times in Unix milliseconds; `symbol` is what the source calls an instrument. */
export interface Oracle {
  /** Display name. */
  readonly name: string
  /** Whether its prices are made up. */
  readonly simulated: boolean
  /** Most windows of one request. */
  readonly most: number
  /** Settled prices of the windows that ended after `after` and at or before `until`, oldest first, without those that the source lacks. */
  settled(symbol: string, interval: Interval, after: number, until: number): Promise<Mark[]>
  /** The current window at `now`; null when the source does not have it. */
  live(symbol: string, interval: Interval, now: number): Promise<LivePrice | null>
}

/** A source gave an unusable answer. The message says what was wrong. */
export class OracleError extends Error {
  override readonly name = 'OracleError'
}
