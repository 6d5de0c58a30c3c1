import { hash } from 'node:crypto'
import { decodeBase64 } from './base64.ts'
import { sha256 } from './sha256.ts'

/** HMAC-SHA256 for requests that come by the thousand: two hashes in one call each, which costs a fraction of a hash object. */

/** A key as RFC 2104 uses it: its block, changed for the inner and for the outer hash. */
export interface SigningKey {
  readonly inner: Uint8Array
  readonly outer: Uint8Array
}

const BLOCK = 64
const DIGEST = 32
/** Where messages up to this length are laid out; longer ones get a place of their own. */
const USUAL = 16 * 1024
const place = Buffer.allocUnsafeSlow(BLOCK + USUAL)
const last = Buffer.allocUnsafeSlow(BLOCK + DIGEST)

/** Makes the key of a secret once, so that a request costs no key setup. Throws a `Base64Error` on a malformed secret. */
export const signingKey = (secret: string): SigningKey => keyOf(decodeBase64(secret))

/** The same of a secret's bytes. */
export function keyOf(secret: Uint8Array): SigningKey {
  const block = Buffer.alloc(BLOCK)
  block.set(secret.length > BLOCK ? sha256(secret) : secret)
  return { inner: block.map((byte) => byte ^ 0x36), outer: block.map((byte) => byte ^ 0x5c) }
}

/** The 32 bytes of HMAC-SHA256 over a text and the bytes after it. */
export function hmacOf(key: SigningKey, head: string, body: Uint8Array): Buffer {
  const most = BLOCK + head.length * 3 + body.length
  const message = most <= place.length ? place : Buffer.allocUnsafeSlow(most)
  message.set(key.inner)
  const end = BLOCK + message.write(head, BLOCK, 'utf8')
  message.set(body, end)
  last.set(key.outer)
  last.write(hash('sha256', message.subarray(0, end + body.length), 'binary'), BLOCK, 'binary')
  return sha256(last)
}
