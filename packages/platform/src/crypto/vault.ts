import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { RingKey } from '@augury/settings/kinds'

const SALT = 16
const IV = 12
const TAG = 16

/** Where a sealed value is stored; it does not open anywhere else. */
export interface Place {
  /** Id of the user it belongs to. */
  user: string
  /** Name of the table and column. */
  field: string
}

/** Thrown when a sealed value does not open: wrong format, missing key, another place, or changed bytes. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
}

/**
 * Seals secrets for the database: AES-256-GCM under a key derived for each value (HKDF-SHA-256, random salt) from a key of the ring,
 * with a random IV, bound to its place. Form: `v1.<key id>.<base64url of salt, IV, ciphertext, tag>`.
 */
export class Vault {
  readonly #ring: ReadonlyMap<string, Buffer>
  readonly #current: RingKey

  /** The first key seals, all of them open. */
  constructor(ring: readonly RingKey[]) {
    const [current] = ring
    if (!current) throw new VaultError('the key ring is empty')
    this.#current = current
    this.#ring = new Map(ring.map(({ id, key }) => [id, key]))
  }

  /** Seals a text. */
  seal(secret: string, place: Place): string {
    const { id, key } = this.#current
    const salt = randomBytes(SALT)
    const iv = randomBytes(IV)
    const sealed = encrypt(derive(key, salt), iv, boundTo(id, place), Buffer.from(secret, 'utf8'))
    return `v1.${id}.${Buffer.concat([salt, iv, sealed]).toString('base64url')}`
  }

  /** Opens what `seal` made for the same place. Throws `VaultError`. */
  open(sealed: string, place: Place): string {
    const [, id = '', text = ''] = /^v1\.([a-z0-9]{1,16})\.([\w-]+)$/.exec(sealed) ?? []
    const key = this.#ring.get(id)
    if (!key) throw new VaultError('sealed in another format, or by a key that is not in the ring')
    const bytes = Buffer.from(text, 'base64url')
    const salt = bytes.subarray(0, SALT)
    const iv = bytes.subarray(SALT, SALT + IV)
    return decrypt(derive(key, salt), iv, boundTo(id, place), bytes.subarray(SALT + IV)).toString('utf8')
  }

  /** Whether a value is sealed by another key than the first of the ring. */
  isOutdated(sealed: string): boolean {
    return !sealed.startsWith(`v1.${this.#current.id}.`)
  }
}

/** The key of one value. */
const derive = (key: Buffer, salt: Buffer) => Buffer.from(hkdfSync('sha256', key, salt, 'augury vault v1', 32))

/** Unambiguous, because ids and field names contain no line breaks. */
const boundTo = (keyId: string, { user, field }: Place) => Buffer.from(`augury vault v1\n${keyId}\n${user}\n${field}`, 'utf8')

/** AES-256-GCM: the ciphertext with its 128-bit tag behind it. */
export function encrypt(key: Buffer, iv: Buffer, aad: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG }).setAAD(aad)
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** The reverse. Throws `VaultError` when anything was changed. */
export function decrypt(key: Buffer, iv: Buffer, aad: Buffer, sealed: Buffer): Buffer {
  if (iv.length !== IV || sealed.length < TAG) throw new VaultError('a sealed value is too short')
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG })
  decipher.setAAD(aad).setAuthTag(sealed.subarray(-TAG))
  const plain = decipher.update(sealed.subarray(0, -TAG))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch (cause) {
    throw new VaultError('a sealed value was changed, or belongs elsewhere', { cause })
  }
}
