import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn } from '../columns.ts'

const schema = defineEntity({
  name: 'SignInNonce',
  tableName: 'sign_in_nonce',
  checks: [
    { name: 'sign_in_nonce_form', expression: `nonce ~ '^[A-Za-z0-9]{32}$'` },
    { name: 'sign_in_nonce_browser_hash_length', expression: 'octet_length(browser_hash) = 32' },
  ],
  properties: {
    nonce: p.text().primary(),
    /** SHA-256 of the cookie of the browser that asked for it. */
    browserHash: hexColumn(),
    expiresAt: p.datetime(3).index(),
    usedAt: p.datetime(3).nullable(),
  },
})

/** A nonce for one sign-in message of one browser. */
export class SignInNonce extends schema.class {}
schema.setClass(SignInNonce)
