import { defineEntity, p } from '@mikro-orm/core'
import { int8Column } from '../columns.ts'
import { User } from './user.entity.ts'

export const passkeySchema = defineEntity({
  name: 'Passkey',
  tableName: 'passkey',
  checks: [
    { name: 'passkey_credential_form', expression: `credential ~ '^[A-Za-z0-9_-]+$' and length(credential) <= 1364` },
    { name: 'passkey_public_key_form', expression: `public_key ~ '^[A-Za-z0-9_-]+$' and length(public_key) <= 4096` },
    { name: 'passkey_counter', expression: 'counter >= 0' },
    { name: 'passkey_texts', expression: 'length(name) >= 1 and length(name) <= 60 and length(transports) <= 100' },
  ],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    user: () => p.manyToOne(User).deleteRule('cascade').index(),
    /** Id of the credential in base64url, at most 1 023 bytes. */
    credential: p.text().unique(),
    /** COSE key in base64url. */
    publicKey: p.text(),
    /** Signature counter of the last accepted assertion; 0 where the authenticator keeps none. */
    counter: int8Column().default(0),
    /** How the browser reaches the authenticator, separated by commas. */
    transports: p.text().default(''),
    /** Whether the provider of the passkey keeps it on more than one device. */
    synced: p.boolean().default(false),
    name: p.text(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
    /** When its counter went backwards, which a copied credential does: from then on it is refused. */
    suspendedAt: p.datetime(3).nullable(),
  },
})

/** A WebAuthn credential that a member signs in with. */
export class Passkey extends passkeySchema.class {}
passkeySchema.setClass(Passkey)
