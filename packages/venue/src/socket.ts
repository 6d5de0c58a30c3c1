import type { Duplex } from 'node:stream'
import { CLOSE } from '@augury/wire/limits'
import type { WebSocket } from 'ws'
import { textFrame } from './frames.ts'

/** Bytes waiting in a socket from which on its reader counts as slow: deltas stop, a snapshot follows when it has caught up. */
const SLOW_BYTES = 256 * 1024
/** Bytes, and milliseconds of being slow, that end a socket. */
const HOPELESS_BYTES = 1024 * 1024
const HOPELESS_MS = 10_000

/** A WebSocket to which ready frames are written as they are, and that notices when its reader does not keep up. */
export class StreamSocket {
  readonly #ws: WebSocket
  readonly #raw: Duplex
  readonly #onCaughtUp: () => void
  #slowSince: number | null = null

  /** `raw` is the socket under `ws`, which must not compress. `onCaughtUp` runs when a slow reader has read everything. */
  constructor(ws: WebSocket, raw: Duplex, onCaughtUp: () => void) {
    this.#ws = ws
    this.#raw = raw
    this.#onCaughtUp = onCaughtUp
  }

  /** Whether deltas would only add to what is not being read. */
  get slow(): boolean {
    return this.#slowSince !== null
  }

  /** Writes a frame. One that is not of today's deltas (acknowledgements, books) may exceed the bound of slowness. */
  write(frame: Buffer): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return
    this.#raw.write(frame)
    if (this.#slowSince === null && this.#raw.writableLength > SLOW_BYTES) {
      this.#slowSince = performance.now()
      this.#ws.pause() // who does not read is not listened to
      this.#raw.once('drain', () => {
        this.#slowSince = null
        this.#ws.resume()
        this.#onCaughtUp()
      })
    }
  }

  /** Writes a message that is for this socket alone. */
  say(message: unknown): void {
    this.write(textFrame(JSON.stringify(message)))
  }

  /** Holds writes back until `flush`, so that a turn costs one system call. */
  cork(): void {
    this.#raw.cork()
  }
  flush(): void {
    this.#raw.uncork()
  }

  /** Ends the socket when its reader is beyond hope. */
  check(): void {
    const tooLong = this.#slowSince !== null && performance.now() - this.#slowSince > HOPELESS_MS
    if (tooLong || this.#raw.writableLength > HOPELESS_BYTES) this.close(CLOSE.slow, 'too slow')
  }

  /** Says why, and does not wait for an answer longer than a second. */
  close(code: number, reason: string): void {
    this.#ws.resume()
    this.#ws.close(code, reason)
    setTimeout(() => this.#ws.terminate(), 1000).unref()
  }
}
