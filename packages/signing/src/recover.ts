import { createRequire } from 'node:module'
import { type Hex, keccak256, recoverAddress } from 'viem'

/** Recovers who signed a digest: by the native library where it is installed (20 times as fast), else by portable code. */

type Native = typeof import('secp256k1')

function loadNative(): Native | null {
  try {
    return createRequire(import.meta.url)('secp256k1/bindings.js') as Native
  } catch {
    return null // an optional dependency: not built for this machine
  }
}

const native = loadNative()

/** Whether the native library is in use. */
export const hasNativeRecovery = native !== null

/** Half of the group's order: a larger s would give every signature a twin. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** r, s and parity of a 65-byte signature, or null when it is malformed or its s is in the upper half. */
function splitSignature(signature: Uint8Array): { rs: Uint8Array; parity: 0 | 1 } | null {
  if (signature.length !== 65) return null
  const v = signature[64]!
  const parity = v === 27 || v === 0 ? 0 : v === 28 || v === 1 ? 1 : null
  if (parity === null) return null
  const s = BigInt(`0x${Buffer.from(signature.subarray(32, 64)).toString('hex')}`)
  if (s === 0n || s > HALF_ORDER) return null
  return { rs: signature.subarray(0, 64), parity }
}

/** The lower-case address whose key signed the digest, or null when nobody's did. */
export async function recoverSigner(digest: Uint8Array, signature: Uint8Array): Promise<Hex | null> {
  const parts = splitSignature(signature)
  if (!parts) return null
  return native ? recoverNative(native, digest, parts) : recoverPortable(digest, parts)
}

/** By the binding. Throws nothing: what the library refuses is nobody's signature. */
function recoverNative(library: Native, digest: Uint8Array, { rs, parity }: { rs: Uint8Array; parity: 0 | 1 }): Hex | null {
  let publicKey: Uint8Array
  try {
    publicKey = library.ecdsaRecover(rs, parity, digest, false)
  } catch {
    return null
  }
  return `0x${Buffer.from(keccak256(publicKey.subarray(1), 'bytes').subarray(12)).toString('hex')}`
}

/** In plain JavaScript. Exported so that a test can hold the two against each other. */
export async function recoverPortable(digest: Uint8Array, { rs, parity }: { rs: Uint8Array; parity: 0 | 1 }): Promise<Hex | null> {
  try {
    const signature = Uint8Array.of(...rs, 27 + parity)
    return (await recoverAddress({ hash: digest, signature })).toLowerCase() as Hex
  } catch {
    return null
  }
}
