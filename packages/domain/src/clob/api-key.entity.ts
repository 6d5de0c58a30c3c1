import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn } from '../columns.ts'

/** An API key. Its secret is never stored: it is derived from the server's own secret, the owner, the nonce and the generation. */
const schema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  checks: [
    { name: 'api_key_owner_length', expression: 'octet_length(owner) = 20' },
    { name: 'api_key_deployment_length', expression: 'deployment is null or octet_length(deployment) = 20' },
    { name: 'api_key_scope', expression: `scope in ('read', 'trade', 'operator', 'venue')` },
    { name: 'api_key_name_length', expression: 'length(name) <= 64' },
    { name: 'api_key_nonce_form', expression: `nonce ~ '^(0|[1-9][0-9]{0,77})$'` },
    { name: 'api_key_generation', expression: 'generation >= 0' },
    { name: 'api_key_passphrase_hash_length', expression: 'octet_length(passphrase_hash) = 32' },
  ],
  uniques: [{ name: 'api_key_identity', properties: ['owner', 'nonce', 'generation'] }],
  properties: {
    /** Public identifier. */
    key: p.uuid().primary(),
    owner: hexColumn(),
    name: p.text().default(''),
    scope: p.text(),
    /** Decimal text of a uint256. */
    nonce: p.text(),
    /** Counts the keys of one nonce, so that a revoked key never comes back. */
    generation: p.integer(),
    /** Operator whose signed request created the key for its owner. */
    deployment: hexColumn().nullable(),
    /** SHA-256 of the passphrase. */
    passphraseHash: hexColumn(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** Rounded to the minute. */
    lastUsed: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
  },
})

export class ApiKey extends schema.class {}
schema.setClass(ApiKey)
