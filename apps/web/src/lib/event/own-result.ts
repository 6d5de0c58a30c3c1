import type { Activity, Position } from '@augury/wire/data'
import type { MarketView } from './event-view.ts'

/** What a member has from the decided markets of an event. Money in dollars. */
export interface OwnResult {
  /** What their shares pay altogether; 0 if none of them won. */
  won: number
  /** The part of it that is not claimed yet. */
  unclaimed: number
}

/** What a member has from decided markets, by their positions and what was paid to them; null if they had no shares there at the end. */
export function ownResult(markets: readonly MarketView[], positions: readonly Position[], payouts: readonly Activity[]): OwnResult | null {
  const decided = new Set(markets.filter(({ result }) => result !== null).map(({ conditionId }) => conditionId))
  const held = positions.filter(({ conditionId }) => decided.has(conditionId))
  const paid = payouts.filter(({ conditionId, type }) => type === 'REDEEM' && decided.has(conditionId))
  if (held.length + paid.length === 0) return null
  const unclaimed = sum(held.filter(({ redeemable }) => redeemable).map(({ currentValue }) => currentValue))
  return { won: unclaimed + sum(paid.map(({ usdcSize }) => usdcSize)), unclaimed }
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0)
