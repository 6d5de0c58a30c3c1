import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** An authenticator in software: what a browser and a security key answer to the options of a site, and whatever a hostile one would. */

/** What a test may change of an answer. */
export interface Unusual {
  origin?: string
  rpId?: string
  /** Replaces the flags: by default the user is present and verified. */
  flags?: number
  counter?: number
  challenge?: string
  crossOrigin?: boolean
  userHandle?: string | null
}

/** A credential that an authenticator keeps. */
export interface Kept {
  id: string
  userHandle: string
  rpId: string
  counter: number
  key: KeyObject
}

const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40]

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/** CBOR of what registrations hold: small integers, texts, bytes, and maps in the order given. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flat().map((each) => cbor(each as number))])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff])
}

const counterBytes = (counter: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(counter)
  return bytes
}

const clientData = (type: string, challenge: string, { origin, crossOrigin }: { origin: string; crossOrigin?: boolean }): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: crossOrigin ?? false }))

/** Makes a credential for the options of a registration, as from a page of `origin`. */
export function register(
  options: { challenge: string; rp: { id: string }; user: { id: string } },
  origin: string,
  unusual: Unusual = {},
): { credential: object; kept: Kept } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const coordinates: [number, Buffer][] = [
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]
  const coseKey = cbor(new Map<number, unknown>([[1, 2], [3, -7], [-1, 1], ...coordinates]))
  const counter = unusual.counter ?? 0
  const authData = Buffer.concat([
    sha256(unusual.rpId ?? options.rp.id),
    Buffer.from([unusual.flags ?? PRESENT | VERIFIED | ATTESTED]),
    counterBytes(counter),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    coseKey,
  ])
  const attestation = cbor(
    new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]),
  )
  const client = clientData('webauthn.create', unusual.challenge ?? options.challenge, { ...unusual, origin: unusual.origin ?? origin })
  const encoded = id.toString('base64url')
  return {
    credential: {
      id: encoded,
      rawId: encoded,
      type: 'public-key',
      response: {
        clientDataJSON: client.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    },
    kept: { id: encoded, userHandle: options.user.id, rpId: options.rp.id, counter, key: privateKey },
  }
}

/** Uses a credential for the options of a request, as from a page of `origin`. Its counter moves on by one, unless it keeps none. */
export function assert(kept: Kept, options: { challenge: string }, origin: string, unusual: Unusual = {}): object {
  if (kept.counter > 0) kept.counter++
  const authenticatorData = Buffer.concat([
    sha256(unusual.rpId ?? kept.rpId),
    Buffer.from([unusual.flags ?? PRESENT | VERIFIED]),
    counterBytes(unusual.counter ?? kept.counter),
  ])
  const client = clientData('webauthn.get', unusual.challenge ?? options.challenge, { ...unusual, origin: unusual.origin ?? origin })
  const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), kept.key)
  return {
    id: kept.id,
    rawId: kept.id,
    type: 'public-key',
    response: {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: unusual.userHandle === undefined ? kept.userHandle : unusual.userHandle,
    },
  }
}
