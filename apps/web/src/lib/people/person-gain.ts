import type { ClosedPosition, Position } from '@augury/wire/data'
import { PAGE_MAX } from '@augury/wire/limits'

/**
 * Total gain of a person in USDC, from open and closed positions; null if unknown. A list of `PAGE_MAX` rows may be incomplete, and by its order
 * would only have the best positions.
 */
export function personGain(
  held: readonly Pick<Position, 'cashPnl' | 'realizedPnl'>[] | null,
  closed: readonly Pick<ClosedPosition, 'realizedPnl'>[] | null,
): number | null {
  if (held === null || closed === null || held.length === PAGE_MAX || closed.length === PAGE_MAX) return null
  const open = held.reduce((sum, { cashPnl, realizedPnl }) => sum + cashPnl + realizedPnl, 0)
  return closed.reduce((sum, { realizedPnl }) => sum + realizedPnl, open)
}
