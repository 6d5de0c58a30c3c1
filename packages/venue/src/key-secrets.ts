import { createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { Hex } from '@augury/engine/command'
import type { Credentials } from '@augury/wire/credentials'

/** What credentials are derived from, besides the server's secret. */
export interface KeyIdentity {
  owner: Hex
  nonce: bigint
  /** Counts the keys of one nonce: after a revocation the next one is another key. */
  generation: number
}

/** The trio of a key: the same for the same identity and server secret, and nothing to steal from the database. */
export function deriveCredentials(serverSecret: string, { owner, nonce, generation }: KeyIdentity): Credentials {
  const identity = `${owner.toLowerCase()}/${nonce}/${generation}`
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', serverSecret, 'augury api key', `${purpose}/${identity}`, length))
  let secret: string
  // A secret without these characters reads the same in both base64 alphabets.
  for (let attempt = 0; /[+/]/.test((secret = derive(`secret/${attempt}`, 32).toString('base64'))); attempt++);
  return { apiKey: uuid(derive('id', 16)), secret, passphrase: derive('passphrase', 32).toString('hex') }
}

/** The secret as the key of an HMAC, decoded once. */
export const hmacKey = (secret: string): KeyObject => createSecretKey(Buffer.from(secret, 'base64'))

/** What is stored of a passphrase, and compared. */
export const passphraseHash = (passphrase: string): Buffer => createHash('sha256').update(passphrase).digest()

function uuid(bytes: Buffer): string {
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
