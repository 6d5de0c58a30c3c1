import { z } from 'zod'
import { operation } from '../operation.ts'
import { limit, offset, publicQuery } from '../query.ts'
import { address, amount, checksumAddress, micros } from '../scalars.ts'

const iso = z.iso.datetime()

/**
 * Money that a member takes out, in millionths. `requested`: it waits until `held_until`, and may be cancelled; `approved`: the exchange has
 * not set it aside yet; `sent`: it has; `settled`: it left; `returned`: it is back on the account; `refused`: it was not there.
 */
export const withdrawal = z.object({
  id: z.string(),
  amount: micros,
  destination: checksumAddress,
  status: z.enum(['requested', 'approved', 'sent', 'settled', 'returned', 'refused', 'cancelled']),
  /** When one that was asked for on a new device goes on, or one that could not be handed on for long did; null for one that did not have to wait. */
  held_until: iso.nullable(),
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
    summary: 'Takes USDC out of the member’s account at the exchange: at most 100 000 a day, and from a new device after a day.',
    body: z.strictObject({
      /** USDC. */
      amount,
      destination: address,
      /** A code of the authenticator, or nothing within 15 minutes of the last proof. */
      totp: z
        .string()
        .regex(/^\d{6}$/, 'expected six digits')
        .optional(),
      /** Becomes the withdrawal's id: the same request sent again is the same withdrawal. */
      ref: z.uuid().optional(),
    }),
    output: withdrawal,
    refusals: [
      ...(['step_up_required', 'two_factor_not_enrolled', 'second_factor_failed', 'second_factor_locked'] as const),
      ...(['invalid_amount', 'withdrawal_limit', 'insufficient_balance', 'duplicate_ref', 'service_unavailable'] as const),
    ],
    repeatable: false,
  }),
  cancelWithdrawal: operation({
    method: 'DELETE',
    path: '/api/withdrawals/{id}',
    auth: 'member',
    summary: 'Cancels a withdrawal that waits.',
    params: z.object({ id: z.uuid() }),
    output: withdrawal,
    refusals: ['withdrawal_not_found', 'withdrawal_gone_on'],
    repeatable: true,
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
