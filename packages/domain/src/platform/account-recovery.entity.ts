import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn } from '../columns.ts'
import { User } from './user.entity.ts'

export const accountRecoverySchema = defineEntity({
  name: 'AccountRecovery',
  tableName: 'account_recovery',
  checks: [{ name: 'account_recovery_code_hash_length', expression: 'octet_length(code_hash) = 32' }],
  properties: {
    /** SHA-256 of 125 random bits: long enough to need no slow hash. */
    codeHash: hexColumn().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').index(),
    /** Null for a code that the member keeps; an emailed one is good for an hour. */
    expiresAt: p.datetime(3).nullable(),
  },
})

/** A code that lets its bearer add a passkey to an account once; deleted on use. */
export class AccountRecovery extends accountRecoverySchema.class {}
accountRecoverySchema.setClass(AccountRecovery)
