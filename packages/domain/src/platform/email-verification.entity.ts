import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn } from '../columns.ts'
import { User } from './user.entity.ts'

/**
 * The mailbox that an address names: what stands behind a plus, dots and capitals are the choice of whoever writes it down. Where two of them
 * are told apart somewhere, they share what one may have.
 */
export const MAILBOX = "replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '') || '@' || split_part(lower(email), '@', 2)"

const schema = defineEntity({
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
    /** SHA-256 of what the letter holds. */
    tokenHash: hexColumn().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').index(),
    /** Where the letter went. */
    email: p.text(),
    expiresAt: p.datetime(3).index(),
    usedAt: p.datetime(3).nullable(),
  },
})

/** A letter whose reader can prove that an address is theirs, once. */
export class EmailVerification extends schema.class {}
schema.setClass(EmailVerification)
