import { percentOf, volume } from '#lib/language/numbers.ts'
import { m } from '#lib/paraglide/messages.js'
import type { Ticket } from './ticket.svelte.ts'

/** A quantity by one press; `whole` is what there is to take a part of, 0 while that is nothing or not known. */
export interface TicketChip {
  name: string
  whole: number
  use: () => void
}

const AMOUNTS = [10, 50, 100] as const
const PARTS = [0.25, 0.5, 0.75, 1] as const

/** Dollars where dollars are spent at once, parts of what there is elsewhere; the last one is all of it. */
export function ticketChips(ticket: Ticket): TicketChip[] {
  const whole = (ticket.side === 'BUY' ? ticket.cash : ticket.owned) ?? 0
  if (ticket.side === 'BUY' && ticket.kind === 'market') {
    const amounts = AMOUNTS.map((amount) => ({ name: volume(amount), whole: amount, use: () => ticket.spend(amount) }))
    return [...amounts, { name: m.ticket_max(), whole, use: () => ticket.fill(1) }]
  }
  return PARTS.map((part) => ({ name: part === 1 ? m.ticket_max() : percentOf(part), whole, use: () => ticket.fill(part) }))
}
