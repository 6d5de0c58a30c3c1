import { timingSafeEqual } from 'node:crypto'
import type { Dialect } from './headers.ts'
import { hmacOf, type SigningKey } from './hmac.ts'
import { messageHead, signedPaths } from './message.ts'

/** Verification of request signatures (HMAC-SHA256); `request-signer.ts` makes them. */

/** The signed parts of a request, as received. */
export interface SignedRequest {
  timestamp: number | string
  method: string
  /** Below the mount point, without the query. */
  path: string
  /** Path at which the service is mounted; undefined at the root. */
  mount?: string | undefined
  /** What follows the `?`; may be empty. */
  query: string
  /** The exact bytes of the body; may be empty. */
  body: Uint8Array
}

// 43 characters hold 258 bits: the last two must be zero, or several texts would be the same signature.
const SIGNATURE = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]=$/

/** Decodes a signature to its 32 bytes; null unless it is canonical base64url. */
export const readSignature = (signature: string): Buffer | null => (SIGNATURE.test(signature) ? Buffer.from(signature, 'base64url') : null)

const NO_SIGNATURE = Buffer.alloc(32)

/** The 32 bytes of a valid signature of this request, else null. Takes constant time for every invalid one. */
export function verifyRequest(key: SigningKey, request: SignedRequest, signature: string, dialect: Dialect): Buffer | null {
  const decoded = readSignature(signature)
  let valid = false
  for (const path of signedPaths(request.method, request.path, request.query, dialect, request.mount)) {
    const expected = hmacOf(key, messageHead(request.timestamp, request.method, path), request.body)
    valid = timingSafeEqual(expected, decoded ?? NO_SIGNATURE) || valid
  }
  return valid ? decoded : null
}
