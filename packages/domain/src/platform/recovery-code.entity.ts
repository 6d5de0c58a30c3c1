import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn } from '../columns.ts'
import { User } from './user.entity.ts'

export const recoveryCodeSchema = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_code',
  checks: [{ name: 'recovery_code_hash_length', expression: 'octet_length(code_hash) = 32' }],
  properties: {
    user: () => p.manyToOne(User).primary().deleteRule('cascade'),
    /** SHA-256 of 125 random bits: long enough to need no slow hash. */
    codeHash: hexColumn().primary(),
  },
})

/** Replaces a lost authenticator once; deleted on use. */
export class RecoveryCode extends recoveryCodeSchema.class {}
recoveryCodeSchema.setClass(RecoveryCode)
