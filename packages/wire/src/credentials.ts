import { z } from 'zod'
import { apiKey } from './scalars.ts'

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

export type Credentials = z.output<typeof credentials>
