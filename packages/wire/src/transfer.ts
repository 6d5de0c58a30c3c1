import { z } from 'zod'
import { address, amount, anyDecimal, anyId, bytes32, micros, reference } from './scalars.ts'

/** Money into or out of an account by an operator. */
export const transferRequest = z.strictObject({ address, amount: micros, ref: reference })
/** Where a transfer stands, and what the account has now. */
export const transfer = z.object({
  ref: z.string(),
  status: z.enum(['deposited', 'withdrawing', 'settled', 'returned']),
  balance: anyDecimal,
})

/** `POST /sandbox/faucet`. */
export const faucetRequest = z.strictObject({
  address,
  amount,
  /** The address's own name for this gift: the same one asked for again is given once. */
  ref: reference.optional(),
})
export const faucetResult = z.object({ balance: anyDecimal })

/** The account's own name for a change: sent again within two minutes, in whichever request, it is made once. */
const ref = reference.optional()

/** A full set of a market's tokens from USDC, or back. */
export const splitRequest = z.strictObject({ market: anyId, amount, ref })
/** No shares of several markets of an event into USDC and Yes shares of the others. */
export const convertRequest = z.strictObject({ event: anyId, market_ids: z.array(bytes32).min(1).max(1000), amount, ref })
/** Claims what resolved markets pay; all of them without a market. */
export const redeemRequest = z.strictObject({ market: anyId.optional() }).optional()

/** What an account has after a change of its positions: USDC and shares by token id. */
export const positionsResult = z.object({
  success: z.literal(true),
  balances: z.object({ usdc: anyDecimal, tokens: z.record(z.string(), anyDecimal) }),
})
export const redeemResult = z.object({
  success: z.literal(true),
  redeemed: z.array(z.object({ market: z.string(), payout: anyDecimal })),
})
