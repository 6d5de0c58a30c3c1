import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Hex } from '@augury/engine/command'
import type { OrderFields } from '@augury/signing/order-fields'
import type { OrderPolicy, SignatureRefusal, VerifiedOrder } from '@augury/signing/order-signature'
import { ServiceError } from '@augury/wire/service-error'
import { decodeVerdicts, encodeTask, joinTasks, type Task, type Verdict, type Verdicts } from './verifier-batch.ts'

/** Signatures waiting at most: bounds memory and a caller's wait. */
const WAITING = 10_000
/** Signatures in one message at most: about a millisecond's work, after which its orders go on while the next are checked. */
const BATCH = 16
/** Messages that a worker has at a time: the one it works on, and what comes next. */
const AHEAD = 3

interface Waiting {
  /** Encoded. */
  task: Uint8Array
  resolve(verdict: Verdict): void
  reject(error: Error): void
}

/** A worker and the batches it was sent, in order. A worker that died is null until there is work again. */
interface WorkerSlot {
  worker: Worker | null
  batches: Waiting[][]
}

/**
 * Checks wallet signatures in worker threads, so that elliptic-curve arithmetic never blocks the event loop. Signatures that arrive in one
 * turn of it, or while the workers are busy, go in one message.
 */
export class Verifier {
  readonly #onFailure: (error: Error) => void
  readonly #slots: WorkerSlot[]
  #queue: Waiting[] = []
  #count = 0
  #isSending = false

  /** `onFailure` is called when a worker dies, which is a bug; the callers that wait for it get the error too. */
  constructor(onFailure: (error: Error) => void, threads = Math.max(1, availableParallelism() - 1)) {
    this.#onFailure = onFailure
    this.#slots = Array.from({ length: threads }, () => {
      const slot: WorkerSlot = { worker: null, batches: [] }
      slot.worker = this.#start(slot)
      return slot
    })
  }

  /** The order's id and signer, or why the signature is refused. Rejects with `overloaded` when too many wait. */
  order(order: OrderFields, signature: Hex, negRisk: boolean, policy: OrderPolicy): Promise<VerifiedOrder | SignatureRefusal> {
    return this.#ask({ kind: 'order', order, signature, negRisk, policy }) as Promise<VerifiedOrder | SignatureRefusal>
  }

  /** Lower-case address that signed a hash, or null. Rejects with `overloaded` when too many wait. */
  recover(hash: Hex, signature: Hex): Promise<Hex | null> {
    return this.#ask({ kind: 'recover', hash, signature }) as Promise<Hex | null>
  }

  async close(): Promise<void> {
    await Promise.all(this.#slots.map(({ worker }) => worker?.terminate()))
  }

  #start(slot: WorkerSlot): Worker {
    const worker = new Worker(new URL('./verifier-worker.ts', import.meta.url))
    worker.on('message', (news: Verdicts | object) => {
      // Under `node --watch` messages about imports arrive here too. A late message of a dead worker is not about its successor's batches.
      if ('bytes' in news && slot.worker === worker) this.#receive(slot, news)
    })
    worker.on('error', (error) => {
      slot.worker = null
      const lost = slot.batches.splice(0).flat()
      this.#count -= lost.length
      for (const { reject } of lost) reject(error)
      this.#onFailure(error)
      this.#send()
    })
    worker.unref()
    return worker
  }

  #ask(task: Task): Promise<Verdict> {
    if (this.#count >= WAITING) return Promise.reject(new ServiceError('overloaded', { retryAfter: 1 }))
    return new Promise((resolve, reject) => {
      this.#queue.push({ task: encodeTask(task), resolve, reject })
      this.#count++
      if (this.#isSending) return
      this.#isSending = true
      setImmediate(() => {
        this.#isSending = false
        this.#send()
      })
    })
  }

  /** Sends what waits to the workers that have the least to do. */
  #send(): void {
    while (this.#queue.length > 0) {
      const slot = this.#slots.reduce((least, one) => (one.batches.length < least.batches.length ? one : least))
      if (slot.batches.length >= AHEAD) return
      const batch = this.#queue.splice(0, BATCH)
      slot.batches.push(batch)
      const tasks = joinTasks(batch.map(({ task }) => task))
      slot.worker ??= this.#start(slot)
      slot.worker.postMessage(tasks, [tasks])
    }
  }

  #receive(slot: WorkerSlot, answer: Verdicts): void {
    const batch = slot.batches.shift() ?? []
    const verdicts = decodeVerdicts(answer)
    this.#count -= batch.length
    batch.forEach(({ resolve, reject }, index) => {
      const verdict = verdicts[index] as Verdict
      if (verdict instanceof Error) reject(verdict)
      else resolve(verdict)
    })
    this.#send()
  }
}
