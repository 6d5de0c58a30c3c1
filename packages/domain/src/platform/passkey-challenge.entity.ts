import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn } from '../columns.ts'

export const passkeyChallengeSchema = defineEntity({
  name: 'PasskeyChallenge',
  tableName: 'passkey_challenge',
  checks: [
    { name: 'passkey_challenge_lengths', expression: 'octet_length(challenge) = 16 and octet_length(holder_hash) = 32' },
    { name: 'passkey_challenge_purpose', expression: 'length(purpose) >= 1 and length(purpose) <= 300' },
  ],
  properties: {
    /** First half of the SHA-256 of random bytes and the purpose: what is signed commits to both. */
    challenge: hexColumn().primary(),
    /** SHA-256 of the cookie, or of the session, that asked for it. */
    holderHash: hexColumn(),
    /** What the answer allows, word for word. */
    purpose: p.text(),
    expiresAt: p.datetime(3).index(),
    usedAt: p.datetime(3).nullable(),
  },
})

/** A challenge for one WebAuthn ceremony, or one signature of a wallet. */
export class PasskeyChallenge extends passkeyChallengeSchema.class {}
passkeyChallengeSchema.setClass(PasskeyChallenge)
