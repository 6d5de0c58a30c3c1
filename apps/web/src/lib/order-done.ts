import { parseLots, parseUsdc } from '@augury/units/decimal'
import type { OrderResult } from '@augury/wire/order-result'
import { cents, money, preciseCents, shares } from './numbers.ts'
import { m } from './paraglide/messages.js'
import type { Side } from './ticket.svelte.ts'

/** What became of an order, in sentences: what was traded and what it cost, what waits, what was cancelled. `limit` in steps, where there was one. */
export function doneSentences(result: OrderResult, side: Side, outcome: string, limit: number | null): string[] {
  const matched = parseLots(result.size_matched)
  const rest = parseLots(result.remaining_size)
  const fee = parseUsdc(result.fee)
  const sentences: string[] = []
  if (matched > 0) {
    const price = result.avg_price === null ? '' : averageCents(result.avg_price)
    const facts = { shares: shares(matched), outcome, price }
    sentences.push(side === 'BUY' ? m.ticket_done_bought(facts) : m.ticket_done_sold(facts))
    if (fee > 0) sentences.push(m.ticket_done_fee({ fee: money(Math.ceil(fee / 1e4) / 100) }))
  }
  const waits = result.state === 'live' || result.state === 'partially_filled'
  if (waits && rest > 0 && limit !== null) sentences.push(m.ticket_done_rests({ shares: shares(rest), price: cents(limit) }))
  if (!waits && rest > 0 && limit !== null) sentences.push(m.ticket_done_cancelled({ shares: shares(rest) }))
  return sentences
}

/** An average price, which may lie between steps, in cents. */
const averageCents = (price: string) => preciseCents(Math.round(Number(price) * 1_000_000))
