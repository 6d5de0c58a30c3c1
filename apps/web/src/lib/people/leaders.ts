/** Stretches of time that the leaderboard can show, the shortest first. */
export const PERIODS = ['day', 'week', 'month', 'all'] as const
/** What a bare address means. */
const USUAL: Period = 'week'
export type Period = (typeof PERIODS)[number]
/** What it can be ordered by; the first is what a bare address means. */
export const ORDERS = ['pnl', 'vol'] as const
export type Order = (typeof ORDERS)[number]

/** Reads what a leaderboard address asks for; anything else is what a bare one means. */
export const readPeriod = (value: string | null): Period => PERIODS.find((each) => each === value) ?? USUAL
export const readOrder = (value: string | null): Order => ORDERS.find((each) => each === value) ?? ORDERS[0]

/** The query of a leaderboard's address, with defaults left out. */
export function leadersHref(period: Period, order: Order): string {
  const params = new URLSearchParams()
  if (period !== USUAL) params.set('period', period)
  if (order !== ORDERS[0]) params.set('by', order)
  return `?${params}`
}
