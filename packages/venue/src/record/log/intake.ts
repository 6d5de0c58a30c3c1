import { encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { ServiceError } from '@augury/wire/service-error'
import { Fifo } from '../../base/fifo.ts'
import type { Result } from './applied-row.ts'

/** What a row may hold at most. */
export const ROW_COMMANDS = 1024
export const ROW_BYTES = 256 * 1024
/** Rough units of work, so that applying a row stays short whatever it is made of. */
const ROW_WORK = 4000

/** How long a caller waits for its command to be put into a row; then the command is withdrawn. */
const PATIENCE_MS = 8000

/** A command on its way, and who waits for it. */
export interface Waiting {
  bytes: Uint8Array
  work: number
  /** Monotonic milliseconds of its arrival. */
  since: number
  resolve(result: Result): void
  reject(error: Error): void
}

/** How long the queue may be for a command of this kind to be let in: what reduces risk is turned away last. */
function room(command: Command): number {
  switch (command.type) {
    case 'cancel':
    case 'cancel_in_batch':
    case 'cancel_all':
    case 'reduce':
    case 'dead_man':
      return 32_768
    case 'place':
    case 'replace':
      return 8192
    default:
      return 16_384
  }
}

function work(command: Command): number {
  switch (command.type) {
    case 'place':
    case 'replace':
      return 4
    case 'cancel_all':
      return 64
    case 'redeem_all':
      return command.limit
    default:
      return 1
  }
}

/** The one queue in front of the journal. First in, first out; nothing overtakes. */
export class Intake {
  readonly #queue = new Fifo<Waiting>()
  #closed = false

  get size(): number {
    return this.#queue.size
  }

  /** Milliseconds for which the oldest has waited at a monotonic time. */
  waiting(now: number): number {
    const { first } = this.#queue
    return first ? now - first.since : 0
  }

  /** Queues a command. The promise rejects with a ServiceError when the command certainly will not happen. */
  add(command: Command, since: number): Promise<Result> {
    if (this.#closed) return Promise.reject(new ServiceError('service_unavailable', { retryAfter: 1 }))
    if (this.size >= room(command)) return Promise.reject(new ServiceError('overloaded', { retryAfter: 1 }))
    return new Promise((resolve, reject) => {
      this.#queue.push({ bytes: encodeCommand(command), work: work(command), since, resolve, reject })
    })
  }

  /** The oldest commands, as many as a row may hold beside what it has already; at least one when any waits. */
  take(usedBytes: number): Waiting[] {
    const taken: Waiting[] = []
    let bytes = usedBytes
    let units = 0
    for (let next = this.#queue.first; next && taken.length < ROW_COMMANDS; next = this.#queue.first) {
      bytes += next.bytes.length
      units += next.work
      if (taken.length > 0 && (bytes > ROW_BYTES || units > ROW_WORK)) break
      taken.push(this.#queue.shift())
    }
    return taken
  }

  /** Rejects commands that waited too long: they are in no row, so they certainly did not happen. */
  rejectOverdue(now: number): void {
    while (this.waiting(now) > PATIENCE_MS) this.#rejectOldest()
  }

  /** Lets nothing more in. */
  close(): void {
    this.#closed = true
  }

  /** Closes, and rejects everything that still waits. */
  clear(): void {
    this.close()
    while (this.size > 0) this.#rejectOldest()
  }

  #rejectOldest(): void {
    this.#queue.shift().reject(new ServiceError('service_unavailable', { retryAfter: 1 }))
  }
}
