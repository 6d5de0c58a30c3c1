import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn } from '../columns.ts'
import { User } from './user.entity.ts'

export const pendingSecondFactorSchema = defineEntity({
  name: 'PendingSecondFactor',
  tableName: 'pending_second_factor',
  checks: [{ name: 'pending_second_factor_token_hash_length', expression: 'octet_length(token_hash) = 32' }],
  properties: {
    /** SHA-256 of the cookie. */
    tokenHash: hexColumn().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').index(),
    expiresAt: p.datetime(3).index(),
  },
})

/** A sign-in whose wallet was verified and whose second factor was not: no session yet. */
export class PendingSecondFactor extends pendingSecondFactorSchema.class {}
pendingSecondFactorSchema.setClass(PendingSecondFactor)
