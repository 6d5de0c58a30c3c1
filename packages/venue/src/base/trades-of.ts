import type { Event } from '@augury/engine/event'

/** One fill: a resting order that was matched, and what changed hands. */
export type Fill = Extract<Event, { type: 'fill' }>

/**
 * The trades of a command, in order. Consecutive fills of the taker at one price are one trade, whose number `n` is that of its first fill;
 * `price` is in steps of the taker's token.
 */
export function tradesOf(events: readonly Event[]): { n: number; price: number; fills: Fill[] }[] {
  const trades: { n: number; price: number; fills: Fill[] }[] = []
  for (const event of events) {
    if (event.type !== 'fill') continue
    const last = trades.at(-1)
    if (last?.price === event.taker.price) last.fills.push(event)
    else trades.push({ n: event.n, price: event.taker.price, fills: [event] })
  }
  return trades
}
