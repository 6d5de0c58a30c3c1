import { z } from 'zod'
import { operation } from '../operation.ts'
import { limit, offset, publicQuery } from '../query.ts'
import { amount, bytes32, checksumAddress, micros, typedAddress } from '../scalars.ts'
import { approval, proofRefused } from './approval.ts'
import { totpCode } from './sign-in.ts'

const iso = z.iso.datetime()

/**
 * A withdrawal, in millionths. `requested`: waits until `held_until` and may be cancelled; `approved`: not yet reserved by the exchange; `settled`:
 * paid out; `returned`: credited back; `refused`: the balance was too low. In between, where the ledger alone keeps money, `sent`: reserved. Where
 * a vault pays, `queued`: reserved, waits for a payment, and may be cancelled until the settler begins that; `cancelling`: cancelled, and about to be
 * credited back; `sent`: the payment was sent; `confirmed`: a confirmed block has it.
 */
export const withdrawal = z.object({
  id: z.string(),
  amount: micros,
  destination: checksumAddress,
  status: z.enum(['requested', 'approved', 'queued', 'cancelling', 'sent', 'confirmed', 'settled', 'returned', 'refused', 'cancelled']),
  /** When a withdrawal continues that was held, because of a new device or a long failure to forward it; null if it was not held. */
  held_until: iso.nullable(),
  /** Whether it also waits until two admins have approved it, because of its amount. */
  awaits_admins: z.boolean(),
  /** Chain and newest transaction of the payment; null until it was sent, and where the ledger alone keeps money. */
  chain_id: z.int().nullable(),
  tx_hash: bytes32.nullable(),
  /** Confirmed block at which the payment's outcome was read. */
  block: z.int().nullable(),
  created_at: iso,
  updated_at: iso,
})

/** Withdrawals. */
export const withdrawalOperations = {
  requestWithdrawal: operation({
    method: 'POST',
    path: '/api/withdrawals',
    auth: 'member',
    budget: 'credentials',
    summary: 'Withdraws USDC from the member’s account at the exchange: at most 100 000 a day, and from a new device after a day.',
    body: z.strictObject({
      /** USDC. */
      amount,
      /** In any case. Mixed case is a checksum, which must be right. */
      destination: typedAddress.refine((to) => !/^0x0+$/.test(to), 'this address has no owner: money sent there is lost'),
      /** A code of the authenticator; not needed within 15 minutes of the last proof. */
      totp: totpCode.optional(),
      /** A proof of this amount and destination, by `POST /api/auth/approvals`; needed where the account has a passkey. */
      approval: approval.optional(),
      /** The withdrawal's id, which makes the request idempotent. */
      ref: z.uuid().optional(),
    }),
    output: withdrawal,
    refusals: [
      'step_up_required',
      ...proofRefused,
      'two_factor_not_enrolled',
      'second_factor_failed',
      'second_factor_locked',
      'clock_set_back',
      'invalid_amount',
      'withdrawal_limit',
      'withdrawal_destination',
      'insufficient_balance',
      'duplicate_ref',
      'wallet_taken',
      'service_unavailable',
    ],
    repeatable: false,
  }),
  cancelWithdrawal: operation({
    method: 'DELETE',
    path: '/api/withdrawals/{id}',
    auth: 'member',
    summary: 'Cancels a withdrawal that waits for its day, or for the vault’s payment.',
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
