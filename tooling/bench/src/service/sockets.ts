import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import WebSocket from 'ws'

/** Sockets that count what they hear. */
export interface Listeners {
  /** Messages heard so far, of all sockets. */
  heard(): number
  /** Bytes of them. */
  bytes(): number
  /** Every message of the first socket since the last call, in order. */
  taken(): string[]
  /** When the first socket hears the next message that has this text: `performance.now()` of it. */
  next(text: string): Promise<number>
  /** Resolves when nothing has come for a while. */
  quiet(): Promise<void>
  close(): void
}

const QUIET_MS = 300

/** Opens sockets to a path, each saying `hello` first. */
export async function listen(url: string, count: number, hello: string | null): Promise<Listeners> {
  let heard = 0
  let bytes = 0
  let last = performance.now()
  let first: string[] = []
  let awaited: { text: string; resolve(at: number): void } | null = null
  const sockets = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true })
      socket.on('message', (data: Buffer) => {
        heard++
        bytes += data.length
        last = performance.now()
        if (n > 0) return
        const text = data.toString()
        first.push(text)
        if (awaited && text.includes(awaited.text)) {
          awaited.resolve(last)
          awaited = null
        }
      })
      await once(socket, 'open')
      if (hello !== null) socket.send(hello)
      return socket
    }),
  )
  return {
    heard: () => heard,
    bytes: () => bytes,
    taken() {
      const taken = first
      first = []
      return taken
    },
    next: (text) =>
      new Promise((resolve) => {
        awaited = { text, resolve }
      }),
    async quiet() {
      while (performance.now() - last < QUIET_MS) await wait(50)
    },
    close() {
      for (const socket of sockets) socket.terminate()
    },
  }
}
