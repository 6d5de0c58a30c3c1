import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn } from '../columns.ts'
import { User } from './user.entity.ts'

/**
 * The mailbox behind an address: case, dots, and anything after a plus are the writer's choice. Where a provider tells such addresses
 * apart, they share one limit.
 */
export const MAILBOX = "replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '') || '@' || split_part(lower(email), '@', 2)"

export const emailVerificationSchema = defineEntity({
  name: 'EmailVerification',
  tableName: 'email_verification',
  checks: [
    { name: 'email_verification_token_hash_length', expression: 'octet_length(token_hash) = 32' },
    { name: 'email_verification_email_form', expression: `email ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(email) <= 254` },
  ],
  indexes: [
    {
      name: 'email_verification_by_mailbox',
      expression: `create index email_verification_by_mailbox on email_verification ((${MAILBOX}))`,
    },
  ],
  properties: {
    /** SHA-256 of the e-mail's token. */
    tokenHash: hexColumn().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').index(),
    /** Where the e-mail was sent. */
    email: p.text(),
    expiresAt: p.datetime(3).index(),
    usedAt: p.datetime(3).nullable(),
  },
})

/** An e-mail that lets its reader prove, once, that an address is theirs. */
export class EmailVerification extends emailVerificationSchema.class {}
emailVerificationSchema.setClass(EmailVerification)
