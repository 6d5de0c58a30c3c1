import type { Hex } from '@augury/engine/command'
import { encodeOrder } from '@augury/signing/order-digest'
import type { OrderFields } from '@augury/signing/order-fields'
import type { OrderPolicy, SignatureRefusal, VerifiedOrder } from '@augury/signing/order-signature'

/** The messages between `verifier` and its workers: many signatures in one buffer, which is transferred instead of copied. */

/** Work for a worker: an order's signature, or who signed a hash. */
export type Task =
  | { kind: 'order'; order: OrderFields; signature: Hex; negRisk: boolean; policy: OrderPolicy }
  | { kind: 'recover'; hash: Hex; signature: Hex }
/** Its result; an Error is a bug. */
export type Verdict = VerifiedOrder | SignatureRefusal | Hex | null | Error
/** Encoded verdicts, with the texts of the errors among them. */
export interface Verdicts {
  bytes: ArrayBuffer
  errors: string[]
}

/** A task as the worker reads it; `signed` is an order as `encodeOrder` writes it, or a hash. */
export interface DecodedTask {
  isOrder: boolean
  signed: Uint8Array
  signature: Uint8Array
  negRisk: boolean
  policy: OrderPolicy
}

// Head of a task: flags (4 bytes), lengths of `signed` and `signature` (2 each), chain id (8).
const HEAD = 16
const ORDER = 1
const NEG_RISK = 2
const ESTABLISHED = 4
const ANY_CHAIN = 8

const bytesOf = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex')

/** Encodes one task. */
export function encodeTask(task: Task): Uint8Array {
  const signed = task.kind === 'order' ? encodeOrder(task.order) : bytesOf(task.hash)
  const signature = bytesOf(task.signature)
  const bytes = new Uint8Array(HEAD + signed.length + signature.length)
  const view = new DataView(bytes.buffer)
  if (task.kind === 'order') {
    const { chainId, established, anyChain } = task.policy
    view.setUint32(0, ORDER | (task.negRisk ? NEG_RISK : 0) | (established ? ESTABLISHED : 0) | (anyChain ? ANY_CHAIN : 0))
    view.setFloat64(8, chainId)
  }
  view.setUint16(4, signed.length)
  view.setUint16(6, signature.length)
  bytes.set(signed, HEAD)
  bytes.set(signature, HEAD + signed.length)
  return bytes
}

/** Concatenates tasks into one buffer. */
export function joinTasks(tasks: readonly Uint8Array[]): ArrayBuffer {
  const bytes = new Uint8Array(tasks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const task of tasks) {
    bytes.set(task, at)
    at += task.length
  }
  return bytes.buffer
}

/** Reads what `joinTasks` joined. */
export function* decodeTasks(buffer: ArrayBuffer): Generator<DecodedTask> {
  const view = new DataView(buffer)
  for (let at = 0; at < buffer.byteLength; ) {
    const flags = view.getUint32(at)
    const signed = new Uint8Array(buffer, at + HEAD, view.getUint16(at + 4))
    const signature = new Uint8Array(buffer, at + HEAD + signed.length, view.getUint16(at + 6))
    const policy = { chainId: view.getFloat64(at + 8), established: (flags & ESTABLISHED) !== 0, anyChain: (flags & ANY_CHAIN) !== 0 }
    yield { isOrder: (flags & ORDER) !== 0, signed, signature, negRisk: (flags & NEG_RISK) !== 0, policy }
    at += HEAD + signed.length + signature.length
  }
}

const REFUSALS = ['bad_order_signature', 'wrong_exchange_domain', 'order_version_mismatch'] as const satisfies SignatureRefusal[]
const FAILED = 252
const VERIFIED = 253
const SIGNER = 254
const NO_SIGNER = 255
/** Bytes of a verdict: its kind (1), the order's id (32), the signer (20). */
const VERDICT = 1 + 32 + 20

/** Encodes verdicts. */
export function encodeVerdicts(verdicts: readonly Verdict[]): Verdicts {
  const buffer = new ArrayBuffer(verdicts.length * VERDICT)
  const bytes = Buffer.from(buffer)
  const errors: string[] = []
  verdicts.forEach((verdict, index) => {
    const at = index * VERDICT
    if (verdict === null) bytes[at] = NO_SIGNER
    else if (verdict instanceof Error) {
      bytes[at] = FAILED
      errors.push(verdict.stack ?? verdict.message)
    } else if (typeof verdict === 'object') {
      bytes[at] = VERIFIED
      bytes.write(verdict.orderId.slice(2), at + 1, 'hex')
      bytes.write(verdict.signedBy.slice(2), at + 33, 'hex')
    } else if (verdict.startsWith('0x')) {
      bytes[at] = SIGNER
      bytes.write(verdict.slice(2), at + 33, 'hex')
    } else bytes[at] = REFUSALS.indexOf(verdict as SignatureRefusal)
  })
  return { bytes: buffer, errors }
}

/** Reads what `encodeVerdicts` wrote. */
export function decodeVerdicts({ bytes: buffer, errors }: Verdicts): Verdict[] {
  const bytes = Buffer.from(buffer)
  const hex = (from: number, to: number): Hex => `0x${bytes.toString('hex', from, to)}`
  let failed = 0
  return Array.from({ length: bytes.length / VERDICT }, (_, index) => {
    const at = index * VERDICT
    const kind = bytes[at]!
    if (kind === NO_SIGNER) return null
    if (kind === FAILED) return new Error(errors[failed++])
    if (kind === SIGNER) return hex(at + 33, at + VERDICT)
    return kind === VERIFIED ? { orderId: hex(at + 1, at + 33), signedBy: hex(at + 33, at + VERDICT) } : REFUSALS[kind]!
  })
}
