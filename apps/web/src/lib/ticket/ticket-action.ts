import { money, shares } from '#lib/language/numbers.ts'
import { m } from '#lib/paraglide/messages.js'
import type { Ticket } from './ticket.svelte.ts'

/** What the button does: the action with the money that leaves the account, fee inside, or the shares that are sold. */
export function actionOf(ticket: Ticket): string {
  const outcome = ticket.market?.outcomes[ticket.outcome] ?? ''
  return ticket.side === 'BUY'
    ? m.ticket_submit({ side: m.ticket_buy(), outcome, amount: money((ticket.obstacle ? ticket.asks : ticket.takes) / 1e6) })
    : m.ticket_submit({ side: m.ticket_sell(), outcome, amount: shares(ticket.lots ?? 0) })
}
