import { z } from 'zod'
import { DEPOSIT_BATCH } from './limits.ts'
import { address, amount, anyDecimal, anyId, bytes32, micros, reference } from './scalars.ts'

/** A deposit or withdrawal by an operator. */
export const transferRequest = z.strictObject({ address, amount: micros, ref: reference })
/** A withdrawal is ended at a path with its `ref`, in which a slash, or dots alone, would be read as another path. */
export const withdrawalRequest = transferRequest.extend({
  ref: reference.regex(/^(?!\.{1,2}$)[^/]+$/, 'expected a reference without a slash, and of more than dots'),
})
/** State of a transfer, and the account's balance after it. */
export const transfer = z.object({
  ref: z.string(),
  status: z.enum(['deposited', 'withdrawing', 'settled', 'returned']),
  balance: anyDecimal,
})

/** Deposits in the order of the vault, credited up to the first one that is refused. */
export const depositsRequest = z.strictObject({ deposits: z.array(transferRequest).min(1).max(DEPOSIT_BATCH) })
export const depositsResult = z.object({
  /** How many of them, from the first on, are credited now or were before. */
  deposited: z.int(),
  /** Why the next one is not; null if all are. */
  refused: z.object({ code: z.enum(['duplicate_ref', 'supply_exceeded', 'wallet_taken', 'not_from_chain']), ref: z.string() }).nullable(),
})

/** `POST /sandbox/faucet`. */
export const faucetRequest = z.strictObject({
  address,
  amount,
  /** Makes the request idempotent for this address. */
  ref: reference.optional(),
})
export const faucetResult = z.object({ balance: anyDecimal })

/** Idempotency key of the account: repeated within two minutes, the change is made once. */
const ref = reference.optional().describe('Your name for this change: the same one again within two minutes is made once.')

/** Splits USDC into full sets of a market's tokens, or merges them back. */
export const splitRequest = z.strictObject({ market: anyId, amount, ref })
/** Converts No shares of several markets of an event into USDC and Yes shares of the others. */
export const convertRequest = z.strictObject({
  event: anyId.describe('`neg_risk_market_id` of its markets.'),
  market_ids: z.array(bytes32).min(1).max(1000).describe('Condition ids of the markets whose No shares are given.'),
  amount,
  ref,
})
/** Redeems the tokens of a resolved market, or of all resolved markets. */
export const redeemRequest = z.strictObject({ market: anyId.optional().describe('Without it, all resolved ones.') }).optional()

/** An account's balances after a change of its positions: USDC, and shares by token id. */
export const positionsResult = z.object({
  success: z.literal(true),
  balances: z.object({ usdc: anyDecimal, tokens: z.record(z.string(), anyDecimal) }),
})
export const redeemResult = z.object({
  success: z.literal(true),
  redeemed: z.array(z.object({ market: z.string(), payout: anyDecimal })),
})
