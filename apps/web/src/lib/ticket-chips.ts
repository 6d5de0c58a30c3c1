import { percentOf } from './numbers.ts'
import { m } from './paraglide/messages.js'
import type { Ticket } from './ticket.svelte.ts'

/** A quantity by one press. */
export interface TicketChip {
  name: string
  use: () => void
}

const AMOUNTS = [10, 50, 100] as const
const PARTS = [0.25, 0.5, 0.75, 1] as const

/** Dollars where dollars are spent at once, parts of what there is elsewhere; the last one is all of it. */
export function ticketChips(ticket: Ticket): TicketChip[] {
  if (ticket.side === 'BUY' && ticket.kind === 'market') {
    const amounts = AMOUNTS.map((amount) => ({ name: `$${amount}`, use: () => ticket.spend(amount) }))
    return [...amounts, { name: m.ticket_max(), use: () => ticket.fill(1) }]
  }
  return PARTS.map((part) => ({ name: part === 1 ? m.ticket_max() : percentOf(part), use: () => ticket.fill(part) }))
}
