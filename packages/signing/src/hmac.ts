import { hash } from 'node:crypto'
import { decodeBase64 } from './base64.ts'
import { sha256 } from './sha256.ts'

/** HMAC-SHA256 from two one-shot hashes, which cost a fraction of a hash object. */

/** A key prepared as in RFC 2104: its block XORed with the inner and the outer padding. */
export interface SigningKey {
  readonly inner: Uint8Array
  readonly outer: Uint8Array
}

const BLOCK = 64
const DIGEST = 32
/** Messages up to this length, in bytes, are assembled in a shared buffer; longer ones get their own. */
const SCRATCH_SIZE = 16 * 1024
const scratch = Buffer.allocUnsafeSlow(BLOCK + SCRATCH_SIZE)
const outerMessage = Buffer.allocUnsafeSlow(BLOCK + DIGEST)

/** Prepares the key of a base64 secret, to be reused for each request. Throws a `Base64Error` on a malformed secret. */
export const signingKey = (secret: string): SigningKey => keyOf(decodeBase64(secret))

/** As `signingKey`, from the secret's bytes. */
export function keyOf(secret: Uint8Array): SigningKey {
  const block = Buffer.alloc(BLOCK)
  block.set(secret.length > BLOCK ? sha256(secret) : secret)
  return { inner: block.map((byte) => byte ^ 0x36), outer: block.map((byte) => byte ^ 0x5c) }
}

/** HMAC-SHA256 (32 bytes) of a text followed by bytes. */
export function hmacOf(key: SigningKey, head: string, body: Uint8Array): Buffer {
  const most = BLOCK + head.length * 3 + body.length
  const message = most <= scratch.length ? scratch : Buffer.allocUnsafeSlow(most)
  message.set(key.inner)
  const end = BLOCK + message.write(head, BLOCK, 'utf8')
  message.set(body, end)
  outerMessage.set(key.outer)
  outerMessage.write(hash('sha256', message.subarray(0, end + body.length), 'binary'), BLOCK, 'binary')
  return sha256(outerMessage)
}
