import { defineEntity, p } from '@mikro-orm/core'
import { int8Column } from '../columns.ts'
import { User } from './user.entity.ts'

export const twoFactorSchema = defineEntity({
  name: 'TwoFactor',
  tableName: 'two_factor',
  checks: [
    { name: 'two_factor_secret_is_sealed', expression: `secret ~ '^v1[.]'` },
    { name: 'two_factor_counts', expression: 'last_step >= 0 and failures >= 0 and failures <= 5 and locks >= 0' },
  ],
  properties: {
    user: () => p.oneToOne(User).owner().primary().deleteRule('cascade'),
    /** Encrypted by the vault. */
    secret: p.text(),
    /** Null while being set up. */
    confirmedAt: p.datetime(3).nullable(),
    /** The 30-second step of the last accepted code. */
    lastStep: int8Column().default(0),
    /** Only release 0.1.0 reads it (ADR 0026). */
    usedSteps: p.json<number[]>().default('[]'),
    /** Wrong codes since the last correct one or the last lock, over all sessions. */
    failures: p.smallint().default(0),
    /** Locks since the last correct code: each is twice as long as the one before. */
    locks: p.smallint().default(0),
    lockedUntil: p.datetime(3).nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** A member's authenticator. */
export class TwoFactor extends twoFactorSchema.class {}
twoFactorSchema.setClass(TwoFactor)
