import type { Duplex } from 'node:stream'
import { SLOW_BYTES } from '@augury/venue/streams/socket'
import { WebSocket } from 'ws'

/** An address has one part in so many of the event loop's time for what its sockets say. */
const PARTS = 10
/** Milliseconds of work that it may ask for at once: whoever comes back subscribes to everything again. */
const AT_ONCE_MS = 500
/** What a message counts at least, in milliseconds for each kilobyte begun: not all of its work can be measured around it. */
const LEAST_MS = 0.2
/** Milliseconds that a message waits at least once it waits: many sockets of an address do not ask all the time whose turn it is. */
const TICK_MS = 20

/** How long addresses have to wait until they are heard again, by the work that they asked for. */
export class Hearing {
  /** When what each address asked for is made up for, on a monotonic clock in milliseconds. */
  readonly #even = new Map<string, number>()

  /** Milliseconds until an address is heard again. */
  wait(address: string, now: number): number {
    return Math.max(0, (this.#even.get(address) ?? 0) - now - AT_ONCE_MS * PARTS)
  }

  /** A message of an address was so long, and so many milliseconds of work. */
  charge(address: string, bytes: number, ms: number, now: number): void {
    const even = Math.max(now, this.#even.get(address) ?? 0)
    this.#even.delete(address)
    for (const [other, past] of this.#even) {
      if (past > now) break
      this.#even.delete(other)
    }
    this.#even.set(address, even + PARTS * Math.max(ms, LEAST_MS * Math.ceil(bytes / 1024)))
  }
}

/** By whom a socket is heard. */
interface Hearer {
  /** The connection under it. */
  raw: Duplex
  address: string
  /** Null for who never waits. */
  hearing: Hearing | null
}

/** A socket that is listened to as long as its peer reads what it asked for, and leaves others time. The rest waits where it is. */
export class HeardSocket extends WebSocket {
  #hearer: Hearer | null = null
  readonly #held: [data: Buffer, binary: boolean][] = []

  /** From now on its messages wait where they have to. */
  hearBy(hearer: Hearer): void {
    this.#hearer = hearer
  }

  override emit(event: string, ...args: unknown[]): boolean {
    if (event !== 'message' || !this.#hearer) return super.emit(event, ...args)
    this.#held.push(args as [Buffer, boolean])
    if (this.#held.length === 1) this.#hear(this.#hearer)
    return true
  }

  #hear(hearer: Hearer): void {
    const { hearing, address, raw } = hearer
    while (this.#held.length > 0) {
      if (this.readyState !== WebSocket.OPEN) return // nobody is there for an answer
      const again = () => this.#hear(hearer)
      const now = performance.now()
      const wait = hearing?.wait(address, now) ?? 0
      const isUnread = this.bufferedAmount > SLOW_BYTES
      if (isUnread || wait > 0) {
        this.pause()
        if (isUnread) raw.once('drain', again)
        else setTimeout(again, Math.max(wait, TICK_MS)).unref()
        return
      }
      const [data, binary] = this.#held[0]!
      super.emit('message', data, binary)
      hearing?.charge(address, data.length, performance.now() - now, now)
      this.#held.shift()
    }
    this.resume()
  }
}
