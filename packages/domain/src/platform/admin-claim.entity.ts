import { defineEntity, p } from '@mikro-orm/core'

export const adminClaimSchema = defineEntity({
  name: 'AdminClaim',
  tableName: 'admin_claim',
  checks: [{ name: 'admin_claim_token_hash_length', expression: 'octet_length(token_hash) = 32' }],
  properties: {
    /** SHA-256 of the link's token. */
    tokenHash: p.blob().primary(),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).nullable(),
  },
})

/** A one-time link that makes the signed-in member an admin. */
export class AdminClaim extends adminClaimSchema.class {}
adminClaimSchema.setClass(AdminClaim)
