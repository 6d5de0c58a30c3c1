import { z } from 'zod'
import { operation } from '../operation.ts'
import { filter, limit, offset, publicQuery } from '../query.ts'
import { address, checksumAddress, searchText } from '../scalars.ts'
import { actor, byId, counted, done, success, time } from './admin-envelope.ts'
import { managing } from './asks-exchange.ts'

const adminWallet = z.object({
  address: checksumAddress,
  username: z.string().nullable(),
  /** `settings`: listed in ADMIN_WALLETS, and only removed there. */
  source: z.enum(['settings', 'list']),
  added_by: actor.nullable(),
  created_at: time.nullable(),
})

/** An entry of the audit log, with the state before and after in `details`. */
export const auditEntry = z.object({
  id: z.uuid(),
  /** Position in the chain. */
  position: z.int(),
  at: time,
  action: z.string(),
  actor: actor.nullable(),
  subject: actor.nullable(),
  client_address: z.string(),
  /** What `details.target` is the id of, or has something to do with; null for what is gone, and for targets that are names already. */
  about: z.object({ kind: z.enum(['event', 'category', 'theme']), id: z.uuid(), name: z.string() }).nullable(),
  details: z.record(z.string(), z.unknown()),
  can_undo: z.boolean(),
})

/** Admins and the audit log. */
export const adminAccessOperations = {
  adminClaim: operation({
    method: 'POST',
    path: '/admin/api/claim',
    auth: 'member',
    budget: 'signIn',
    summary: 'Makes the member who is signed in an admin, by the link that the first start prints. It works once.',
    body: z.strictObject({ token: z.string().regex(/^[\w-]{43}$/, 'expected the token of a claim link') }),
    output: success,
    refusals: ['claim_invalid'],
    repeatable: false,
  }),
  adminListAdmins: operation({
    method: 'GET',
    path: '/admin/api/admins',
    auth: 'admin',
    summary: 'Every wallet that is an admin.',
    output: counted(adminWallet),
    refusals: [],
    repeatable: true,
  }),
  adminAddAdmin: operation({
    method: 'POST',
    path: '/admin/api/admins',
    auth: 'admin',
    summary: 'Makes a wallet an admin from its next request on.',
    body: z.strictObject({ address }),
    output: success,
    refusals: ['step_up_required'],
    repeatable: true,
  }),
  adminRemoveAdmin: operation({
    method: 'DELETE',
    path: '/admin/api/admins/{address}',
    auth: 'admin',
    summary: 'Takes a wallet off the list; its next request is refused.',
    params: z.object({ address }),
    output: success,
    refusals: ['step_up_required', 'own_admin', 'admin_in_settings', 'second_admin_missing'],
    repeatable: true,
  }),
  adminAuditLog: operation({
    method: 'GET',
    path: '/admin/api/audit-log',
    auth: 'admin',
    summary: 'What was done, the newest first. It is only added to.',
    query: publicQuery({
      limit: limit(100, 50),
      offset: offset(),
      action: filter(z.string().min(1).max(60)).describe('One of `actions` of the answer.'),
      user: z.uuid().optional().describe('Id of the user who acted or was acted on.'),
      search: searchText(200)
        .default('')
        .describe('Text to find in an entry: its subject, its details, the title of its event, or the actor and their address.'),
    }),
    output: counted(auditEntry).extend({ actions: z.array(z.string()) }),
    refusals: [],
    repeatable: true,
  }),
  adminVerifyAuditLog: operation({
    method: 'GET',
    path: '/admin/api/audit-log/verify',
    auth: 'admin',
    summary: 'Whether the chain of the audit log is whole: `broken_at` is the first place where it is not.',
    output: done(z.object({ entries: z.int(), head: z.string(), broken_at: z.int().nullable() })),
    refusals: [],
    repeatable: true,
  }),
  adminUndo: operation({
    method: 'POST',
    path: '/admin/api/audit-log/{id}/undo',
    auth: 'admin',
    summary: 'Undoes the change of an entry, if it was not changed since.',
    params: byId,
    output: success,
    refusals: [
      'entry_not_found',
      'cannot_undo',
      'changed_meanwhile',
      'step_up_required',
      'own_admin',
      'second_admin_missing',
      // Whatever would keep the change back from being made now.
      'event_not_found',
      'market_not_found',
      'category_not_found',
      'theme_not_found',
      'locale_unknown',
      'slug_taken',
      'category_loop',
      'contrast_too_low',
      'rules_only_grow',
      'condition_not_owned',
      'unknown_market',
      'wallet_taken',
      ...managing,
    ],
    repeatable: false,
  }),
} as const
