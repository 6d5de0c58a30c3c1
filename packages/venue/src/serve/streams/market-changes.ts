import type { Hex } from '@augury/engine/command'
import type { Event } from '@augury/engine/event'
import { type Fill, tradesOf } from '../../base/trades-of.ts'
import type { AppliedRow } from '../../record/log/applied-row.ts'

/** What one row of the log changed about one condition: the source of every public frame. */
export interface MarketChange {
  /** Levels in Yes steps after the row, one per side and price; 0 lots when it is gone. */
  levels: Map<string, { side: 'bid' | 'ask'; price: number; lots: number }>
  /** Fills in the order they happened, each with the `n` of the trade it belongs to. */
  fills: { seq: number; tradeN: number; fill: Fill }[]
  /** Changes of the condition itself, in order. */
  conditions: Extract<Event, { type: 'condition' }>[]
}

/** Whether a change is one of the book, as opposed to one of what its orders may do. */
export const isOfBook = ({ levels, fills, conditions }: MarketChange): boolean =>
  levels.size > 0 || fills.length > 0 || conditions.some(({ change }) => change === 'registered' || change === 'grid')

/** Sorts the public events of a row by condition, in order of their first event. */
export function marketChanges(row: AppliedRow): Map<Hex, MarketChange> {
  const changes = new Map<Hex, MarketChange>()
  const of = (condition: Hex): MarketChange => {
    const change = changes.get(condition) ?? { levels: new Map(), fills: [], conditions: [] }
    changes.set(condition, change)
    return change
  }
  for (const { seq, events } of row.outcomes) {
    for (const { n, fills } of tradesOf(events)) {
      for (const fill of fills) of(fill.condition).fills.push({ seq, tradeN: n, fill })
    }
    for (const event of events) {
      if (event.type === 'level') of(event.condition).levels.set(`${event.side}${event.price}`, event)
      else if (event.type === 'condition') of(event.condition).conditions.push(event)
    }
  }
  return changes
}
