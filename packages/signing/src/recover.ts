import { createRequire } from 'node:module'
import { type Hex, recoverAddress } from 'viem'
import { keccak } from './keccak.ts'

/**
 * Recovers the signer of a digest: by the native library where it is installed, else by the same code in WebAssembly (a quarter of the speed),
 * else by plain JavaScript (a thirtieth).
 */

type Native = typeof import('secp256k1')
type Compiled = typeof import('tiny-secp256k1')

/** Loads an optional dependency; null when it is not built for this machine or not shipped with a bundled program. */
function load<Library>(name: string): Library | null {
  try {
    return createRequire(import.meta.url)(name) as Library
  } catch {
    return null
  }
}

const native = load<Native>('secp256k1/bindings.js')
const compiled = load<Compiled>('tiny-secp256k1')

/** Whether the native library is in use. */
export const hasNativeRecovery = native !== null

/** Half of the group's order, big-endian. With a larger s every signature would have a second valid form. */
const HALF_ORDER = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex')
const ZERO = Buffer.alloc(32)

/** r, s and parity of a 65-byte signature, or null when it is malformed or its s is in the upper half. */
function splitSignature(signature: Uint8Array): { rs: Uint8Array; parity: 0 | 1 } | null {
  if (signature.length !== 65) return null
  const v = signature[64]!
  const parity = v === 27 || v === 0 ? 0 : v === 28 || v === 1 ? 1 : null
  if (parity === null) return null
  const s = signature.subarray(32, 64)
  if (Buffer.compare(s, ZERO) === 0 || Buffer.compare(s, HALF_ORDER) > 0) return null
  return { rs: signature.subarray(0, 64), parity }
}

/** The lower-case address that signed the digest; null for an invalid signature. */
export async function recoverSigner(digest: Uint8Array, signature: Uint8Array): Promise<Hex | null> {
  const parts = splitSignature(signature)
  if (!parts) return null
  return native ? recoverNative(native, digest, parts) : recoverPortable(digest, parts)
}

const addressOf = (publicKey: Uint8Array): Hex => `0x${Buffer.from(keccak(publicKey.subarray(1)).subarray(12)).toString('hex')}`

/** By the native binding. Does not throw: what the library rejects is an invalid signature. */
function recoverNative(library: Native, digest: Uint8Array, { rs, parity }: { rs: Uint8Array; parity: 0 | 1 }): Hex | null {
  try {
    return addressOf(library.ecdsaRecover(rs, parity, digest, false))
  } catch {
    return null
  }
}

/** Without the native binding. Exported for the test that compares the implementations. */
export async function recoverPortable(digest: Uint8Array, parts: { rs: Uint8Array; parity: 0 | 1 }): Promise<Hex | null> {
  if (!compiled) return recoverPlain(digest, parts)
  try {
    const publicKey = compiled.recover(digest, parts.rs, parts.parity, false)
    return publicKey && addressOf(publicKey)
  } catch {
    return null
  }
}

/** In plain JavaScript. Exported for the same test. */
export async function recoverPlain(digest: Uint8Array, { rs, parity }: { rs: Uint8Array; parity: 0 | 1 }): Promise<Hex | null> {
  try {
    const signature = Uint8Array.of(...rs, 27 + parity)
    return (await recoverAddress({ hash: digest, signature })).toLowerCase() as Hex
  } catch {
    return null
  }
}
