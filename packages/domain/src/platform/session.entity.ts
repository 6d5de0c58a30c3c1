import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn } from '../columns.ts'
import { User } from './user.entity.ts'

export const sessionSchema = defineEntity({
  name: 'Session',
  tableName: 'session',
  checks: [
    { name: 'session_token_hash_length', expression: 'octet_length(token_hash) = 32' },
    { name: 'session_times', expression: 'last_seen_at >= created_at and proven_at <= last_seen_at' },
    { name: 'session_texts', expression: 'length(user_agent) <= 300 and length(client_address) <= 64' },
  ],
  properties: {
    /** Identifies the session to its member; grants nothing. */
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    /** SHA-256 of the token, which only the member has. */
    tokenHash: hexColumn().unique(),
    user: () => p.manyToOne(User).deleteRule('cascade').index(),
    createdAt: p.datetime(3),
    /** Accurate to five minutes. */
    lastSeenAt: p.datetime(3),
    /** When the member last proved all factors. */
    provenAt: p.datetime(3),
    userAgent: p.text(),
    clientAddress: p.text(),
  },
})

/** A member signed in on one device. */
export class Session extends sessionSchema.class {}
sessionSchema.setClass(Session)
