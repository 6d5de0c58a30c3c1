import { hash } from 'node:crypto'

type Hex = `0x${string}`

/** In one call, which costs half of what a hash object does. */
const sha256 = (...parts: (string | Uint8Array)[]): Hex =>
  `0x${hash('sha256', Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))), 'hex')}`

const addressBytes = (account: Hex): Uint8Array => Buffer.from(account.slice(2), 'hex')

const PLAIN = Buffer.from('plain')
/** Where the terms of a plain order's id are laid out: this is asked for every order. */
const plain = Buffer.alloc(PLAIN.length + 20 + 32 + 1)
plain.set(PLAIN)

/** Id of a plain order: its account, the 32 bytes of the request's signature, and its place in the batch (one byte). */
export function plainOrderId(account: Hex, signature: Uint8Array, leg: number): Hex {
  if (account.length !== 42 || signature.length !== 32) throw new RangeError('an account of 20 bytes and a signature of 32')
  plain.write(account.slice(2), 5, 'hex')
  plain.set(signature, 25)
  plain[57] = leg
  return `0x${hash('sha256', plain, 'hex')}`
}

/** Id of an order that its owner named. */
export const clientOrderHash = (account: Hex, clientOrderId: string): Hex => sha256('client', addressBytes(account), clientOrderId)

/** Id of any other signed POST. */
export const requestId = (apiKey: string, signature: Uint8Array): Hex => sha256('request', apiKey, signature)

/** Id of a request that its account named: of this content, whichever key and signature carry it. */
export const namedRequestId = (account: Hex, ref: string, content: readonly unknown[]): Hex =>
  sha256('named', addressBytes(account), JSON.stringify([ref, content]))

/** A `ref` of a deposit or withdrawal as the engine keeps it. */
export const referenceHash = (reference: string): Hex => sha256('ref', reference)
