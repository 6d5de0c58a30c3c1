import { z } from 'zod'
import { operation } from '../operation.ts'
import { publicQuery } from '../query.ts'
import { address } from '../scalars.ts'
import { byId, counted, done, listQuery, success, time } from './admin-envelope.ts'
import { managing } from './asks-exchange.ts'
import { USERNAME, user } from './user.ts'

/** A member, for admins: the specification's fields without signatures and settings, and how they joined. */
const row = user.omit({ settings: true, proxy_wallet_signature: true }).extend({
  banned: z.boolean(),
  referred_by_display: z.string().nullable(),
  created_label: z.string(),
  profileUrl: z.string(),
  sessions_count: z.int(),
})

const session = z.object({
  id: z.uuid(),
  created_at: time,
  last_seen_at: time,
  user_agent: z.string(),
  client_address: z.string(),
})

/** Members. */
export const adminUserOperations = {
  adminUsers: operation({
    method: 'GET',
    path: '/admin/api/users',
    auth: 'admin',
    summary: 'Members by name, address or e-mail.',
    query: publicQuery(listQuery),
    output: counted(row).extend({ count: z.int() }),
    refusals: ['invalid_sort_by'],
    repeatable: true,
  }),
  adminUpdateUser: operation({
    method: 'POST',
    path: '/admin/api/users/{id}/update',
    auth: 'admin',
    summary: 'Changes a member’s name or email, or bans the member here and on the exchange. It cannot make a member an admin.',
    params: byId,
    body: z.strictObject({
      username: z.string().regex(USERNAME, 'expected 3 to 30 letters, digits and underscores').nullable().optional(),
      email: z.email().max(254).nullable().optional(),
      banned: z.boolean().optional(),
      /** Reason, for other admins: kept in the audit log and not shown to others. */
      note: z.string().trim().max(500).optional(),
      /** The values the caller saw: if they have changed since, nothing is changed. */
      seen: user.pick({ username: true, email: true }).extend({ banned: z.boolean() }).partial().strict().optional(),
    }),
    output: done(row),
    refusals: ['user_not_found', 'username_taken', 'own_admin', 'changed_meanwhile', 'step_up_required', ...managing],
    repeatable: true,
  }),
  adminUserSessions: operation({
    method: 'GET',
    path: '/admin/api/users/{id}/sessions',
    auth: 'admin',
    summary: 'Where a member is signed in.',
    params: byId,
    output: counted(session),
    refusals: ['user_not_found'],
    repeatable: true,
  }),
  adminEndUserSessions: operation({
    method: 'DELETE',
    path: '/admin/api/users/{id}/sessions',
    auth: 'admin',
    summary: 'Signs a member out everywhere at once.',
    params: byId,
    output: done(z.object({ ended: z.int() })),
    refusals: ['user_not_found'],
    repeatable: true,
  }),
  adminResetSecondFactor: operation({
    method: 'DELETE',
    path: '/admin/api/users/{id}/two-factor',
    auth: 'admin',
    summary: 'Removes the second factor of a member who lost it and ends the member’s sessions. The wallet alone then signs in.',
    params: byId,
    output: success,
    refusals: ['user_not_found', 'own_admin', 'step_up_required'],
    repeatable: true,
  }),
  adminExportUsers: operation({
    method: 'GET',
    path: '/admin/api/users-export',
    auth: 'admin',
    summary: 'Members as CSV that no spreadsheet takes for formulas: 10 000 at a time, oldest first, with a header above the first.',
    query: publicQuery({ after: z.uuid().optional().describe('The `next` of the part before; absent for the first.') }),
    output: done(z.object({ csv: z.string(), next: z.uuid().nullable() })),
    refusals: ['step_up_required'],
    repeatable: true,
  }),
  adminAllowedCreators: operation({
    method: 'GET',
    path: '/admin/api/create-event/allowed-creators',
    auth: 'admin',
    summary: 'Wallets whose markets are shown here; with `address`, whether it is one of them.',
    query: publicQuery({ address: z.string().max(64).optional().describe('An address about which `allowed` tells.') }),
    output: z.object({
      items: z.array(z.object({ address: z.string(), own: z.boolean(), events: z.int() })),
      wallets: z.array(z.string()),
      allowed: z.boolean(),
    }),
    refusals: [],
    repeatable: true,
  }),
  adminAllowCreator: operation({
    method: 'POST',
    path: '/admin/api/create-event/allowed-creators',
    auth: 'admin',
    summary: 'Shows the markets of another creator.',
    body: z.strictObject({ address }),
    output: success,
    refusals: ['step_up_required', 'changed_meanwhile'],
    repeatable: true,
  }),
  adminDisallowCreator: operation({
    method: 'DELETE',
    path: '/admin/api/create-event/allowed-creators',
    auth: 'admin',
    summary: 'Stops showing new markets of a creator; existing ones stay.',
    body: z.strictObject({ address }),
    output: success,
    refusals: ['step_up_required', 'changed_meanwhile'],
    repeatable: true,
  }),
} as const
