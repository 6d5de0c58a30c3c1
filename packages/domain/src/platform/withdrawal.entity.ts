import { defineEntity, p } from '@mikro-orm/core'
import { usdcColumn } from '../columns.ts'
import { User } from './user.entity.ts'

/**
 * A withdrawal's way: the last four are ends. `requested`: it waits, and its member may still cancel it. `refused`: the exchange did not
 * have the money.
 */
export const WITHDRAWAL_STATUSES = ['requested', 'approved', 'sent', 'settled', 'returned', 'refused', 'cancelled'] as const

export const withdrawalSchema = defineEntity({
  name: 'Withdrawal',
  tableName: 'withdrawal',
  checks: [
    { name: 'withdrawal_amount', expression: 'amount > 0' },
    { name: 'withdrawal_addresses', expression: `address ~ '^0x[0-9a-f]{40}$' and destination ~ '^0x[0-9a-f]{40}$'` },
    { name: 'withdrawal_times', expression: 'updated_at >= created_at and held_until > created_at' },
    { name: 'withdrawal_waits_until', expression: `status <> 'requested' or held_until is not null` },
  ],
  indexes: [
    { name: 'withdrawal_by_user', expression: 'create index withdrawal_by_user on withdrawal (user_id, created_at desc, id desc)' },
    {
      name: 'withdrawal_to_pursue',
      expression: `create index withdrawal_to_pursue on withdrawal (id) where status in ('requested', 'approved', 'sent')`,
    },
  ],
  properties: {
    /** Its reference at the exchange is derived from it: unique for ever. */
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    /** No cascade: a member with withdrawals cannot be deleted. */
    user: () => p.manyToOne(User),
    /** Account at the exchange, in lower case. */
    address: p.text(),
    /** Where the money goes, in lower case. */
    destination: p.text(),
    amount: usdcColumn(),
    status: p.enum(WITHDRAWAL_STATUSES).default('approved'),
    /**
     * Until when a withdrawal from a new device waits, or when one that could not be passed on for long did go; null for one that did not
     * wait.
     */
    heldUntil: p.datetime(3).nullable(),
    /** Whether two admins must approve it before it goes on. */
    needsAdmins: p.boolean().default(false),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

/** A withdrawal of a member. Amount in millionths of a USDC. */
export class Withdrawal extends withdrawalSchema.class {}
withdrawalSchema.setClass(Withdrawal)
