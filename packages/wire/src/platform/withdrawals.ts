import { z } from 'zod'
import { operation } from '../operation.ts'
import { limit, offset, publicQuery } from '../query.ts'
import { address, amount, checksumAddress, micros } from '../scalars.ts'

const iso = z.iso.datetime()

/**
 * Money that a member takes out, in millionths. `approved`: the exchange has not set it aside yet; `sent`: it has; `settled`: it left;
 * `returned`: it is back on the account; `refused`: it was not there.
 */
export const withdrawal = z.object({
  id: z.string(),
  amount: micros,
  destination: checksumAddress,
  status: z.enum(['approved', 'sent', 'settled', 'returned', 'refused']),
  created_at: iso,
  updated_at: iso,
})

/** Taking money out. */
export const withdrawalOperations = {
  requestWithdrawal: operation({
    method: 'POST',
    path: '/api/withdrawals',
    auth: 'member',
    budget: 'credentials',
    summary: 'Takes USDC out of the member’s account at the exchange; asks for proof that the member is there.',
    body: z.strictObject({
      /** USDC. */
      amount,
      destination: address,
      /** A code of the authenticator, or nothing within 15 minutes of the last proof. */
      totp: z
        .string()
        .regex(/^\d{6}$/, 'expected six digits')
        .optional(),
    }),
    output: withdrawal,
    refusals: [
      ...(['step_up_required', 'two_factor_not_enrolled', 'second_factor_failed', 'second_factor_locked'] as const),
      ...(['invalid_amount', 'insufficient_balance', 'service_unavailable'] as const),
    ],
    repeatable: false,
  }),
  listWithdrawals: operation({
    method: 'GET',
    path: '/api/withdrawals',
    auth: 'member',
    summary: 'The member’s withdrawals, newest first.',
    query: publicQuery({ offset: offset(), limit: limit(100, 50) }),
    output: z.array(withdrawal),
    refusals: [],
    repeatable: true,
  }),
} as const

export type WithdrawalView = z.output<typeof withdrawal>
