import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ApiKey } from '@augury/signing/request-signer'
import { Failure } from './failure.ts'

/** Encrypted content of a key file: an API key, and the wallet if this program made it. */
export interface Secrets {
  apiKey: ApiKey
  walletKey?: string
}

/** Owner and exchange of the key: not encrypted, but authenticated. */
export interface KeyOwner {
  url: string
  address: string
}

interface KeyFile extends KeyOwner {
  version: 1
  kdf: { name: 'scrypt'; n: number; r: number; p: number; salt: string }
  cipher: { name: 'aes-256-gcm'; nonce: string; tag: string }
  data: string
}

/** Parameters of scrypt: 128 MiB and about half a second per guess. */
const COST = { n: 2 ** 17, r: 8, p: 1 }
/** Largest parameters accepted from a file. */
const COST_MAX = { n: 2 ** 20, r: 16, p: 4 }

const derive = (passphrase: string, salt: Buffer, { n, r, p }: typeof COST): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { N: n, r, p, maxmem: 256 * n * r }
    scrypt(passphrase.normalize('NFKC'), salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)))
  })

const bound = ({ url, address }: KeyOwner) => Buffer.from(JSON.stringify([1, url, address]))

/** Writes a key file encrypted with the passphrase, replacing an earlier one atomically. Throws a failure if it cannot be written. */
export async function writeKeyFile(path: string, owner: KeyOwner, secrets: Secrets, passphrase: string): Promise<void> {
  const salt = randomBytes(32)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await derive(passphrase, salt, COST), nonce).setAAD(bound(owner))
  const data = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()])
  const file: KeyFile = {
    version: 1,
    url: owner.url,
    address: owner.address,
    kdf: { name: 'scrypt', ...COST, salt: salt.toString('base64') },
    cipher: { name: 'aes-256-gcm', nonce: nonce.toString('base64'), tag: cipher.getAuthTag().toString('base64') },
    data: data.toString('base64'),
  }
  const half = `${path}.${process.pid}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(half, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await chmod(half, 0o600)
    await rename(half, path)
  } catch (error) {
    await rm(half, { force: true }).catch(() => {}) // the first error matters
    throw new Failure('bad_key_file', `${path} cannot be written: ${(error as Error).message}`)
  }
}

/** Owner of a key file; null if it does not exist. Throws a failure if it is not a valid key file. */
export async function readKeyOwner(path: string): Promise<KeyOwner | null> {
  const file = await read(path)
  return file && { url: file.url, address: file.address }
}

/** Decrypts a key file. Throws a failure if the passphrase is wrong or the file was changed. */
export async function openKeyFile(path: string, passphrase: string): Promise<Secrets> {
  const file = await read(path)
  if (!file) throw new Failure('no_key_file', `there is no key file ${path}`)
  const { kdf, cipher } = file
  const key = await derive(passphrase, Buffer.from(kdf.salt, 'base64'), kdf)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(cipher.nonce, 'base64'), { authTagLength: 16 })
      .setAAD(bound(file))
      .setAuthTag(Buffer.from(cipher.tag, 'base64'))
    return JSON.parse(Buffer.concat([decipher.update(file.data, 'base64'), decipher.final()]).toString('utf8')) as Secrets
  } catch {
    throw new Failure('wrong_passphrase', `the passphrase does not open ${path}, or the file was changed`)
  }
}

/** Removes a key file. */
export const removeKeyFile = (path: string): Promise<void> => rm(path, { force: true })

async function read(path: string): Promise<KeyFile | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Failure('bad_key_file', `${path} cannot be read: ${(error as Error).message}`)
  }
  try {
    const file = JSON.parse(text) as KeyFile
    const { n, r, p } = file.kdf
    const within = (['n', 'r', 'p'] as const).every((name) => Number.isInteger(file.kdf[name]) && file.kdf[name] <= COST_MAX[name])
    const isSupported = file.version === 1 && file.kdf.name === 'scrypt' && file.cipher.name === 'aes-256-gcm'
    const texts = [file.url, file.address, file.kdf.salt, file.cipher.nonce, file.cipher.tag, file.data]
    const isPower = (n & (n - 1)) === 0 // as scrypt requires
    if (isSupported && within && isPower && n > 1 && r > 0 && p > 0 && texts.every((part) => typeof part === 'string')) return file
  } catch {
    // not JSON: reported below
  }
  throw new Failure('bad_key_file', `${path} is no key file of this program`)
}
