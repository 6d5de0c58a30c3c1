import { z } from 'zod'
import { affiliateShare } from '../affiliate-share.ts'
import { accountPatch, conditionPatch, conditionRequest, registeredCondition, resolveRequest } from '../condition-request.ts'
import { market } from '../market.ts'
import { venueOperation } from '../operation.ts'
import { logPage } from '../page.ts'
import { signedRoot } from '../proof.ts'
import { cursor, limit, signedQuery } from '../query.ts'
import { address, anyId, bytes32, checksumAddress, iso, micros, reference, seq } from '../scalars.ts'
import { tier } from '../service-limits.ts'
import { serviceStatus } from '../service-status.ts'
import { faucetRequest, faucetResult, transfer, transferRequest, withdrawalRequest } from '../transfer.ts'

const conditionId = z.object({ id: anyId })
const ref = z.object({ ref: reference })
const onCondition = { method: 'POST', auth: 'operator', params: conditionId, repeatable: true } as const
const onVenue = { method: 'POST', auth: 'venue', repeatable: true } as const
const afterPosition = signedQuery({ after: z.coerce.number().pipe(seq).default(0), limit: limit(), next_cursor: cursor.optional() })

/** A deposit or a step of a withdrawal, as the log has it. */
const transferred = z.object({
  seq,
  timestamp_iso: iso,
  /** SHA-256 of the `ref` under which it was asked for: the log keeps no more. */
  ref: bytes32,
  address: checksumAddress,
  amount: micros,
})

const account = z.object({
  address: checksumAddress,
  referrer: checksumAddress.nullable(),
  tier,
  stp_group: z.int().nullable(),
  banned: z.boolean(),
})

