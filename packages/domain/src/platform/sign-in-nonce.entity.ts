import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, int8Column } from '../columns.ts'

export const signInNonceSchema = defineEntity({
  name: 'SignInNonce',
  tableName: 'sign_in_nonce',
  checks: [
    { name: 'sign_in_nonce_form', expression: `nonce ~ '^[A-Za-z0-9]{32}$'` },
    { name: 'sign_in_nonce_address_form', expression: `address ~ '^0x[0-9a-f]{40}$'` },
    { name: 'sign_in_nonce_browser_hash_length', expression: 'octet_length(browser_hash) = 32' },
  ],
  properties: {
    nonce: p.text().primary(),
    /** SHA-256 of the cookie of the browser that asked for it. */
    browserHash: hexColumn(),
    /** The wallet that must sign, in lower case; null if none was named. */
    address: p.text().nullable(),
    /** The chain that the message must name; null if none was named. */
    chainId: int8Column().nullable(),
    expiresAt: p.datetime(3).index(),
    usedAt: p.datetime(3).nullable(),
  },
})

/** A nonce for one sign-in message of one browser. */
export class SignInNonce extends signInNonceSchema.class {}
signInNonceSchema.setClass(SignInNonce)
