import { parseLots, parseUsdc } from '@augury/units/decimal'
import type { PlainOrder } from '@augury/wire/order-body'
import type { OrderResult } from '@augury/wire/order-result'
import { cents, countedShares, money, preciseCents, shares, steps } from '#lib/language/numbers.ts'
import { m } from '#lib/paraglide/messages.js'
import { CHANGE } from './order-preview.ts'

/** Immediate result of an order, without amounts if unknown. */
type Outcome = Pick<OrderResult, 'state' | 'size_matched' | 'remaining_size' | 'avg_price' | 'fee'> &
  Partial<Pick<OrderResult, 'makingAmount' | 'takingAmount'>>

/** An order as sent. `spend`: the millionths that were typed for a market BUY by money, of which its budget is the part before the fee. */
type SentOrder = Pick<PlainOrder, 'side' | 'price'> & { spend?: number | null }

/** Sentences about the result of an order: what was filled and paid, what rests, what was cancelled. */
export function doneSentences(result: Outcome, order: SentOrder, outcome: string): string[] {
  const matched = parseLots(result.size_matched)
  const rest = parseLots(result.remaining_size)
  const fee = parseUsdc(result.fee)
  const sentences: string[] = []
  if (matched > 0) {
    const price = result.avg_price === null ? '' : averageCents(result.avg_price)
    const facts = { shares: shares(matched), outcome, price }
    sentences.push(order.side === 'BUY' ? m.ticket_done_bought(facts) : m.ticket_done_sold(facts))
    sentences.push(...movedSentence(result, order.side, fee))
  }
  const waits = result.state === 'live' || result.state === 'partially_filled'
  // An order by money has no number of shares: its unspent part is given in money.
  const unspent = order.spend == null || result.makingAmount === undefined ? 0 : order.spend - parseUsdc(result.makingAmount) - fee
  if (waits && rest > 0) sentences.push(m.ticket_done_rests({ ...countedShares(rest), price: cents(steps(Number(order.price))) }))
  if (!waits && rest > 0) sentences.push(m.ticket_done_cancelled(countedShares(rest)))
  if (unspent >= CHANGE) sentences.push(m.ticket_done_unspent({ money: money(unspent / 1e6) }))
  return sentences
}

/** Sentence about the total paid or received, including the fee. */
function movedSentence({ makingAmount, takingAmount }: Outcome, side: PlainOrder['side'], fee: number): string[] {
  const shownFee = money(fee / 1e6)
  if (makingAmount === undefined || takingAmount === undefined) return fee > 0 ? [m.ticket_done_fee({ fee: shownFee })] : []
  const moved = money((side === 'BUY' ? parseUsdc(makingAmount) + fee : parseUsdc(takingAmount) - fee) / 1e6)
  if (fee === 0) return [side === 'BUY' ? m.ticket_done_paid({ money: moved }) : m.ticket_done_got({ money: moved })]
  const facts = { money: moved, fee: shownFee }
  return [side === 'BUY' ? m.ticket_done_paid_fee(facts) : m.ticket_done_got_fee(facts)]
}

/** Formats an average price, which may be between steps, in cents. */
const averageCents = (price: string) => preciseCents(Math.round(Number(price) * 1_000_000))
