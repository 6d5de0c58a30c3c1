import { hash } from 'node:crypto'

type Hex = `0x${string}`

/** One-shot, which costs half of a hash object. */
const sha256 = (...parts: (string | Uint8Array)[]): Hex =>
  `0x${hash('sha256', Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))), 'hex')}`

const addressBytes = (account: Hex): Uint8Array => Buffer.from(account.slice(2), 'hex')

const PLAIN = Buffer.from('plain')
/** Reused for the input of every plain order's id. */
const plain = Buffer.alloc(PLAIN.length + 20 + 32 + 1)
plain.set(PLAIN)

/** Id of a plain order, from its account, the 32 bytes of the request's signature, and its index in the batch (one byte). */
export function plainOrderId(account: Hex, signature: Uint8Array, leg: number): Hex {
  if (account.length !== 42 || signature.length !== 32) throw new RangeError('an account of 20 bytes and a signature of 32')
  plain.write(account.slice(2), 5, 'hex')
  plain.set(signature, 25)
  plain[57] = leg
  return `0x${hash('sha256', plain, 'hex')}`
}

/** Id of an order with a client order id. */
export const clientOrderHash = (account: Hex, clientOrderId: string): Hex => sha256('client', addressBytes(account), clientOrderId)

/** Id of any other signed POST. */
export const requestId = (apiKey: string, signature: Uint8Array): Hex => sha256('request', apiKey, signature)

/** Id of a request with a `ref` of its account: depends on its content, not on the key and signature that carry it. */
export const namedRequestId = (account: Hex, ref: string, content: readonly unknown[]): Hex =>
  sha256('named', addressBytes(account), JSON.stringify([ref, content]))

/** Hash of the `ref` of a deposit or withdrawal, which is what the engine keeps. */
export const referenceHash = (reference: string): Hex => sha256('ref', reference)
