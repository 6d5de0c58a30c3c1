import type { Duplex } from 'node:stream'
import { FAILED, SLOW_BYTES } from '@augury/venue/serve/streams/socket'
import { WebSocket } from 'ws'

/** The messages of one client address may take one part in so many of the event loop's time. */
const PARTS = 10
/** Milliseconds of work that an address may ask for at once: a client that reconnects subscribes to everything again. */
const BURST_MS = 500
/** Milliseconds charged at least for each kilobyte begun of a message: not all of its work can be measured around it. */
const MIN_MS_PER_KB = 0.2
/** Shortest wait in milliseconds, so that many waiting sockets of one address do not poll all the time. */
const TICK_MS = 20

/** Limits the work that each client address asks for, over all of its sockets. Times are of a monotonic clock, in milliseconds. */
export class WorkLimiter {
  /** By address, when the work it asked for is paid off. Insertion order is roughly the order of these times. */
  readonly #paidOff = new Map<string, number>()

  /** Milliseconds until the next message of an address may be handled. */
  wait(address: string, now: number): number {
    return Math.max(0, (this.#paidOff.get(address) ?? 0) - now - BURST_MS * PARTS)
  }

  /** Charges an address for a message of so many bytes that took `ms` of work. */
  charge(address: string, bytes: number, ms: number, now: number): void {
    const before = Math.max(now, this.#paidOff.get(address) ?? 0)
    this.#paidOff.delete(address)
    for (const [other, time] of this.#paidOff) {
      if (time > now) break
      this.#paidOff.delete(other)
    }
    this.#paidOff.set(address, before + PARTS * Math.max(ms, MIN_MS_PER_KB * Math.ceil(bytes / 1024)))
  }
}

/** The client of a socket. */
interface Client {
  /** The connection below the socket. */
  raw: Duplex
  address: string
  /** Null for clients without a limit. */
  limiter: WorkLimiter | null
  /** Called with what went wrong in handling a message. */
  onBug(error: unknown): void
}

/**
 * A WebSocket that reads the next message only while its client reads the answers and is within its limit. Until then it is paused, so that
 * further messages wait in the client's own connection.
 */
export class PacedSocket extends WebSocket {
  #client: Client | null = null
  readonly #waiting: [data: Buffer, binary: boolean][] = []

  /** Starts pacing; messages before this call are emitted at once. */
  pace(client: Client): void {
    this.#client = client
  }

  /** Address of the client, if it has limits. */
  get limitedAddress(): string | null {
    return this.#client?.limiter ? this.#client.address : null
  }

  /** Charges the client for work after a message that it asked for. */
  charge(ms: number): void {
    const { limiter, address } = this.#client ?? {}
    if (address !== undefined) limiter?.charge(address, 0, ms, performance.now())
  }

  override emit(event: string, ...args: unknown[]): boolean {
    if (event !== 'message' || !this.#client) return super.emit(event, ...args)
    this.#waiting.push(args as [Buffer, boolean])
    if (this.#waiting.length === 1) this.#handle(this.#client)
    return true
  }

  #handle(client: Client): void {
    const { limiter, address, raw } = client
    while (this.#waiting.length > 0) {
      if (this.readyState !== WebSocket.OPEN) return // closed: an answer cannot be sent
      const again = () => this.#handle(client)
      const now = performance.now()
      const wait = limiter?.wait(address, now) ?? 0
      const isUnread = this.bufferedAmount > SLOW_BYTES
      if (isUnread || wait > 0) {
        this.pause()
        if (isUnread) raw.once('drain', again)
        else setTimeout(again, Math.max(wait, TICK_MS)).unref()
        return
      }
      const [data, binary] = this.#waiting[0]!
      try {
        super.emit('message', data, binary)
      } catch (error) {
        client.onBug(error)
        this.close(FAILED) // a client whose message we cannot handle must not end the exchange for all others
        return
      }
      limiter?.charge(address, data.length, performance.now() - now, now)
      this.#waiting.shift()
    }
    this.resume()
  }
}
