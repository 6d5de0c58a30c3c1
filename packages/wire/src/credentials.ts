import { z } from 'zod'
import { address, apiKey, signature65 } from './scalars.ts'

/** Scopes of a key; each includes the ones before it. */
export const scopes = ['read', 'trade', 'operator', 'venue'] as const
export const scope = z.enum(scopes)
export type Scope = z.output<typeof scope>

/** An API key with its secrets, returned once, to the wallet that signed for it. */
export const credentials = z.object({
  apiKey,
  /** Base64 of 32 bytes, valid in both alphabets. */
  secret: z.string(),
  passphrase: z.string(),
  /** There only where orders of the account are refused until it has registered a proxy wallet. */
  proxy_wallet_missing: z.literal(true).optional(),
})

/** Optional body of creating a key. Both are fixed by the first creation for a nonce. */
export const keyRequest = z.strictObject({ name: z.string().max(64).optional(), scope: scope.optional() }).optional()

/** A live API key of a wallet, without its secrets. */
export const listedKey = z.object({
  apiKey,
  name: z.string(),
  scope,
  /** Number of the key among those of the wallet, as decimal text. */
  nonce: z.string(),
  created_at: z.iso.datetime(),
  /** To the minute; null before the first use. */
  last_used: z.iso.datetime().nullable(),
})

/** A wallet's signed request for a key: the fields of the typed data `ApiKeyRequest` that the server cannot know, and the signature. */
export const relayedLogin = z.strictObject({
  address,
  /** Unix seconds, at most 30 from the exchange's clock. */
  timestamp: z.string().regex(/^(0|[1-9]\d{0,11})$/, 'expected Unix seconds as text'),
  /** Number of the key among those of the wallet, as decimal text. */
  nonce: z.string().regex(/^(0|[1-9]\d{0,76})$/, 'expected an integer as decimal text'),
  signature: signature65,
})

export type Credentials = z.output<typeof credentials>
export type ListedKey = z.output<typeof listedKey>
