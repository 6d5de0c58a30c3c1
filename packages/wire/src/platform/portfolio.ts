import { z } from 'zod'
import { balanceAllowance, hold } from '../balance.ts'
import { book } from '../book.ts'
import { cancelManyResult } from '../cancel-result.ts'
import { activity, activityType, position } from '../data.ts'
import { DEEPEST_ACTIVITY, OWN_MARKETS } from '../limits.ts'
import { operation } from '../operation.ts'
import { placing } from '../operations/orders.ts'
import { balanceProof } from '../proof.ts'
import { limit, offset, publicQuery, secondsText, several } from '../query.ts'
import { anyDecimal, anyId, bytes32, clientOrderId, decimal, orderState } from '../scalars.ts'
import { convertRequest, faucetRequest, positionsResult, redeemRequest, redeemResult, splitRequest } from '../transfer.ts'
import { answering } from './asks-exchange.ts'
import { openOrder } from './trading.ts'

const read = { method: 'GET', auth: 'member', repeatable: true } as const
const change = { method: 'POST', auth: 'member', budget: 'trading', repeatable: true } as const
const signing = ['trading_not_enabled', 'outcome_unknown', ...answering] as const

const ofOrder = ['order_not_found', 'order_not_owned', 'order_ended'] as const

const money = balanceAllowance.pick({ balance: true, reserved: true, available: true })
const ofMarkets = { market: several(OWN_MARKETS, 'Too many markets.').default([]) }

/**
 * What the faucet did. `transaction_hash` is that of the deposit on the sandbox's chain, null without one. `arrived`: whether the money is in the
 * account; if not yet, the settler credits it as soon as it can.
 */
const givenByFaucet = z.object({ arrived: z.boolean(), transaction_hash: bytes32.nullable() })

/**
 * A member's funds at the exchange. `usable`: whether this device may place orders. `cash` is in millionths of a USDC, with the reasons why parts of it and of shares are not available; null on a
 * device that may not use the stored credentials. `value` is the worth of all positions at displayed
 * prices, `cost` what they cost, fees included, and `unpriced` the part of `value` that counts its cost for want of a price, in USDC. `profit` is
 * `realised` plus `unrealised`, after fees; `rewards`, parts of fees that others paid, are in `realised`.
 */
export const funds = z.object({
  usable: z.boolean(),
  cash: money.nullable(),
  holds: z.array(hold),
  value: z.number(),
  cost: z.number(),
  unpriced: z.number(),
  profit: z.number(),
  realised: z.number(),
  unrealised: z.number(),
  fees: z.number(),
  rewards: z.number(),
})

/** The new terms of an open order: its price, and its size including what was filled already. */
const changeOrder = z.strictObject({ id: anyId, price: decimal, size: decimal, clientOrderId: clientOrderId.optional() })

/** What the form for changing an order shows: the order, and the book of its token. */
const orderToChange = z.object({
  order: openOrder,
  post_only: z.boolean(),
  fee_rate_bps: z.int(),
  minimum_size: anyDecimal,
  book: book.pick({ tick_size: true, last_trade_price: true, bids: true, asks: true }),
})

/** Result of a change. `filled_before` was filled at the old price; `size_matched`, `avg_price` and `fee` are of immediate fills. */
const changedOrder = z.object({
  orderId: z.string(),
  /** Whether the order was kept, with its place in the queue. */
  kept_place: z.boolean(),
  state: orderState,
  filled_before: anyDecimal,
  size_matched: anyDecimal,
  remaining_size: anyDecimal,
  avg_price: anyDecimal.nullable(),
  fee: anyDecimal,
})

