import { cents, countedShares, money, percentOf, shares, spendable } from '#lib/language/numbers.ts'
import { priceProblem } from '#lib/language/typed-number.ts'
import { m } from '#lib/paraglide/messages.js'
import type { Ticket } from './ticket.svelte.ts'

/** Why the order cannot be sent, in words; empty where nothing has to be said. */
export function problemOf(ticket: Ticket): string {
  const { obstacle, side, cash, owned, asks, terms } = ticket
  if (obstacle === 'bad_price') return priceProblem(ticket.limit, ticket.grid)
  if (obstacle === 'bad_quantity') return ticket.unread
  if (obstacle === 'off_grid') return m.ticket_off_grid({ step: cents(ticket.grid) })
  if (obstacle === 'too_small') return m.ticket_too_small(countedShares(terms!.minLots))
  if (obstacle === 'too_much') return m.ticket_too_much({ money: money(asks / 1e6), available: spendable(cash ?? 0) })
  if (obstacle === 'too_many') return m.ticket_too_many(countedShares(owned ?? 0))
  if (obstacle === 'no_counterparty') return side === 'BUY' ? m.ticket_nobody_sells() : m.ticket_nobody_buys()
  return obstacle === 'bad_end' ? m.ticket_bad_end() : ''
}

/** What the order needs to be confirmed for, in words; empty without a risk. */
export function riskOf(ticket: Ticket): string {
  if (ticket.risk === 'through') return throughOf(ticket)
  if (ticket.risk === 'slippage') return m.ticket_confirm_slippage({ percent: percentOf(ticket.preview.slippage) })
  return ticket.risk === 'large' ? m.ticket_confirm_large({ percent: percentOf(ticket.cash ? ticket.takes / ticket.cash : 0) }) : ''
}

/** Returns the warnings before an order is sent. With `asked`, the question states the risk instead. */
export function warningsOf(ticket: Ticket, asked: boolean): string[] {
  if (!ticket.trades) return []
  const { through, warns, risk, preview } = ticket
  const isAsked = asked && risk !== 'large'
  const worse = through > 0 ? throughOf(ticket) : warns ? m.ticket_warn_slippage({ percent: percentOf(preview.slippage) }) : ''
  return [isAsked ? '' : worse, unmetOf(ticket)].filter((text) => text !== '')
}

/** The rest of a market order that finds no match; empty if there is none. */
function unmetOf({ rests, preview, obstacle, spend, lots, takes, type, unspent }: Ticket): string {
  // No money is left over if the balance is too small.
  if (rests || preview.lots === 0 || obstacle === 'too_much') return ''
  if (spend === null) {
    if (preview.left === 0) return ''
    const facts = { some: shares(preview.lots), all: shares(lots ?? 0) }
    return type === 'FOK' ? m.ticket_all_or_nothing(facts) : m.ticket_partly(facts)
  }
  if (unspent === 0) return ''
  if (type === 'FOK') return m.ticket_all_or_nothing({ some: money(takes / 1e6), all: money(spend / 1e6) })
  return m.ticket_money_left({ money: money(unspent / 1e6) })
}

/** Warning of a limit that is far through the market. */
export function throughOf({ side, through, price }: Pick<Ticket, 'side' | 'through' | 'price'>): string {
  const facts = { gap: cents(through), best: cents(side === 'BUY' ? price! - through : price! + through), limit: cents(price!) }
  return side === 'BUY' ? m.ticket_through_buy(facts) : m.ticket_through_sell(facts)
}

/** The fee of what fills at once. */
export function feeOf({ terms, preview }: Ticket): string {
  if (terms === null) return '–'
  return preview.fee === 0 ? m.ticket_no_fee() : money(preview.fee / 1e6)
}
