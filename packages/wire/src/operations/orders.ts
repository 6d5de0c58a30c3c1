import { z } from 'zod'
import { cancelManyResult, cancelResult } from '../cancel-result.ts'
import { BATCH_BODY_LIMIT } from '../limits.ts'
import { operation } from '../operation.ts'
import { order, orderLookup } from '../order.ts'
import { cancelBatch, cancelBody, cancelMarketBody, orderBatch, orderBody, orderIds } from '../order-body.ts'
import { orderLegResult, orderResult } from '../order-result.ts'
import { countedPage } from '../page.ts'
import { cursor, signedQuery } from '../query.ts'
import type { RefusalCode } from '../refusals.ts'
import { address, anyId, tokenText } from '../scalars.ts'

/** What placing an order may be refused with. */
export const placing = [
  'account_banned',
  'proxy_wallet_missing',
  'unknown_token',
  'market_closed',
  'market_paused',
  'venue_paused',
  'cancel_only',
  'post_only_mode',
  'owner_mismatch',
  'signer_mismatch',
  'bad_order_signature',
  'wrong_exchange_domain',
  'order_version_mismatch',
  'invalid_price_tick',
  'price_out_of_range',
  'size_too_small',
  'size_too_large',
  'invalid_amount_precision',
  'amount_too_small',
  'invalid_expiration',
  'post_only_type',
  'post_only_would_cross',
  'fok_not_filled',
  'fak_no_match',
  'self_trade',
  'insufficient_balance',
  'insufficient_shares',
  'too_many_orders',
  'duplicate_order',
  'client_order_id_conflict',
  'read_model_lagging',
  'overloaded',
  'standby',
  'service_unavailable',
] as const satisfies RefusalCode[]

/** What cancelling one order may be refused with. */
const cancelling = ['proxy_wallet_missing', 'order_not_found', 'order_not_owned', 'order_ended', 'cancel_failed'] as const

const orderId = z.object({ id: anyId })

export const orderOperations = {
  placeOrder: operation({
    method: 'POST',
    path: '/order',
    auth: 'trade',
    summary: 'Place one limit or market order.',
    body: orderBody,
    output: orderResult,
    refusals: placing,
    repeatable: true,
  }),
  placeOrders: operation({
    method: 'POST',
    path: '/orders',
    auth: 'trade',
    summary: 'Place up to 15 orders, each on its own; answered in the same order.',
    body: orderBatch,
    output: z.union([orderLegResult, z.array(orderLegResult)]),
    refusals: [...placing, 'too_many_items'],
    bodyLimit: BATCH_BODY_LIMIT,
    repeatable: true,
  }),
  cancelOrder: operation({
    method: 'DELETE',
    path: '/order',
    auth: 'trade',
    summary: 'Cancel one open order of your own.',
    body: cancelBody,
    output: cancelResult,
    refusals: cancelling,
    repeatable: true,
  }),
  cancelOrderById: operation({
    method: 'DELETE',
    path: '/orders/{id}',
    auth: 'trade',
    summary: 'Cancel one open order of your own, named in the path.',
    params: orderId,
    output: cancelResult,
    refusals: cancelling,
    repeatable: true,
  }),
  cancelOrders: operation({
    method: 'DELETE',
    path: '/orders',
    auth: 'trade',
    summary: 'Cancel up to 1000 orders by id.',
    body: cancelBatch,
    output: cancelManyResult,
    refusals: ['too_many_items'],
    bodyLimit: BATCH_BODY_LIMIT,
    repeatable: true,
  }),
  cancelAll: operation({
    method: 'DELETE',
    path: '/cancel-all',
    auth: 'trade',
    summary: 'Cancel all your open orders; never limited.',
    output: cancelManyResult,
    refusals: [],
    repeatable: true,
  }),
  cancelMarketOrders: operation({
    method: 'DELETE',
    path: '/cancel-market-orders',
    auth: 'trade',
    summary: 'Cancel all your open orders of a market or of one of its tokens; never limited.',
    body: cancelMarketBody,
    output: cancelManyResult,
    refusals: [],
    repeatable: true,
  }),
  listOrders: operation({
    method: 'GET',
    path: '/data/orders',
    auth: 'read',
    summary: 'Your open orders. `maker` may only narrow.',
    query: signedQuery({
      id: anyId.optional(),
      market: anyId.optional(),
      asset_id: tokenText.optional(),
      maker: address.optional(),
      next_cursor: cursor.optional(),
    }),
    output: countedPage(order),
    refusals: [],
    repeatable: true,
  }),
  getOrder: operation({
    method: 'GET',
    path: '/data/order/{id}',
    auth: 'read',
    summary: 'One order of your own, open or ended.',
    params: orderId,
    output: order,
    refusals: ['order_not_found', 'order_not_owned', 'read_model_lagging'],
    repeatable: true,
  }),
  lookUpOrders: operation({
    method: 'POST',
    path: '/data/orders',
    auth: 'read',
    summary: 'Up to 500 orders by id.',
    body: orderIds,
    output: z.array(orderLookup),
    refusals: ['too_many_items', 'read_model_lagging'],
    repeatable: true,
  }),
}
