import { defineEntity, p } from '@mikro-orm/core'

const schema = defineEntity({
  name: 'AdminClaim',
  tableName: 'admin_claim',
  checks: [{ name: 'admin_claim_token_hash_length', expression: 'octet_length(token_hash) = 32' }],
  properties: {
    /** SHA-256 of what the link holds. */
    tokenHash: p.blob().primary(),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).nullable(),
  },
})

/** A link that makes whoever is signed in an admin, once. */
export class AdminClaim extends schema.class {}
schema.setClass(AdminClaim)
