import { z } from 'zod'
import { operation } from '../operation.ts'
import { choice, limit, offset, publicQuery } from '../query.ts'
import { searchText } from '../scalars.ts'
import { actor, byId, counted, done } from './admin-envelope.ts'
import { managing } from './asks-exchange.ts'
import { withdrawal } from './withdrawals.ts'

const row = withdrawal.extend({
  user: actor,
  /** Admins who have approved it; it takes two where `awaits_admins`. */
  approvals: z.int(),
})

/** Paying out what members asked for. */
export const adminWithdrawalOperations = {
  adminWithdrawals: operation({
    method: 'GET',
    path: '/admin/api/withdrawals',
    auth: 'admin',
    summary: 'Withdrawals of members: those on their way, the oldest first, or all, the newest first.',
    query: publicQuery({
      limit: limit(100, 50),
      offset: offset(),
      search: searchText(200).default('').describe('Part of a name or address of the member, or of where the money goes.'),
      status: choice(['open', 'all'], 'open').describe('`open` for those that have not ended.'),
    }),
    output: counted(row),
    refusals: [],
    repeatable: true,
  }),
  adminEndWithdrawal: operation({
    method: 'POST',
    path: '/admin/api/withdrawals/{id}/end',
    auth: 'admin',
    summary: 'Ends a withdrawal that was sent (`settled`: paid, `returned`: given back) or that is held (`cancelled`).',
    params: byId,
    body: z.strictObject({ outcome: z.enum(['settled', 'returned', 'cancelled']) }),
    output: done(row),
    refusals: ['withdrawal_not_found', 'withdrawal_gone_on', 'step_up_required', 'unknown_ref', 'read_model_lagging', ...managing],
    repeatable: true,
  }),
  adminApproveWithdrawal: operation({
    method: 'POST',
    path: '/admin/api/withdrawals/{id}/approve',
    auth: 'admin',
    summary: 'Approves a withdrawal above `WITHDRAW_TWO_ADMINS_ABOVE`. It goes on when two independent admins have approved it.',
    params: byId,
    output: done(row),
    refusals: ['withdrawal_not_found', 'withdrawal_gone_on', 'step_up_required'],
    repeatable: true,
  }),
} as const
