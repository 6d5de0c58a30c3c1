import { ServiceError } from '@augury/wire/service-error'
import { Fifo } from '../../base/fifo.ts'

/** The work of one client. */
interface Share {
  underway: number
  /** Each begins work that waits. */
  waiting: Fifo<() => void>
}

/**
 * Runs no more of a client's work at once, and in one turn of the event loop, than its share; the rest waits, in order. A client that asks for
 * much at once only delays itself: others keep their share of the database and the event loop.
 */
export class Shares {
  readonly #atOnce: number
  readonly #waiting: number
  readonly #clients = new Map<string, Share>()

  /** `atOnce` is how much of a client's work runs, and `waiting` how much may wait. */
  constructor(atOnce: number, waiting: number) {
    this.#atOnce = atOnce
    this.#waiting = waiting
  }

  /** Runs work when its client has room for it, and settles as it does. Rejects with `overloaded` when too much of the client's waits. */
  async run<Result>(client: string, work: () => Promise<Result>): Promise<Result> {
    const share = this.#clients.get(client) ?? { underway: 0, waiting: new Fifo() }
    if (share.underway === this.#atOnce) {
      if (share.waiting.size >= this.#waiting) throw new ServiceError('overloaded', { retryAfter: 1 })
      await new Promise<void>((begin) => share.waiting.push(begin))
    } else {
      share.underway++
      this.#clients.set(client, share)
    }
    try {
      return await work()
    } finally {
      setImmediate(() => this.#leave(client, share)) // what was done at once has taken its turn, too
    }
  }

  #leave(client: string, share: Share): void {
    if (share.waiting.size > 0) share.waiting.shift()()
    else if (--share.underway === 0) this.#clients.delete(client)
  }
}
