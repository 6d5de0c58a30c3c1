import { timingSafeEqual } from 'node:crypto'
import type { Dialect } from './headers.ts'
import { hmacOf, type SigningKey } from './hmac.ts'
import { messageHead, signedPaths } from './message.ts'

/** The server's side of the request signature (HMAC-SHA256). `request-signer.ts` is the client's. */

/** What a signature covers, as it came over the wire. */
export interface SignedRequest {
  timestamp: number | string
  method: string
  /** Below the mount point, without the query. */
  path: string
  /** Where the service is mounted; nothing at the root. */
  mount?: string | undefined
  /** What follows the `?`, or empty. */
  query: string
  /** The exact bytes of the body; empty when there is none. */
  body: Uint8Array
}

// 43 characters carry 258 bits: the last two must be zero, or many texts would be one signature.
const SIGNATURE = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]=$/

/** The 32 bytes of a signature in its only accepted spelling, or null. */
export const readSignature = (signature: string): Buffer | null => (SIGNATURE.test(signature) ? Buffer.from(signature, 'base64url') : null)

const NO_SIGNATURE = Buffer.alloc(32)

/**
 * The 32 bytes of a signature when it is the key's word for this request, else null. Takes the same time for every wrong signature.
 */
export function verifyRequest(key: SigningKey, request: SignedRequest, signature: string, dialect: Dialect): Buffer | null {
  const given = readSignature(signature)
  let valid = false
  for (const path of signedPaths(request.method, request.path, request.query, dialect, request.mount)) {
    const expected = hmacOf(key, messageHead(request.timestamp, request.method, path), request.body)
    valid = timingSafeEqual(expected, given ?? NO_SIGNATURE) || valid
  }
  return valid ? given : null
}
