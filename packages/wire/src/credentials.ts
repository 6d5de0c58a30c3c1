import { z } from 'zod'
import { address, apiKey, signature65 } from './scalars.ts'

/** What a key may do; each includes the ones before it. */
export const scopes = ['read', 'trade', 'operator', 'venue'] as const
export const scope = z.enum(scopes)
export type Scope = z.output<typeof scope>

/** An API key with its secrets, as answered once to the wallet that signed for it. */
export const credentials = z.object({
  apiKey,
  /** Base64 of 32 bytes, valid in both alphabets. */
  secret: z.string(),
  passphrase: z.string(),
})

/** Optional body of a key's creation. The first creation for a nonce fixes both. */
export const keyRequest = z.strictObject({ name: z.string().max(64).optional(), scope: scope.optional() }).optional()

/** A live API key of a wallet, without its secrets. */
export const listedKey = z.object({
  apiKey,
  name: z.string(),
  scope,
  /** Which key of the wallet it is, as decimal text. */
  nonce: z.string(),
  created_at: z.iso.datetime(),
  /** To a minute; null while it was not used. */
  last_used: z.iso.datetime().nullable(),
})

/** What a wallet signed to get a key: the fields of the typed data `ApiKeyRequest` that only it knows, and the signature. */
export const relayedLogin = z.strictObject({
  address,
  /** Unix seconds, at most 30 away from the clock of the exchange. */
  timestamp: z.string().regex(/^(0|[1-9]\d{0,11})$/, 'expected Unix seconds as text'),
  /** Which key of the wallet, as decimal text. */
  nonce: z.string().regex(/^(0|[1-9]\d{0,76})$/, 'expected an integer as decimal text'),
  signature: signature65,
})

export type Credentials = z.output<typeof credentials>
export type ListedKey = z.output<typeof listedKey>
