import { z } from 'zod'
import { balanceAllowance, hold } from '../balance.ts'
import { LOOKUP_BATCH } from '../limits.ts'
import { venueOperation } from '../operation.ts'
import { countedPage, logPage } from '../page.ts'
import { cursor, limit, marketIds, secondsText, signedQuery } from '../query.ts'
import { address, anyId, bytes32, seq, tokenText, uint256 } from '../scalars.ts'
import { serviceLimits } from '../service-limits.ts'
import { ownTrade } from '../trade.ts'
import { convertRequest, positionsResult, redeemRequest, redeemResult, splitRequest } from '../transfer.ts'
import { accountEvent } from '../user-stream.ts'

const read = { method: 'GET', auth: 'read', repeatable: true } as const
const change = { method: 'POST', auth: 'trade', repeatable: true } as const

/** Refusals of changes that add to a market: split and convert. */
const entering = ['unknown_market', 'account_banned', 'venue_paused', 'invalid_amount', 'size_too_large', 'rate_limited'] as const

const asset = signedQuery({ asset_type: z.enum(['COLLATERAL', 'CONDITIONAL']), token_id: tokenText.optional() })

export const accountOperations = {
  listOwnTrades: venueOperation({
    ...read,
    path: '/data/trades',
    summary: 'Your trades, newest first, as taker and as maker.',
    query: signedQuery({
      id: anyId.optional(),
      market: bytes32.optional(),
      asset_id: uint256.optional(),
      maker_address: address.optional(),
      maker: address.optional(),
      taker: address.optional(),
      before: secondsText.optional(),
      after: secondsText.optional(),
      next_cursor: cursor.optional(),
    }),
    output: countedPage(ownTrade),
    refusals: ['read_model_lagging'],
    cost: 'read-many',
    shed: 'reduces risk',
  }),
  listEvents: venueOperation({
    ...read,
    path: '/events',
    summary: 'Events of your orders after a position in the log, oldest first, as on the user stream.',
    query: signedQuery({
      after: z.coerce.number().pipe(seq).default(0),
      account: address.optional(),
      market: marketIds(LOOKUP_BATCH).optional(),
      limit: limit(),
      next_cursor: cursor.optional(),
    }),
    output: logPage(accountEvent),
    refusals: ['read_model_lagging', 'insufficient_scope', 'rate_limited'],
    cost: 'read-many',
    shed: 'reduces risk',
    rateLimit: { budget: 'events', of: 'account' },
  }),
  getBalance: venueOperation({
    ...read,
    path: '/balance-allowance',
    summary: 'Your balance of USDC or of one token, and how much of it is reserved by orders.',
    query: asset,
    output: balanceAllowance,
    refusals: ['unknown_token'],
    cost: 'look-up',
    shed: 'reduces risk',
  }),
  updateBalance: venueOperation({
    ...read,
    path: '/balance-allowance/update',
    summary: 'No effect: balances are always current. For compatibility with established clients.',
    query: asset,
    output: z.object({}),
    refusals: [],
    cost: 'look-up',
    shed: 'ordinary',
  }),
  getLimits: venueOperation({
    ...read,
    path: '/limits',
    summary: 'Your rate limits, what is left of them, and the size limits of requests.',
    output: serviceLimits,
    refusals: [],
    cost: 'look-up',
    shed: 'reduces risk',
  }),
  listHolds: venueOperation({
    ...read,
    path: '/holds',
    summary: 'What is reserved, and by which order.',
    output: z.array(hold),
    refusals: [],
    cost: 'look-up',
    shed: 'reduces risk',
  }),
  splitPosition: venueOperation({
    ...change,
    path: '/positions/split',
    summary: 'Split USDC into the same number of Yes and No shares.',
    body: splitRequest,
    output: positionsResult,
    refusals: [...entering, 'market_closed', 'market_paused', 'cancel_only', 'insufficient_balance'],
    cost: 'write',
    shed: 'ordinary',
    rateLimit: { budget: 'orders', of: 'account' },
  }),
  mergePosition: venueOperation({
    ...change,
    path: '/positions/merge',
    summary: 'Merge pairs of Yes and No shares into USDC.',
    body: splitRequest,
    output: positionsResult,
    refusals: ['unknown_market', 'condition_not_open', 'invalid_amount', 'size_too_large', 'insufficient_shares', 'rate_limited'],
    cost: 'write',
    shed: 'ordinary',
    rateLimit: { budget: 'orders', of: 'account' },
  }),
  convertPosition: venueOperation({
    ...change,
    path: '/positions/convert',
    summary: 'Convert No shares of several markets of an event into USDC and Yes shares of the others.',
    body: convertRequest,
    output: positionsResult,
    refusals: [...entering, 'unknown_event', 'condition_not_open', 'event_incomplete', 'insufficient_shares'],
    cost: 'write',
    shed: 'ordinary',
    rateLimit: { budget: 'orders', of: 'account' },
  }),
  redeemPosition: venueOperation({
    ...change,
    path: '/positions/redeem',
    summary: 'Claim the payouts of resolved markets.',
    body: redeemRequest,
    output: redeemResult,
    refusals: ['unknown_market', 'condition_not_resolved', 'rate_limited'],
    cost: 'write',
    shed: 'ordinary',
    rateLimit: { budget: 'orders', of: 'account' },
  }),
}
