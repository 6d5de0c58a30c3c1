import { hkdfSync } from 'node:crypto'

/** What makes an API key: the same always gives the same secrets. */
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

/** An API key's three parts. */
export interface KeySecrets {
  apiKey: string
  secret: string
  passphrase: string
}

const AMBIGUOUS = /[+/]/

/**
 * Derives a key's three parts from the server's secret by HKDF-SHA256. Draws again until the secret's base64 holds none of
 * `+ / - _`: such a text means the same in both alphabets, so no client can decode it wrongly.
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
