import type { Hex } from '@augury/engine/command'

/**
 * What the engine stores with an order and never reads: the API key and wallet that placed it, its client order id, and a hash of its
 * content.
 */
export interface Annex {
  /** Public identifier of the API key, a UUID. */
  owner: string
  /** Registered wallet whose funds the order names, when it is not the account itself. */
  maker: Hex | null
  clientOrderId: string | null
  /**
   * First 8 bytes of a hash over the content: tells a retry from another order under the same name. Null, stored as zeros, where no other
   * can have it.
   */
  content: Uint8Array | null
}

const VERSION = 1
const HAS_MAKER = 1
const HAS_NAME = 2
const HEADER = 2 + 16 + 8

/** Writes an annex: at most 111 bytes for a client order id of 64. */
export function encodeAnnex({ owner, maker, clientOrderId, content }: Annex): Uint8Array {
  const name = clientOrderId === null ? null : Buffer.from(clientOrderId, 'utf8')
  // From Node's pool: native writes into a buffer of its own cost several times as much.
  const bytes = Buffer.allocUnsafe(HEADER + (maker ? 20 : 0) + (name ? 1 + name.length : 0))
  bytes[0] = VERSION
  bytes[1] = (maker ? HAS_MAKER : 0) | (name ? HAS_NAME : 0)
  bytes.write(owner.replaceAll('-', ''), 2, 'hex')
  if (content) bytes.set(content.subarray(0, 8), 18)
  else bytes.fill(0, 18, HEADER)
  let at = HEADER
  if (maker) {
    bytes.write(maker.slice(2), at, 'hex')
    at += 20
  }
  if (name) {
    bytes[at] = name.length
    bytes.set(name, at + 1)
  }
  return bytes
}

/** Reads what `encodeAnnex` wrote. Throws on anything else: the journal would be damaged. */
export function decodeAnnex(annex: Uint8Array): Annex & { content: Uint8Array } {
  const bytes = Buffer.from(annex.buffer, annex.byteOffset, annex.byteLength)
  if (bytes[0] !== VERSION) throw new Error(`annex of unknown version ${bytes[0]}`)
  const flags = bytes[1]!
  const hex = bytes.toString('hex', 2, 18)
  const owner = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  let at = HEADER
  let maker: Hex | null = null
  if (flags & HAS_MAKER) {
    maker = `0x${bytes.toString('hex', at, at + 20)}`
    at += 20
  }
  const clientOrderId = flags & HAS_NAME ? bytes.toString('utf8', at + 1, at + 1 + bytes[at]!) : null
  return { owner, maker, clientOrderId, content: bytes.subarray(18, HEADER) }
}
