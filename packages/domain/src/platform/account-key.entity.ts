import { defineEntity, p } from '@mikro-orm/core'
import { User } from './user.entity.ts'

export const accountKeySchema = defineEntity({
  name: 'AccountKey',
  tableName: 'account_key',
  checks: [{ name: 'account_key_is_sealed', expression: `secret ~ '^v1[.]'` }],
  properties: {
    user: () => p.oneToOne(User).owner().primary().deleteRule('cascade'),
    /** Encrypted by the vault. */
    secret: p.text(),
    createdAt: p.datetime(3),
  },
})

/** The private key of an account that was opened with a passkey; `users.address` is its address (ADR 0043). */
export class AccountKey extends accountKeySchema.class {}
accountKeySchema.setClass(AccountKey)
