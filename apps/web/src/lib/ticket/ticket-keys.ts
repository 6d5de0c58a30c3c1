import { decimalPoint } from '#lib/language/numbers.ts'
import type { Ticket } from './ticket.svelte.ts'
import type { TicketChip } from './ticket-chips.ts'

const CHOICES: Readonly<Record<string, (ticket: Ticket) => void>> = {
  b: (ticket) => ticket.chooseSide('BUY'),
  s: (ticket) => ticket.chooseSide('SELL'),
  y: (ticket) => aim(ticket, 0),
  n: (ticket) => aim(ticket, 1),
  m: (ticket) => ticket.chooseKind('market'),
  l: (ticket) => ticket.chooseKind('limit'),
}
function aim(ticket: Ticket, outcome: 0 | 1) {
  if (ticket.market) ticket.aim(ticket.market, outcome)
}

/**
 * Applies a single-key shortcut and returns whether it was one of the ticket's. A choice arms the ticket: from then on digits are the amount, until
 * Escape. Before, 1 to 4 are the presets. The focus stays where it is.
 */
export function pressTicketKey(ticket: Ticket, key: string, chips: readonly TicketChip[]): boolean {
  const choose = CHOICES[key]
  if (choose) {
    choose(ticket)
    ticket.arm()
    return true
  }
  if (ticket.armed) return edit(ticket, key)
  const chip = /^[1-4]$/.test(key) ? chips[Number(key) - 1] : undefined
  if (!chip || chip.whole === 0) return false
  chip.use()
  return true
}

/** Applies a key to the amount of an armed ticket: a digit, the decimal point, or Backspace. */
function edit(ticket: Ticket, key: string): boolean {
  const before = ticket.isFresh ? '' : ticket.quantity
  const point = decimalPoint()
  if (/^\d$/.test(key)) ticket.quantity = before + key
  else if (key === 'Backspace') ticket.quantity = before.slice(0, -1)
  else if (key === '.' || key === ',') ticket.quantity = before.includes(point) ? before : `${before || '0'}${point}`
  else return false
  ticket.isFresh = false
  return true
}