/** Members' funds, positions and orders, for the site's pages; tRPC only. */
export const portfolioOperations = {
  getFunds: operation({
    ...read,
    path: '/trpc/getFunds',
    summary: 'Cash, what is reserved by which order, and the value of the positions.',
    output: funds,
    refusals: [...answering],
  }),
  listPositions: operation({
    ...read,
    path: '/trpc/listPositions',
    summary: 'The member’s positions, in some markets or all, largest first.',
    query: publicQuery({ ...ofMarkets, limit: limit(500, 100), offset: offset() }),
    output: z.array(position),
    refusals: [...answering],
  }),
  listOwnActivity: operation({
    ...read,
    path: '/trpc/listOwnActivity',
    summary: 'The member’s activity, newest first.',
    query: publicQuery({
      ...ofMarkets,
      type: several(activityType.options.length, 'Too many types.').pipe(z.array(activityType)).default([]),
      limit: limit(500, 100),
      offset: offset(DEEPEST_ACTIVITY),
      /** Unix seconds; excludes anything later. */
      end: secondsText.optional(),
      groupBy: z.enum(['TRADE', 'ORDER']).optional().describe('`ORDER`: all trades of an order are one row, at the time of the last one.'),
    }),
    output: z.array(activity),
    refusals: [...answering],
  }),
  getOwnProof: operation({
    ...read,
    path: '/trpc/getOwnProof',
    summary: 'The member’s balances at the newest signed root of the exchange, with the proof of inclusion.',
    output: balanceProof,
    refusals: ['trading_not_enabled', 'not_found', ...answering],
  }),
  orderToChange: operation({
    ...read,
    path: '/trpc/orderToChange',
    summary: 'An open order of the member as it is now, and what a change of it has to know.',
    query: publicQuery({ id: anyId }),
    output: orderToChange,
    refusals: ['trading_not_enabled', ...ofOrder, ...answering],
  }),
  changeOrder: operation({
    ...change,
    path: '/trpc/changeOrder',
    summary: 'Gives an open order of the member another price or size: smaller in its place in the queue, else a new order instead of it.',
    body: changeOrder,
    output: changedOrder,
    refusals: ['trading_not_enabled', 'taking_break', 'own_limit', 'outcome_unknown', ...ofOrder, ...placing],
    repeatable: false,
  }),
  cancelAllOrders: operation({
    ...change,
    path: '/trpc/cancelAllOrders',
    summary: 'Cancels all open orders of the member, or all of one market.',
    body: z.strictObject({ market: bytes32.optional() }),
    output: cancelManyResult,
    refusals: [...signing],
  }),
  splitPosition: operation({
    ...change,
    path: '/trpc/splitPosition',
    summary: 'Splits the member’s USDC into the same number of Yes and No shares.',
    body: splitRequest,
    output: positionsResult,
    refusals: [...signing, 'unknown_market', 'condition_not_open', 'invalid_amount', 'insufficient_balance', 'account_banned'],
  }),
  mergePosition: operation({
    ...change,
    path: '/trpc/mergePosition',
    summary: 'Merges the member’s pairs of Yes and No shares into USDC.',
    body: splitRequest,
    output: positionsResult,
    refusals: [...signing, 'unknown_market', 'condition_not_open', 'invalid_amount', 'insufficient_shares'],
  }),
  convertPosition: operation({
    ...change,
    path: '/trpc/convertPosition',
    summary: 'Converts No shares of several markets of an event into USDC and Yes shares of the others.',
    body: convertRequest,
    output: positionsResult,
    refusals: [
      ...signing,
      'unknown_event',
      'unknown_market',
      'condition_not_open',
      'event_incomplete',
      'invalid_amount',
      'insufficient_shares',
    ],
  }),
  claimPositions: operation({
    ...change,
    path: '/trpc/claimPositions',
    summary: 'Claims the member’s payouts of one resolved market, or all.',
    body: redeemRequest,
    output: redeemResult,
    refusals: [...signing, 'unknown_market', 'condition_not_resolved'],
  }),
  takeFromFaucet: operation({
    ...change,
    path: '/trpc/takeFromFaucet',
    summary: 'Play money for the member, in the sandbox only: through its chain where it has one.',
    body: faucetRequest.omit({ address: true }),
    output: givenByFaucet,
    refusals: [
      'not_found',
      'faucet_limit',
      'invalid_amount',
      'supply_exceeded',
      'duplicate_ref',
      'read_model_lagging',
      'outcome_unknown',
      ...answering,
    ],
    repeatable: false,
  }),
} as const

export type Funds = z.output<typeof funds>
export type ChangeOrder = z.output<typeof changeOrder>
export type OrderToChange = z.output<typeof orderToChange>
export type ChangedOrder = z.output<typeof changedOrder>
