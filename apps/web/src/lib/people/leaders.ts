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

/** The query string of the leaderboard, without defaults. */
export function leadersHref(period: Period, order: Order): string {
  const params = new URLSearchParams()
  if (period !== USUAL) params.set('period', period)
  if (order !== ORDERS[0]) params.set('by', order)
  return `?${params}`
}
