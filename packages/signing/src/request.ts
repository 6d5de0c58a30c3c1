import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { decodeBase64 } from './base64.ts'
import type { Dialect } from './headers.ts'
import { messageHead, signedPaths } from './message.ts'

/** The server's side of the request signature (HMAC-SHA256). `request-signer.ts` is the client's. */

/** What a signature covers, as it came over the wire. */
export interface SignedRequest {
  timestamp: number | string
  method: string
  /** Below the mount point, without the query. */
  path: string
  /** What follows the `?`, or empty. */
  query: string
  /** The exact bytes of the body; empty when there is none. */
  body: Uint8Array
}

/** Makes the key of a secret once, so that a request costs no key setup. Throws a `Base64Error` on a malformed secret. */
export const signingKey = (secret: string): KeyObject => createSecretKey(decodeBase64(secret))

/** Digest of a message whose path is already decided. */
function digest(key: KeyObject, head: string, body: Uint8Array): Buffer {
  const hmac = createHmac('sha256', key).update(head)
  return (body.length > 0 ? hmac.update(body) : hmac).digest()
}

// 43 characters carry 258 bits: the last two must be zero, or many texts would be one signature.
const SIGNATURE = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]=$/

/** The 32 bytes of a signature in its only accepted spelling, or null. */
export const readSignature = (signature: string): Buffer | null => (SIGNATURE.test(signature) ? Buffer.from(signature, 'base64url') : null)

/** Whether a signature is the key's word for this request. Takes the same time for every wrong signature. */
export function verifyRequest(key: KeyObject, request: SignedRequest, signature: string, dialect: Dialect): boolean {
  const given = readSignature(signature) ?? Buffer.alloc(32)
  let valid = false
  for (const path of signedPaths(request.method, request.path, request.query, dialect)) {
    const expected = digest(key, messageHead(request.timestamp, request.method, path), request.body)
    valid = timingSafeEqual(expected, given) || valid
  }
  return valid && readSignature(signature) !== null
}
