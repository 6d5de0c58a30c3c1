import type { WebSocket } from 'ws'
import { textFrame } from './frames.ts'
import { keepPulse } from './pulse.ts'
import type { Sink } from './sink.ts'

const PONG = textFrame('PONG')

/** The open WebSockets of a stream: what all streams do alike with theirs. */
export class OpenSockets {
  readonly #open = new Set<WebSocket>()

  get size(): number {
    return this.#open.size
  }

  /** Serves a socket until it is `gone`. `hear` gets each message of its client but `PING`, which is answered here. */
  serve(ws: WebSocket, sink: Pick<Sink, 'write'>, pingMs: number, { hear, gone }: { hear(text: string): void; gone(): void }): void {
    this.#open.add(ws)
    ws.on('message', (data) => {
      const text = data.toString() // also binary ones: some clients make JSON as bytes
      if (text === 'PING') sink.write(PONG)
      else hear(text)
    })
    keepPulse(ws, pingMs)
    ws.on('error', () => ws.terminate())
    ws.on('close', () => {
      this.#open.delete(ws)
      gone()
    })
  }
}
