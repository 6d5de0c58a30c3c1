/** Stretches of time that the leaderboard can show; the first is what a bare address means. */
export const PERIODS = ['week', 'day', 'month', 'all'] as const
export type Period = (typeof PERIODS)[number]
/** What it can be ordered by; the first is what a bare address means. */
export const ORDERS = ['pnl', 'vol'] as const
export type Order = (typeof ORDERS)[number]

/** Reads what a leaderboard address asks for; anything else is the first. */
export const readPeriod = (value: string | null): Period => PERIODS.find((each) => each === value) ?? PERIODS[0]
export const readOrder = (value: string | null): Order => ORDERS.find((each) => each === value) ?? ORDERS[0]

/** The query of a leaderboard's address, with defaults left out. */
export function leadersHref(period: Period, order: Order): string {
  const params = new URLSearchParams()
  if (period !== PERIODS[0]) params.set('period', period)
  if (order !== ORDERS[0]) params.set('by', order)
  return `?${params}`
}
