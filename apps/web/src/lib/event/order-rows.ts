import type { ActivityItem } from '@augury/wire/platform/activity'

/** Trades of an event that one order made at once, as a row: with all its shares and its average price, in parts of a USDC. */
export type OrderRow = Pick<ActivityItem, 'id' | 'user' | 'side' | 'outcome' | 'market' | 'created_at'> & {
  /** In millionths of a share and of a USDC. */
  amount: number
  total: number
}

/** The command that made a trade: an id is its position, and the number of its first fill. */
const commandOf = ({ id }: ActivityItem): string => id.split('-', 1)[0]!

/**
 * Adds up the trades of each order, newest first, to at most `count` rows. `isWhole` tells whether the list ends with `trades`: if not, the last
 * order may have more of them, and is left out unless it is the only one.
 */
export function orderRows(trades: readonly ActivityItem[], count: number, isWhole: boolean): OrderRow[] {
  const orders = [...Map.groupBy(trades, commandOf).values()]
  const whole = isWhole || orders.length === 1 ? orders : orders.slice(0, -1)
  return whole.slice(0, count).map((parts) => {
    const { id, user, side, outcome, market, created_at } = parts[0]!
    const sum = (of: 'amount' | 'total_value') => parts.reduce((total, part) => total + Number(part[of]), 0)
    return { id, user, side, outcome, market, created_at, amount: sum('amount'), total: sum('total_value') }
  })
}
