import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { roleOf } from '@augury/venue/record/venue'
import { keepPulse } from '@augury/venue/serve/streams/pulse'
import { HEARTBEAT_MS, LOGIN_MS } from '@augury/wire/limits'
import type { TradeSource } from './trade-answer.ts'
import { TradeSocket, type WebSocket } from './trade-socket.ts'

/** Milliseconds between two checks of all sockets. */
const CHECK_MS = 500

/** `/ws/trade`: the operations of a trader as frames of one socket, after one login. The third transport of the table of operations. */
export class TradeSockets {
  readonly isPaced = true
  readonly #source: TradeSource
  readonly #open = new Set<TradeSocket>()
  readonly #timer: NodeJS.Timeout

  constructor(source: TradeSource) {
    this.#source = source
    this.#timer = setInterval(() => this.#check(), CHECK_MS)
  }

  /** Serves a socket whose upgrade is done; `raw` is the connection under it, and `from` the client's address. */
  accept(ws: WebSocket, raw: Duplex, incoming: IncomingMessage, from: string): void {
    const socket = new TradeSocket(this.#source, ws, raw, from)
    this.#open.add(socket)
    const patience = setTimeout(() => socket.requireLogin(), LOGIN_MS)
    ws.on('message', (data) => socket.hear(data as Buffer))
    keepPulse(ws, HEARTBEAT_MS)
    ws.on('error', () => ws.terminate())
    ws.on('close', () => {
      clearTimeout(patience)
      this.#open.delete(socket)
      socket.gone()
    })
    socket.open(incoming)
  }

  /** Open sockets. */
  get size(): number {
    return this.#open.size
  }

  /** Ends all sockets: this process stops. */
  close(): void {
    clearInterval(this.#timer)
    for (const socket of this.#open) socket.leave('draining')
  }

  #check(): void {
    const mayServe = roleOf(this.#source.edge.context.venue.status()) === 'primary'
    for (const socket of this.#open) socket.check(mayServe)
  }
}
