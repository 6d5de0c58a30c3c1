import type { accountOperations } from '../../operations/account.ts'
import type { ExamplesOf } from '../example.ts'
import { alice, apiKey, condition, makerOrderId, negRiskMarket, operator, orderId, tradeId, transaction, yes } from './subjects.ts'

const balance = { balance: '1000000000', reserved: '25200000', available: '974800000', allowance: '1', allowances: {} }
const balances = { success: true, balances: { usdc: '890', tokens: { [yes]: '110' } } }

const ownTrade = {
  id: tradeId,
  taker_order_id: orderId,
  market: condition,
  asset_id: yes,
  side: 'BUY',
  size: '40',
  fee_rate_bps: '0',
  price: '0.42',
  status: 'CONFIRMED',
  match_time: '1767182401',
  match_time_iso: '2025-12-31T12:00:01.250Z',
  last_update: '1767182401',
  outcome: 'Yes',
  bucket_index: 0,
  owner: apiKey,
  maker_address: alice,
  maker_orders: [
    {
      order_id: makerOrderId,
      owner: '',
      maker_address: operator,
      matched_amount: '40',
      price: '0.42',
      fee_rate_bps: '0',
      asset_id: yes,
      outcome: 'Yes',
      side: 'SELL',
    },
  ],
  transaction_hash: transaction,
  trader_side: 'TAKER',
  fee: '0',
  seq: 4211,
}

export const accountExamples: ExamplesOf<typeof accountOperations> = {
  listOwnTrades: { query: { market: condition }, output: { limit: 100, count: 1, next_cursor: 'LTE=', data: [ownTrade] } },
  getBalance: { query: { asset_type: 'COLLATERAL' }, output: balance },
  updateBalance: { query: { asset_type: 'COLLATERAL' }, output: {} },
  getLimits: {
    output: {
      tier: 'standard',
      budgets: [
        {
          name: 'orders',
          of: 'account',
          operations: ['POST /order', 'POST /orders', 'POST /order/replace', 'PATCH /order'],
          limit: 2000,
          window_seconds: 10,
          remaining: 1985,
          reset_seconds: 9,
        },
        {
          name: 'cancel',
          of: 'account',
          operations: ['DELETE /order', 'DELETE /orders/{id}'],
          limit: 100,
          window_seconds: 60,
          remaining: 99,
          reset_seconds: 58,
        },
      ],
      open_orders: 2000,
      order_batch: 15,
      cancel_batch: 1000,
      token_batch: 500,
      lookup_batch: 500,
      socket_conditions: 200,
      body_bytes: 65_536,
      batch_body_bytes: 131_072,
    },
  },
  listHolds: { output: [{ order_id: orderId, asset: 'USDC', amount: '25200000', reason: 'order' }] },
  splitPosition: { body: { market: condition, amount: '10' }, output: balances },
  mergePosition: { body: { market: condition, amount: '10' }, output: balances },
  convertPosition: { body: { event: negRiskMarket, market_ids: [condition], amount: '10' }, output: balances },
  redeemPosition: { body: { market: condition }, output: { success: true, redeemed: [{ market: condition, payout: '100' }] } },
}
