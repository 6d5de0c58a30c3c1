import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Hex } from '@augury/engine/command'
import type { OrderFields } from '@augury/signing/order-fields'
import type { OrderPolicy, SignatureRefusal, VerifiedOrder } from '@augury/signing/order-signature'
import { ServiceError } from '@augury/wire/service-error'
import { decodeVerdicts, encodeTask, joinTasks, type Task, type Verdict, type Verdicts } from './verifier-batch.ts'

/** Signatures waiting at most: a bound on memory, and on how long a caller waits in vain. */
const WAITING = 10_000
/** Signatures in one message at most. */
const BATCH = 64
/** Messages that a worker has at a time: one that it works on, and the next. */
const AHEAD = 2

interface Waiting {
  /** As it crosses over. */
  task: Uint8Array
  resolve(verdict: Verdict): void
  reject(error: Error): void
}

/** A worker and what it was given, in order. One that died is null until there is work again. */
interface Hand {
  worker: Worker | null
  batches: Waiting[][]
}

/**
 * Checks wallet signatures in worker threads, so that elliptic curves never hold up the exchange. What came in one turn of the loop,
 * or while the workers were busy, goes in one message.
 */
export class Verifier {
  readonly #onFailure: (error: Error) => void
  readonly #hands: Hand[]
  #queue: Waiting[] = []
  #count = 0
  #isSending = false

  /** `onFailure` hears of a worker that died: a bug, of which only those hear who gave it work. */
  constructor(onFailure: (error: Error) => void, threads = Math.max(1, availableParallelism() - 1)) {
    this.#onFailure = onFailure
    this.#hands = Array.from({ length: threads }, () => {
      const hand: Hand = { worker: null, batches: [] }
      hand.worker = this.#start(hand)
      return hand
    })
  }

  /** The verified order, or why it is none. */
  order(order: OrderFields, signature: Hex, negRisk: boolean, policy: OrderPolicy): Promise<VerifiedOrder | SignatureRefusal> {
    return this.#ask({ kind: 'order', order, signature, negRisk, policy }) as Promise<VerifiedOrder | SignatureRefusal>
  }

  /** Lower-case address that signed a hash, or null. */
  recover(hash: Hex, signature: Hex): Promise<Hex | null> {
    return this.#ask({ kind: 'recover', hash, signature }) as Promise<Hex | null>
  }

  async close(): Promise<void> {
    await Promise.all(this.#hands.map(({ worker }) => worker?.terminate()))
  }

  #start(hand: Hand): Worker {
    const worker = new Worker(new URL('./verifier-worker.ts', import.meta.url))
    worker.on('message', (news: Verdicts | object) => {
      // A watching Node tells here what the worker imported. What a dead one still says is not about what its successor was given.
      if ('bytes' in news && hand.worker === worker) this.#hear(hand, news)
    })
    worker.on('error', (error) => {
      hand.worker = null
      const lost = hand.batches.splice(0).flat()
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

  /** Gives what waits to the workers that have least to do. */
  #send(): void {
    while (this.#queue.length > 0) {
      const hand = this.#hands.reduce((least, one) => (one.batches.length < least.batches.length ? one : least))
      if (hand.batches.length >= AHEAD) return
      const batch = this.#queue.splice(0, BATCH)
      hand.batches.push(batch)
      const tasks = joinTasks(batch.map(({ task }) => task))
      hand.worker ??= this.#start(hand)
      hand.worker.postMessage(tasks, [tasks])
    }
  }

  #hear(hand: Hand, answer: Verdicts): void {
    const batch = hand.batches.shift() ?? []
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
