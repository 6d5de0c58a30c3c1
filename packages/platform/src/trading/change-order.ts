import { RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import { formatLots, parseLots, parsePrice } from '@augury/units/decimal'
import type { Order } from '@augury/wire/order'
import type { PlainOrder } from '@augury/wire/order-body'
import type { ChangedOrder, ChangeOrder, OrderToChange } from '@augury/wire/platform/portfolio'
import { ServiceError } from '@augury/wire/service-error'
import { refuseByOwnLimits } from '../account/preferences.ts'
import type { Member } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { asMember } from './member-exchange.ts'
import { showOrders } from './open-orders.ts'

/** Price levels per side that are shown, to estimate what an order at another price would match. */
const DEPTH = 50

/** An open order of the member as it is now, with what is needed to change it. Throws `order_ended`. */
export async function orderToChange(site: Site, member: Member, { query }: { query: { id: string } }): Promise<OrderToChange> {
  return asMember(site, member, async (exchange) => {
    const order = await exchange.getOrder({ params: { id: query.id } })
    if (!isOpen(order)) throw new ServiceError('order_ended', { extras: { state: order.state } })
    const [market, book, [shown]] = await Promise.all([
      site.exchange.anybody.getMarket({ params: { condition_id: order.market } }),
      site.exchange.anybody.getOrderbook({ query: { token_id: order.asset_id, depth: DEPTH } }),
      showOrders(site, [order]),
    ])
    const { tick_size, last_trade_price, bids, asks } = book
    return {
      order: shown!,
      post_only: order.post_only,
      fee_rate_bps: market.fee_rate_bps,
      minimum_size: String(market.minimum_order_size),
      book: { tick_size, last_trade_price, bids, asks },
    }
  })
}

/**
 * Gives an open order of the member another price or size; `size` includes what was filled already. One that only becomes smaller keeps its
 * place in the queue; any other change replaces it by a new order, atomically and only if no more was filled than the caller has seen.
 * Throws what placing and cancelling throw, and `size_too_small` where at least that much was filled.
 */
export function changeOrder(site: Site, member: Member, { body }: { body: ChangeOrder }): Promise<ChangedOrder> {
  return asMember(site, member, (exchange) => change(site, member, exchange, body), { changes: true })
}

async function change(site: Site, member: Member, exchange: VenueClient, body: ChangeOrder): Promise<ChangedOrder> {
  const old = await exchange.getOrder({ params: { id: body.id } })
  const lots = parseLots(body.size)
  if (parsePrice(body.price) === parsePrice(old.price) && lots <= parseLots(old.original_size)) {
    const { orderId, state, size_matched, remaining_size } = await exchange.amendOrder({ body: { orderId: body.id, size: body.size } })
    return { orderId, kept_place: true, state, filled_before: size_matched, size_matched: '0', remaining_size, avg_price: null, fee: '0' }
  }
  const rest = lots - parseLots(old.size_matched)
  if (rest <= 0) throw new ServiceError('size_too_small')
  const order = instead(old, body, rest)
  if (member.banned) throw new ServiceError('account_banned')
  await refuseByOwnLimits(site, member, order)
  try {
    const only_if = { size_matched: old.size_matched }
    const { order: placed } = await exchange.replaceOrder({ body: { cancel: body.id, order, only_if } })
    const { orderId, state, size_matched, remaining_size, avg_price, fee } = placed
    return { orderId, kept_place: false, state, filled_before: old.size_matched, size_matched, remaining_size, avg_price, fee }
  } catch (error) {
    // It was filled further since it was read: recompute what is left of it.
    if (error instanceof RefusedError && error.code === 'only_if_unmet') return change(site, member, exchange, body)
    throw error
  }
}

/** The order that replaces another, with its remaining terms. */
function instead(old: Order, { price, clientOrderId }: ChangeOrder, rest: number): PlainOrder {
  const { asset_id: tokenId, side, order_type: orderType, post_only: postOnly, expiration } = old
  const until = expiration === '0' ? {} : { expiration: Number(expiration) }
  return { tokenId, side, orderType, price, size: formatLots(rest), postOnly, clientOrderId, ...until }
}

const isOpen = ({ state }: Order) => state === 'live' || state === 'partially_filled'
