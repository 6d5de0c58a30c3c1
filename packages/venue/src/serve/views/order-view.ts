import type { OrderState, OrderView } from '@augury/engine/event'
import { formatDecimal, formatLots, formatPrice, formatUsdc } from '@augury/units/decimal'
import { mulDivHalfUp } from '@augury/units/mul-div'
import type { Order } from '@augury/wire/order'
import { getAddress } from 'viem'
import { decodeAnnex } from '../../base/annex.ts'
import type { Markets } from '../reference/markets.ts'

/** Returns the established name of a state: the one `status` of an order on every surface but `/compat`. */
function statusOf(state: OrderState, reason: string | null): Order['status'] {
  if (state === 'live' || state === 'partially_filled') return 'LIVE'
  if (state === 'filled') return 'MATCHED'
  if (state === 'rejected') return 'INVALID'
  return reason === 'resolved' ? 'CANCELED_MARKET_RESOLVED' : 'CANCELED'
}

/**
 * Returns the `status` that an order has everywhere below `/compat`, in reads as in streams. There, an order that ended without being filled is
 * cancelled, whatever the reason, which `cancel_reason` has: published clients know no other word in a stream.
 */
export const compatStatus = (status: Order['status']): Order['status'] =>
  status === 'INVALID' || status === 'CANCELED_MARKET_RESOLVED' ? 'CANCELED' : status

/** Average price in USDC, to a millionth, of `lots` that cost `cost` millionths; null for none. */
export const averagePrice = (cost: number, lots: number): string | null => (lots ? formatDecimal(mulDivHalfUp(cost, 100, lots), 6) : null)

const iso = (ms: number): string => new Date(ms).toISOString()

/** Lots that an order asked for; of one by budget what that buys at its worst price, unless it got more. */
const askedLots = ({ budget, price, lots }: OrderView): number => (budget === 0 ? lots : Math.max(lots, Math.floor(budget / price)))

/** An order as its owner sees it, with the milliseconds of its last change and the ids of its trades, which history has. */
export function orderView(order: OrderView, markets: Markets, { updatedAt, trades }: { updatedAt: number; trades: string[] }): Order {
  const by = decodeAnnex(order.annex)
  const market = markets.market(order.condition)
  if (!market) throw new Error(`no metadata of condition ${order.condition}`)
  const asked = askedLots(order)
  return {
    id: order.orderId,
    orderId: order.orderId,
    state: order.state,
    status: statusOf(order.state, order.reason),
    owner: by.owner,
    maker_address: getAddress(by.maker ?? order.account),
    market: order.condition,
    asset_id: market.tokens[order.outcome],
    side: order.side,
    outcome: market.outcomes[order.outcome],
    original_size: formatLots(asked),
    size_matched: formatLots(order.matched),
    remaining_size: formatLots(order.budget === 0 ? order.remaining : asked - order.matched),
    price: formatPrice(order.price),
    avg_price: averagePrice(order.matchedCost, order.matched),
    amount: order.budget === 0 ? null : formatUsdc(order.budget),
    amount_matched: formatUsdc(order.matchedCost),
    fee: formatUsdc(order.first.fee),
    order_type: order.orderType,
    post_only: order.postOnly,
    client_order_id: by.clientOrderId,
    associate_trades: trades,
    created_at: Math.floor(order.at / 1000),
    created_at_iso: iso(order.at),
    updated_at: iso(updatedAt),
    expiration: String(order.expiration),
    expiration_iso: order.expiration ? iso(order.expiration * 1000) : null,
    cancel_reason: order.reason,
    seq: order.seq,
  }
}
