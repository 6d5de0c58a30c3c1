import type { Caller } from './caller.ts'
import { Listener, type Message } from './listener.ts'

/** A trading socket: what it says is checked against the document, as of every stream. */
export class TradeClient {
  readonly listener: Listener
  #id = 0

  private constructor(listener: Listener) {
    this.listener = listener
  }

  /** Opens a socket that has not logged in. */
  static async open(url: string, query = '', headers: Record<string, string> = {}): Promise<TradeClient> {
    return new TradeClient(await Listener.open(`${url.replace('http', 'ws')}/ws/trade${query}`, undefined, headers))
  }

  /** Opens one, and logs in by the first frame. */
  static async of(caller: Caller, more: object = {}): Promise<TradeClient> {
    const client = await TradeClient.open(caller.url)
    await client.ask('login', { ...(await caller.streamAuth(0, '/ws/trade')), ...more })
    return client
  }

  /** Sends a frame, and returns its answer. */
  ask(op: string, body?: unknown): Promise<Message> {
    const id = this.send(op, body)
    return this.answer(id)
  }

  /** Sends a frame; returns its id. */
  send(op: string, body?: unknown): number {
    const id = ++this.#id
    this.listener.say(body === undefined ? { id, op } : { id, op, body })
    return id
  }

  answer(id: number | string | null): Promise<Message> {
    return this.listener.until((message) => message.id === id)
  }

  kill(): void {
    this.listener.kill()
  }
}
