import type { orderOperations } from '../../operations/orders.ts'
import type { ExamplesOf } from '../example.ts'
import { alice, apiKey, condition, makerOrderId, orderId, tradeId, transaction, yes } from './subjects.ts'

const placed = {
  success: true,
  errorMsg: '',
  orderID: orderId,
  orderId,
  state: 'live',
  status: 'live',
  makingAmount: '0',
  takingAmount: '0',
  transactionsHashes: [],
  tradeIDs: [],
  clientOrderId: 'bid-1',
  seq: 4210,
  size_matched: '0',
  remaining_size: '100',
  avg_price: null,
  fee: '0',
}

const filled = {
  ...placed,
  state: 'filled',
  status: 'matched',
  makingAmount: '42',
  takingAmount: '100',
  transactionsHashes: [transaction],
  tradeIDs: [tradeId],
  seq: 4211,
  size_matched: '100',
  remaining_size: '0',
  avg_price: '0.42',
}

const open = {
  id: orderId,
  orderId,
  state: 'partially_filled',
  status: 'LIVE',
  owner: apiKey,
  maker_address: alice,
  market: condition,
  asset_id: yes,
  side: 'BUY',
  outcome: 'Yes',
  original_size: '100',
  size_matched: '40',
  remaining_size: '60',
  price: '0.42',
  avg_price: '0.42',
  amount: null,
  amount_matched: '16.8',
  fee: '0',
  order_type: 'GTC',
  post_only: false,
  client_order_id: 'bid-1',
  associate_trades: [tradeId],
  created_at: 1_767_182_400,
  created_at_iso: '2025-12-31T12:00:00.000Z',
  updated_at: '2025-12-31T12:00:01.250Z',
  expiration: '0',
  expiration_iso: null,
  cancel_reason: null,
  seq: 4210,
}

const cancelled = {
  success: true,
  canceled: [orderId],
  not_canceled: {},
  order: { orderId, state: 'cancelled', size_matched: '40', remaining_size: '60' },
}

const many = { canceled: [orderId], not_canceled: {} }
const bid = { tokenId: yes, side: 'BUY', orderType: 'GTC', price: '0.42', size: '100', clientOrderId: 'bid-1' } as const

export const orderExamples: ExamplesOf<typeof orderOperations> = {
  placeOrder: { body: bid, output: placed },
  placeOrders: {
    body: [bid, { tokenId: yes, side: 'BUY', orderType: 'FAK', amount: '5', price: '0.44' }],
    output: [filled, { success: false, errorMsg: 'Trading is currently disabled.', code: 'venue_paused' }],
  },
  amendOrder: { body: { orderId, size: '60' }, output: { ...open, original_size: '60', remaining_size: '20' } },
  replaceOrder: {
    body: { cancel: makerOrderId, order: bid, only_if: { size_matched: '0' } },
    output: { success: true, canceled: [makerOrderId], not_canceled: {}, order: placed },
  },
  cancelOrder: { body: { orderId }, output: cancelled },
  cancelOrderById: { params: { id: orderId }, output: cancelled },
  cancelOrders: { body: [orderId], output: many },
  cancelAll: { output: many },
  cancelMarketOrders: { body: { market: condition }, output: many },
  listOrders: { query: { market: condition }, output: { limit: 100, count: 1, next_cursor: 'LTE=', data: [open] } },
  getOrder: { params: { id: orderId }, output: open },
  lookUpOrders: {
    body: [orderId, '0x00'],
    output: [
      { order_id: orderId, status: 200, order: open },
      { order_id: '0x00', status: 404, error: 'Order not found' },
    ],
  },
}
