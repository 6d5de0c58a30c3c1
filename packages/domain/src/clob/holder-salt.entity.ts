import { defineEntity, p } from '@mikro-orm/core'

const schema = defineEntity({
  name: 'HolderSalt',
  tableName: 'holder_salt',
  checks: [{ name: 'holder_salt_length', expression: 'octet_length(secret) = 32' }],
  properties: {
    stream: p.text().primary(),
    secret: p.blob().defaultRaw('sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea)'),
  },
})

/**
 * The salt that hides which account a holder of the public history is. Never changes, or the history would have new names for everybody.
 */
export class HolderSalt extends schema.class {}
schema.setClass(HolderSalt)
