import type { Duplex } from 'node:stream'
import { CLOSE } from '@augury/wire/limits'
import type { WebSocket } from 'ws'
import { type FrameBatch, textFrame } from './frames.ts'
import type { Sink } from './sink.ts'

/** From so many unread bytes on a reader counts as slow: it gets no more deltas, and a snapshot once it has caught up. */
export const SLOW_BYTES = 256 * 1024
/** Unread bytes at which a socket is closed, beside those of the one write that made it slow. */
export const HOPELESS_BYTES = 1024 * 1024
/** Milliseconds of being slow after which it is closed. */
export const HOPELESS_MS = 10_000

/** The close code after a message that we failed at. */
export const FAILED = CLOSE.failed

/** Writes ready frames to a WebSocket as they are, and notices when its reader does not keep up. */
export class StreamSocket implements Sink {
  readonly #ws: WebSocket
  readonly #raw: Duplex
  readonly #onCaughtUp: () => void
  #slowSince: number | null = null
  /** Bytes of the write that made it slow: the books of many markets count as unread until the last of them is. */
  #asked = 0

  /** `raw` is the socket under `ws`, which must not compress. `onCaughtUp` runs when a slow reader has read everything. */
  constructor(ws: WebSocket, raw: Duplex, onCaughtUp: () => void) {
    this.#ws = ws
    this.#raw = raw
    this.#onCaughtUp = onCaughtUp
  }

  get slow(): boolean {
    return this.#slowSince !== null
  }

  /** Writes a frame, or several joined. A large one (books, acknowledgements) may exceed SLOW_BYTES by itself. */
  write(frame: Buffer): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return
    this.#raw.write(frame)
    if (this.#slowSince === null && this.#raw.writableLength > SLOW_BYTES) {
      this.#slowSince = performance.now()
      this.#asked = frame.length
      this.#raw.once('drain', () => {
        this.#slowSince = null
        this.#onCaughtUp()
      })
    }
  }

  writeAll(batch: FrameBatch): void {
    this.write(batch.joined)
  }

  sendJson(message: unknown): void {
    this.write(textFrame(JSON.stringify(message)))
  }

  /** Until `flush`, all writes leave in one system call. */
  cork(): void {
    this.#raw.cork()
  }
  flush(): void {
    this.#raw.uncork()
  }

  check(): void {
    const tooLong = this.#slowSince !== null && performance.now() - this.#slowSince > HOPELESS_MS
    if (tooLong || this.#raw.writableLength - this.#asked > HOPELESS_BYTES) this.close(CLOSE.slow, 'too slow')
  }

  close(code: number, reason: string): void {
    closeSoon(this.#ws, code, reason)
  }
}

/** Closes with a reason, and terminates when the client does not answer within a second; a paused socket would not see the answer. */
export function closeSoon(ws: Pick<WebSocket, 'resume' | 'close' | 'terminate'>, code: number, reason: string): void {
  ws.resume()
  ws.close(code, reason)
  setTimeout(() => ws.terminate(), 1000).unref()
}
