import type { ClosedPosition, Position } from '@augury/wire/data'
import { PAGE_MAX } from '@augury/wire/limits'

/**
 * What somebody gained in all, in USDC, by what they hold and what they held; null where that is unknown. A list of `PAGE_MAX` may be a part:
 * ordered as it is, it would tell of the best of it alone.
 */
export function personGain(
  held: readonly Pick<Position, 'cashPnl' | 'realizedPnl'>[] | null,
  closed: readonly Pick<ClosedPosition, 'realizedPnl'>[] | null,
): number | null {
  if (held === null || closed === null || held.length === PAGE_MAX || closed.length === PAGE_MAX) return null
  const open = held.reduce((sum, { cashPnl, realizedPnl }) => sum + cashPnl + realizedPnl, 0)
  return closed.reduce((sum, { realizedPnl }) => sum + realizedPnl, open)
}
