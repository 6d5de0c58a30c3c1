import { hkdfSync } from 'node:crypto'

/** The inputs an API key is derived from; the same inputs give the same secrets. */
export interface KeyIdentity {
  /** Owner's address in lower case. */
  address: string
  /** Decimal text. */
  nonce: string
  /** Counts revocations of this nonce. */
  generation: number
  /** Separates kinds of keys of one wallet, such as `api` and `readonly`. */
  kind: string
}

/** The three parts of an API key. */
export interface KeySecrets {
  apiKey: string
  secret: string
  passphrase: string
}

const AMBIGUOUS = /[+/]/

/**
 * Derives the three parts of a key from the server's secret by HKDF-SHA256. Redraws until the secret's base64 has none of `+ / - _`: it then
 * reads the same in both alphabets, so no client can decode it wrongly.
 */
export function deriveKeySecrets(serverSecret: Uint8Array, identity: KeyIdentity): KeySecrets {
  const name = `${identity.kind}\n${identity.address.toLowerCase()}\n${identity.nonce}\n${identity.generation}`
  for (let attempt = 0; ; attempt++) {
    const bytes = Buffer.from(hkdfSync('sha256', serverSecret, 'augury api key', `${name}\n${attempt}`, 80))
    const secret = bytes.subarray(0, 32).toString('base64')
    if (AMBIGUOUS.test(secret)) continue
    return { apiKey: uuid(bytes.subarray(64, 80)), secret, passphrase: bytes.subarray(32, 64).toString('hex') }
  }
}

/** 16 derived bytes as a UUID of version 8 (custom). */
function uuid(bytes: Buffer): string {
  const fixed = Buffer.from(bytes)
  fixed[6] = (fixed[6]! & 0x0f) | 0x80
  fixed[8] = (fixed[8]! & 0x3f) | 0x80
  return fixed.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
