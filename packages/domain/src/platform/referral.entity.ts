import { defineEntity, p } from '@mikro-orm/core'
import { User } from './user.entity.ts'

/** `pending`: not registered at the exchange yet. `counted`: it shares fees. `taken`: the exchange knew another referrer, who stays. */
const REFERRAL_STATUSES = ['pending', 'counted', 'taken'] as const

export const referralSchema = defineEntity({
  name: 'Referral',
  tableName: 'referral',
  checks: [{ name: 'referral_not_of_oneself', expression: 'user_id <> referrer_id' }],
  indexes: [{ name: 'referral_to_tell', expression: `create index referral_to_tell on referral (user_id) where status = 'pending'` }],
  properties: {
    /** The new member. A member has one referrer for life. */
    user: () => p.oneToOne(User).owner().primary().deleteRule('cascade'),
    referrer: () => p.manyToOne(User).deleteRule('cascade').index(),
    status: p.enum(REFERRAL_STATUSES).default('pending'),
    createdAt: p.datetime(3),
  },
})

/** A member who joined by the link of another. */
export class Referral extends referralSchema.class {}
referralSchema.setClass(Referral)