export const operatorOperations = {
  registerCondition: venueOperation({
    method: 'POST',
    path: '/operator/conditions',
    auth: 'operator',
    summary: 'Register a market. Repeating the request returns the same IDs.',
    body: conditionRequest,
    output: registeredCondition,
    refusals: ['condition_exists', 'event_full', 'duplicate_ref'],
    repeatable: true,
    cost: 'write',
    shed: 'ordinary',
  }),
  patchCondition: venueOperation({
    ...onCondition,
    method: 'PATCH',
    path: '/operator/conditions/{id}',
    summary: 'Change texts, resolution attributes, tick, fee or mode of your market. Its question is fixed after the first trade or order.',
    body: conditionPatch,
    output: market,
    refusals: ['unknown_market', 'condition_not_owned', 'condition_not_open', 'invalid_price_tick', 'rules_only_grow'],
    cost: 'write',
    shed: 'ordinary',
  }),
  closeCondition: venueOperation({
    ...onCondition,
    path: '/operator/conditions/{id}/close',
    summary: 'Close a market at once and cancel its open orders.',
    output: market,
    refusals: ['unknown_market', 'condition_not_owned', 'condition_not_open'],
    cost: 'write',
    shed: 'ordinary',
  }),
  resolveCondition: venueOperation({
    ...onCondition,
    path: '/operator/conditions/{id}/resolve',
    summary: 'Resolve a market: set what a share of each outcome pays. Final.',
    body: resolveRequest,
    output: market,
    refusals: ['unknown_market', 'condition_not_owned', 'condition_not_empty', 'condition_not_open', 'event_incomplete', 'invalid_weight'],
    cost: 'write',
    shed: 'ordinary',
  }),
  redeemCondition: venueOperation({
    ...onCondition,
    path: '/operator/conditions/{id}/redeem',
    summary: 'Pay up to `limit` holders of a resolved market.',
    body: z.strictObject({ limit: z.int().min(1).max(10_000) }),
    output: z.object({ redeemed: z.int(), remaining: z.boolean() }),
    refusals: ['unknown_market', 'condition_not_owned', 'condition_not_resolved'],
    cost: 'write',
    shed: 'ordinary',
  }),
  setAccount: venueOperation({
    method: 'PUT',
    path: '/operator/accounts/{address}',
    auth: 'operator',
    summary: 'Set referrer (first write wins), tier, self-trade group or ban of an account.',
    params: z.object({ address }),
    body: accountPatch,
    output: account,
    refusals: ['insufficient_scope'],
    repeatable: true,
    cost: 'write',
    shed: 'ordinary',
  }),
  setFeeAccount: venueOperation({
    method: 'PUT',
    path: '/operator/fee-account',
    auth: 'operator',
    summary: 'Set the account that receives the fees of orders by the keys you relayed, from the next order on. Null means you.',
    body: z.strictObject({ address: address.nullable() }),
    output: z.object({ deployment: checksumAddress, fee_account: checksumAddress }),
    refusals: ['wallet_taken'],
    repeatable: true,
    cost: 'write',
    shed: 'ordinary',
  }),
  listAffiliateShares: venueOperation({
    method: 'GET',
    path: '/operator/affiliate-shares',
    auth: 'operator',
    summary: 'Fees paid to referrers by taker orders in your markets after a position in the log, oldest first.',
    query: afterPosition,
    output: logPage(affiliateShare),
    refusals: ['read_model_lagging'],
    repeatable: true,
    cost: 'look-up',
    shed: 'ordinary',
  }),
  pauseVenue: venueOperation({
    ...onVenue,
    path: '/operator/pause',
    summary: 'Pause trading: orders, splits and conversions are refused. Open orders stay and can be cancelled.',
    output: serviceStatus,
    refusals: [],
    cost: 'write',
    shed: 'reduces risk',
  }),
  resumeVenue: venueOperation({
    ...onVenue,
    path: '/operator/resume',
    summary: 'Back to normal trading.',
    output: serviceStatus,
    refusals: [],
    cost: 'write',
    shed: 'ordinary',
  }),
  cancelOnlyVenue: venueOperation({
    ...onVenue,
    path: '/operator/cancel-only',
    summary: 'Refuse new orders; open ones can be cancelled.',
    output: serviceStatus,
    refusals: [],
    cost: 'write',
    shed: 'reduces risk',
  }),
  upgradeRules: venueOperation({
    ...onVenue,
    path: '/operator/rules',
    summary: 'Apply the newest rules of this release from the next row on, for good: programs of an earlier release stop there.',
    output: z.object({ rules: z.int() }),
    refusals: [],
    cost: 'write',
    shed: 'ordinary',
  }),
  deposit: venueOperation({
    ...onVenue,
    path: '/operator/deposits',
    summary:
      'Credit an account, once per `ref`. Where a vault holds real money, only under the reference of its deposit, `deposit:CHAIN:VAULT:NUMBER`.',
    body: transferRequest,
    output: transfer,
    refusals: ['invalid_amount', 'duplicate_ref', 'supply_exceeded', 'wallet_taken', 'not_from_chain', 'read_model_lagging'],
    cost: 'write',
    shed: 'ordinary',
  }),
  listDeposits: venueOperation({
    ...onVenue,
    method: 'GET',
    path: '/operator/deposits',
    summary: 'Credits to accounts after a position in the log, oldest first.',
    query: afterPosition,
    output: logPage(transferred),
    refusals: ['read_model_lagging'],
    cost: 'look-up',
    shed: 'ordinary',
  }),
  listWithdrawals: venueOperation({
    ...onVenue,
    method: 'GET',
    path: '/operator/withdrawals',
    summary: 'Steps of withdrawals after a position in the log, oldest first: money set aside, settled, or returned.',
    query: afterPosition,
    output: logPage(transferred.extend({ status: z.enum(['withdrawing', 'settled', 'returned']) })),
    refusals: ['read_model_lagging'],
    cost: 'look-up',
    shed: 'ordinary',
  }),
  cutStateRoot: venueOperation({
    ...onVenue,
    path: '/operator/roots',
    summary: 'Sign the current state without waiting for the hour. Without changes since the last root, returns that one.',
    output: signedRoot,
    refusals: ['not_found', 'standby', 'read_model_lagging'],
    cost: 'write',
    shed: 'ordinary',
  }),
  withdraw: venueOperation({
    ...onVenue,
    path: '/operator/withdrawals',
    summary: 'Reserve money of an account for a withdrawal, once per `ref`.',
    body: withdrawalRequest,
    output: transfer,
    refusals: ['invalid_amount', 'duplicate_ref', 'insufficient_balance', 'wallet_taken', 'read_model_lagging'],
    cost: 'write',
    shed: 'ordinary',
  }),
  settleWithdrawal: venueOperation({
    ...onVenue,
    path: '/operator/withdrawals/{ref}/settle',
    summary: 'Settle a withdrawal: the money was paid.',
    params: ref,
    output: transfer,
    refusals: ['unknown_ref', 'duplicate_ref', 'read_model_lagging'],
    cost: 'write',
    shed: 'ordinary',
  }),
  returnWithdrawal: venueOperation({
    ...onVenue,
    path: '/operator/withdrawals/{ref}/return',
    summary: 'Return a withdrawal: the money goes back to the account.',
    params: ref,
    output: transfer,
    refusals: ['unknown_ref', 'duplicate_ref', 'read_model_lagging'],
    cost: 'write',
    shed: 'ordinary',
  }),
  faucet: venueOperation({
    method: 'POST',
    path: '/sandbox/faucet',
    auth: 'public',
    summary: 'Play money for an address, in the sandbox only.',
    body: faucetRequest,
    output: faucetResult,
    refusals: ['rate_limited', 'faucet_limit', 'invalid_amount', 'supply_exceeded', 'duplicate_ref', 'read_model_lagging'],
    repeatable: false,
    sandbox: true,
    cost: 'write',
    shed: 'ordinary',
    rateLimit: { budget: 'keys', of: 'address' },
  }),
}
