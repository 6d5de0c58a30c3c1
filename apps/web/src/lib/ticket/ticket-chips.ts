import { percentOf, volume } from '#lib/language/numbers.ts'
import { m } from '#lib/paraglide/messages.js'
import type { Ticket } from './ticket.svelte.ts'

/** A preset quantity; `whole` is the amount that it is a part of, 0 if there is none or it is unknown. */
export interface TicketChip {
  name: string
  whole: number
  use: () => void
}

const AMOUNTS = [10, 50, 100] as const
const PARTS = [0.25, 0.5, 0.75, 1] as const

/** Presets: dollar amounts for market BUYs, else parts of the available amount; the last one is all of it. */
export function ticketChips(ticket: Ticket): TicketChip[] {
  const whole = (ticket.side === 'BUY' ? ticket.cash : ticket.owned) ?? 0
  if (ticket.side === 'BUY' && ticket.kind === 'market') {
    const amounts = AMOUNTS.map((amount) => ({ name: volume(amount), whole: amount, use: () => ticket.setMoney(amount) }))
    return [...amounts, { name: m.ticket_max(), whole, use: () => ticket.fill(1) }]
  }
  return PARTS.map((part) => ({ name: part === 1 ? m.ticket_max() : percentOf(part), whole, use: () => ticket.fill(part) }))
}
