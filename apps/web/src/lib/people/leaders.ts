/** Periods of the leaderboard, shortest first. */
export const PERIODS = ['day', 'week', 'month', 'all'] as const
/** The default period. */
const USUAL: Period = 'week'
export type Period = (typeof PERIODS)[number]
/** Orders of the leaderboard; the first is the default. */
export const ORDERS = ['pnl', 'vol'] as const
export type Order = (typeof ORDERS)[number]

/** Parses the query of the leaderboard; invalid values mean the default. */
export const readPeriod = (value: string | null): Period => PERIODS.find((each) => each === value) ?? USUAL
export const readOrder = (value: string | null): Order => ORDERS.find((each) => each === value) ?? ORDERS[0]

/** Places on a page, and on the board. */
export const SHOWN = 50
export const PLACES = 1000

/** Parses after how many places a page begins; invalid values mean the first page, and what is beyond the board its last. */
export function readPlace(value: string | null): number {
  const place = Number(value)
  return Number.isSafeInteger(place) && place > 0 ? Math.min(place - (place % SHOWN), PLACES - SHOWN) : 0
}

/** The rows of a page, and those of the reader's own place in its order, unless it is on the page. */
export function withOwn<Row extends { rank: string; proxyWallet: string }>(page: readonly Row[], own: readonly Row[]): Row[] {
  // By whose place it is, not by its rank, which may change between the two answers.
  const elsewhere = own.filter(({ proxyWallet }) => page.every((row) => row.proxyWallet !== proxyWallet))
  return [...page, ...elsewhere].sort((one, other) => Number(one.rank) - Number(other.rank))
}

/** The query string of a page of the leaderboard, without defaults. */
export function leadersHref(period: Period, order: Order, after = 0): string {
  const params = new URLSearchParams()
  if (period !== USUAL) params.set('period', period)
  if (order !== ORDERS[0]) params.set('by', order)
  if (after > 0) params.set('after', String(after))
  return `?${params}`
}
