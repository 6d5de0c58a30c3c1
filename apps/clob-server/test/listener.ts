import { isDeepStrictEqual } from 'node:util'
import { venueStreams } from '@augury/wire/documents/streams'
import { WebSocket } from 'ws'

/** Whatever a stream says. */
// biome-ignore lint/suspicious/noExplicitAny: messages of every shape
export type Message = any

/** What is wrong with a message that the document of its stream does not describe, or with a list of them where it names none. */
function undocumented(url: string, message: unknown, isInList: boolean): Error | null {
  const { serverMessages, isBatched = false } = Object.values(venueStreams).find(({ path }) => path === new URL(url).pathname)!
  const checked = serverMessages.safeParse(message)
  if (checked.success && isDeepStrictEqual(checked.data, message) && (isBatched || !isInList)) return null
  return new Error(`${url} said what is not documented: ${JSON.stringify(message).slice(0, 500)} ${checked.error?.message ?? ''}`)
}

/** A socket that keeps what it heard, one message at a time. */
export class Listener {
  readonly heard: Message[] = []
  readonly #ws: WebSocket
  #waiters: (() => void)[] = []
  #fault: Error | null = null
  closed: { code: number } | null = null

  private constructor(ws: WebSocket) {
    this.#ws = ws
    ws.on('message', (data) => {
      const text = data.toString()
      const frame = text === 'PONG' ? text : JSON.parse(text)
      if (frame === 'PONG') this.heard.push(frame)
      else
        for (const message of [frame].flat()) {
          this.#fault ??= undocumented(ws.url, message, Array.isArray(frame))
          this.heard.push(message)
        }
      this.#wake()
    })
    ws.on('close', (code) => {
      this.closed = { code }
      this.#wake()
    })
  }

  static async open(url: string, first?: object, headers: Record<string, string> = {}): Promise<Listener> {
    const ws = new WebSocket(url, { headers })
    const listener = new Listener(ws)
    await new Promise((resolve) => ws.once('open', resolve))
    if (first) listener.say(first)
    return listener
  }

  /** Says a text, a value as JSON, or bytes in a binary frame. */
  say(message: object | string | Uint8Array): void {
    this.#ws.send(typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message))
  }

  #wake(): void {
    for (const wake of this.#waiters.splice(0)) wake()
  }

  /** The first message that fits, now or later. Fails on whatever the document of the stream does not describe. */
  async until(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      if (this.#fault) throw this.#fault
      const found = this.heard.find(fits)
      if (found) return found
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
    }
  }

  /** The close code. */
  async untilClosed(): Promise<number> {
    while (!this.closed) {
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
    }
    if (this.#fault) throw this.#fault
    return this.closed.code
  }

  /** Stops reading, or goes on. */
  read(is: boolean): void {
    if (is) this.#ws.resume()
    else this.#ws.pause()
  }

  kill(): void {
    this.#ws.terminate()
  }
}
