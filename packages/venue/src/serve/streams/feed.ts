import { CLOSE } from '@augury/wire/limits'
import { type FrameBatch, frameText } from './frames.ts'
import type { Sink } from './sink.ts'
import { HOPELESS_BYTES, HOPELESS_MS, SLOW_BYTES } from './socket.ts'

/** The connection that carries a feed, perhaps with others. */
export interface Outlet {
  /** Bytes written to it that its peer has not taken. */
  buffered(): number
  /** Reports milliseconds of work for its peer that no request measures. */
  worked(ms: number): void
  close(code: number, reason: string): void
}

/** Messages that belong together, and the log position up to which the reader then has everything. */
export interface FeedItem {
  position: number
  messages: unknown[]
}

/** Why a feed ended while its connection goes on. */
export class FeedEnded extends Error {
  override readonly name = 'FeedEnded'
  readonly code: number

  constructor(code: number, reason: string) {
    super(reason)
    this.code = code
  }
}

/** Milliseconds between two checks whether a full connection has room again. */
const ROOM_MS = 20

/** A sink whose reader pulls, with the same limits as a socket: slow readers get books instead of deltas, hopeless ones are closed. */
export class Feed implements Sink {
  readonly #outlet: Outlet
  readonly #onCaughtUp: () => void
  #items: { item: FeedItem; bytes: number }[] = []
  #waiting = 0
  #batch: { texts: string[]; bytes: number } | null = null
  #slowSince: number | null = null
  /** Bytes of the item that made it slow, which may be the books of many markets. */
  #asked = 0
  #ended: FeedEnded | null = null
  #wake: () => void = () => {}

  /** `onCaughtUp` runs when a slow reader has taken everything. */
  constructor(outlet: Outlet, onCaughtUp: () => void) {
    this.#outlet = outlet
    this.#onCaughtUp = onCaughtUp
  }

  get slow(): boolean {
    return this.#slowSince !== null
  }

  write(frame: Buffer): void {
    this.#put(frameText(frame))
  }

  writeAll({ frames }: FrameBatch): void {
    const isWhole = this.#batch === null
    this.cork()
    for (const frame of frames) this.write(frame)
    if (isWhole) this.flush()
  }

  sendJson(message: unknown): void {
    this.#put(JSON.stringify(message))
  }

  cork(): void {
    this.#batch ??= { texts: [], bytes: 0 }
  }

  flush(): void {
    const batch = this.#batch
    this.#batch = null
    if (!batch || batch.texts.length === 0) return
    const messages = batch.texts.flatMap((text) => JSON.parse(text) as { seq?: number }[])
    // One by one: an order that many others filled makes more messages than a function takes arguments.
    const position = messages.reduce((last, { seq = 0 }) => Math.max(last, seq), 0)
    this.#items.push({ item: { position, messages }, bytes: batch.bytes })
    this.#waiting += batch.bytes
    if (this.#slowSince === null && this.#waiting > SLOW_BYTES) {
      this.#slowSince = performance.now()
      this.#asked = batch.bytes
    }
    this.#wake()
  }

  check(): void {
    const tooLong = this.#slowSince !== null && performance.now() - this.#slowSince > HOPELESS_MS
    if (tooLong || this.#waiting - this.#asked > HOPELESS_BYTES) this.close(CLOSE.slow, 'too slow')
  }

  /** Ends the feed. A reader that may reconnect loses the whole connection; any other gets the reason as FeedEnded. */
  close(code: number, reason: string): void {
    this.#ended ??= new FeedEnded(code, reason)
    if (code === CLOSE.draining || code === CLOSE.slow) this.#outlet.close(code, reason)
    this.#wake()
  }

  /** Throws `FeedEnded` when the stream ended it. */
  requireOpen(): void {
    if (this.#ended) throw this.#ended
  }

  /** Yields everything written, as fast as it is taken. Returns at the signal; throws FeedEnded when the stream was ended. */
  async *items(signal: AbortSignal): AsyncGenerator<FeedItem, void, void> {
    const stop = () => this.#wake()
    signal.addEventListener('abort', stop)
    try {
      for (;;) {
        await this.room(signal)
        if (signal.aborted) return
        this.requireOpen()
        const next = this.#items.shift()
        if (next) {
          this.#waiting -= next.bytes
          yield next.item
        } else if (this.#slowSince !== null) {
          this.#slowSince = null
          this.#onCaughtUp()
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve
            if (signal.aborted) resolve()
          })
        }
      }
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Resolves once the connection has room for more, or nothing more is to be told. */
  async room(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#ended && this.#outlet.buffered() > SLOW_BYTES)
      await new Promise((resolve) => setTimeout(resolve, ROOM_MS))
  }

  #put(text: string): void {
    const isWhole = this.#batch === null
    this.cork()
    this.#batch!.texts.push(text)
    this.#batch!.bytes += text.length
    if (isWhole) this.flush()
  }
}
