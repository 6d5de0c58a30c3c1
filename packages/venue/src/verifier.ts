import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Hex } from '@augury/engine/command'
import type { OrderFields } from '@augury/signing/order-fields'
import type { OrderPolicy, SignatureRefusal, VerifiedOrder } from '@augury/signing/order-signature'
import { ServiceError } from '@augury/wire/service-error'

/** Work for a worker. */
export type Task =
  | { kind: 'order'; order: OrderFields; signature: Hex; negRisk: boolean; policy: OrderPolicy }
  | { kind: 'recover'; hash: Hex; signature: Hex }
export type Answer = { id: number; result: VerifiedOrder | SignatureRefusal | Hex | null } | { id: number; error: string }

/** Signatures waiting at most: a bound on memory, and on how long a caller waits in vain. */
const WAITING = 10_000

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/** Checks wallet signatures in worker threads, so that elliptic curves never hold up the exchange. */
export class Verifier {
  readonly #workers: Worker[]
  readonly #waiting = new Map<number, Waiting>()
  #count = 0

  /** `onFailure` hears of a worker that died: a bug. */
  constructor(onFailure: (error: Error) => void, threads = Math.max(1, availableParallelism() - 1)) {
    this.#workers = Array.from({ length: threads }, () => {
      const worker = new Worker(new URL('./verifier-worker.ts', import.meta.url))
      worker.on('message', (answer: Answer) => this.#hear(answer))
      worker.on('error', (error) => {
        for (const { reject } of this.#waiting.values()) reject(error)
        this.#waiting.clear()
        onFailure(error)
      })
      worker.unref()
      return worker
    })
  }

  /** The verified order, or why it is none. */
  order(order: OrderFields, signature: Hex, negRisk: boolean, policy: OrderPolicy): Promise<VerifiedOrder | SignatureRefusal> {
    return this.#ask({ kind: 'order', order, signature, negRisk, policy })
  }

  /** Lower-case address that signed a hash, or null. */
  recover(hash: Hex, signature: Hex): Promise<Hex | null> {
    return this.#ask({ kind: 'recover', hash, signature })
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()))
  }

  #ask<Result>(task: Task): Promise<Result> {
    if (this.#waiting.size >= WAITING) return Promise.reject(new ServiceError('overloaded', { retryAfter: 1 }))
    const id = ++this.#count
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
      this.#workers[id % this.#workers.length]!.postMessage({ id, task })
    })
  }

  #hear(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if ('error' in answer) waiting?.reject(new Error(answer.error))
    else waiting?.resolve(answer.result)
  }
}
