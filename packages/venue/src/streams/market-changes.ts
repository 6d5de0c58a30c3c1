import type { Hex } from '@augury/engine/command'
import type { Event } from '@augury/engine/event'
import type { AppliedRow } from '../venue.ts'

type Fill = Extract<Event, { type: 'fill' }>

/** What one row of the log changed about one condition: the source of every public frame. */
export interface MarketChange {
  /** Levels in Yes steps after the row, one per side and price; 0 lots when it is gone. */
  levels: Map<string, { side: 'bid' | 'ask'; price: number; lots: number }>
  /** Fills in the order they happened, each with the `n` of the trade it belongs to. */
  fills: { seq: number; tradeN: number; fill: Fill }[]
  /** Changes of the condition itself, in order. */
  conditions: Extract<Event, { type: 'condition' }>[]
}

/** Sorts the public events of a row by condition, in order of their first event. */
export function marketChanges(row: AppliedRow): Map<Hex, MarketChange> {
  const changes = new Map<Hex, MarketChange>()
  const of = (condition: Hex): MarketChange => {
    const change = changes.get(condition) ?? { levels: new Map(), fills: [], conditions: [] }
    changes.set(condition, change)
    return change
  }
  for (const { seq, events } of row.outcomes) {
    const tradeNs = tradeNsOf(events)
    for (const event of events) {
      if (event.type === 'level') of(event.condition).levels.set(`${event.side}${event.price}`, event)
      else if (event.type === 'fill') of(event.condition).fills.push({ seq, tradeN: tradeNs.get(event)!, fill: event })
      else if (event.type === 'condition') of(event.condition).conditions.push(event)
    }
  }
  return changes
}

/** The trade of each fill of a command, named by its first fill: what one taker trades at one price is one trade, with one id everywhere. */
export function tradeNsOf(events: readonly Event[]): Map<Event, number> {
  const ns = new Map<Event, number>()
  let last = { price: 0, n: 0 }
  for (const event of events) {
    if (event.type !== 'fill') continue
    if (last.price !== event.taker.price) last = { price: event.taker.price, n: event.n }
    ns.set(event, last.n)
  }
  return ns
}

/** The numbers of the trades of a command, in order. */
export function tradeNumbers(events: readonly Event[]): number[] {
  const numbers: number[] = []
  let price = 0
  for (const event of events) {
    if (event.type !== 'fill' || event.taker.price === price) continue
    price = event.taker.price
    numbers.push(event.n)
  }
  return numbers
}
