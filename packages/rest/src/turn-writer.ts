import type { StreamSocket } from '@augury/venue/serve/streams/socket'

/** Writes to a socket so that everything of one turn of the event loop leaves in one system call: a row answers many frames at once. */
export class TurnWriter {
  readonly #sink: Pick<StreamSocket, 'cork' | 'flush' | 'write'>
  #isCorked = false

  constructor(sink: Pick<StreamSocket, 'cork' | 'flush' | 'write'>) {
    this.#sink = sink
  }

  write(frame: Buffer): void {
    if (!this.#isCorked) {
      this.#isCorked = true
      this.#sink.cork()
      process.nextTick(() => {
        this.#isCorked = false
        this.#sink.flush()
      })
    }
    this.#sink.write(frame)
  }
}
