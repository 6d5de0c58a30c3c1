import type { Event } from '@augury/engine/event'

/** An order of the book that was met, and what changed hands. */
export type Fill = Extract<Event, { type: 'fill' }>

/** The trades of a command, in order: what one taker trades at one price is one trade, named by its first fill, with one id everywhere. */
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
