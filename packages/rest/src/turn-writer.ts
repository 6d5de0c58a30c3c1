import { textFrames } from '@augury/venue/serve/streams/frames'
import type { StreamSocket } from '@augury/venue/serve/streams/socket'

/** Writes texts to a socket so that all of one turn of the event loop leave as one piece: a row answers many frames at once. */
export class TurnWriter {
  readonly #sink: Pick<StreamSocket, 'write'>
  #texts: string[] = []

  constructor(sink: Pick<StreamSocket, 'write'>) {
    this.#sink = sink
  }

  write(text: string): void {
    if (this.#texts.push(text) === 1) process.nextTick(() => this.flush())
  }

  /** Writes what waits; also before the socket is closed. */
  flush(): void {
    if (this.#texts.length === 0) return
    const texts = this.#texts
    this.#texts = []
    this.#sink.write(textFrames(texts))
  }
}
