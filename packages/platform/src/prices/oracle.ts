import type { LiveWindow, Mark } from './choose-prices.ts'
import type { Interval } from './intervals.ts'

/** The window under way as a source sees it: its opening price, and the last price. */
export interface LivePrice extends LiveWindow {
  price: number
  timestamp: number
}

/** A source of reference prices. Times in Unix milliseconds; `symbol` is what the source calls an instrument. */
export interface Oracle {
  /** As people read it. */
  readonly name: string
  /** Its prices are made up. */
  readonly simulated: boolean
  /** Windows that one question may span. */
  readonly most: number
  /** Settled prices of the windows that ended after `after` and at or before `until`, oldest first. What the source lacks is left out. */
  settled(symbol: string, interval: Interval, after: number, until: number): Promise<Mark[]>
  /** The window under way at `now`; null when the source does not tell. */
  live(symbol: string, interval: Interval, now: number): Promise<LivePrice | null>
}

/** A source answered what cannot be used. The message says what was wrong with it. */
export class OracleError extends Error {
  override readonly name = 'OracleError'
}
