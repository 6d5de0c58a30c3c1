import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'

/** PKCS #8 header before the 32 bytes of an Ed25519 key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A key that signs roots. */
export interface ProofKey {
  /** Public, 64 hex digits. */
  key: string
  sign(text: string): Buffer
}

/** The key of these 32 secret bytes, as 64 hex digits. */
export function proofKey(seed: string): ProofKey {
  const secret: KeyObject = createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.from(seed, 'hex')]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(secret).export({ format: 'jwk' })
  return { key: Buffer.from(x!, 'base64url').toString('hex'), sign: (text) => sign(null, Buffer.from(text), secret) }
}
