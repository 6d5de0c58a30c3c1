import type { Trader } from '@augury/bench/service/trader'
import type { Ask } from './flow.ts'
import { type Answer, Lines } from './lines.ts'

const PATH = '/ws/trade'
const LOGIN_ID = 0

/** The trading socket of a trader: many frames under way. What has no answer when it ends is unknown. */
class TradingLine {
  readonly #socket: WebSocket
  readonly #hearing = new Map<number, (answer: Answer) => void>()
  /** Frames written before it was open; null since then. */
  #early: string[] | null = []
  #next = LOGIN_ID
  isOver = false

  constructor(port: number, trader: Trader) {
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}${PATH}`)
    this.#socket.addEventListener('open', () => {
      const { headers } = trader.sign('GET', PATH)
      const of = (name: string) => headers[`SVC_${name}`]
      const body = { key: of('API_KEY'), passphrase: of('PASSPHRASE'), timestamp: of('TIMESTAMP'), signature: of('SIGNATURE') }
      for (const text of [JSON.stringify({ id: LOGIN_ID, op: 'login', body }), ...this.#early!]) this.#socket.send(text)
      this.#early = null
    })
    this.#socket.addEventListener('message', ({ data }) => this.#hear(String(data)))
    this.#socket.addEventListener('error', () => {})
    this.#socket.addEventListener('close', () => {
      this.isOver = true
      for (const hear of this.#hearing.values()) hear(null)
    })
  }

  ask(frame: string, hear: (answer: Answer) => void): void {
    const id = ++this.#next
    this.#hearing.set(id, hear)
    const text = `{"id":${id},${frame}`
    if (this.#early) this.#early.push(text)
    else this.#socket.send(text)
  }

  close(): void {
    this.#socket.close()
  }

  #hear(text: string): void {
    const { id, status, headers, body } = JSON.parse(text)
    if (id === LOGIN_ID && status !== 200) throw new Error(`no login: ${text}`)
    const hear = this.#hearing.get(id)
    this.#hearing.delete(id)
    hear?.({ status, text: JSON.stringify(body), hasRetryAfter: 'Retry-After' in headers })
  }
}

/** The ways to an exchange: a pool of connections for HTTP, and a trading socket for each trader. */
export class Ways {
  readonly #port: number
  readonly #lines: Lines
  readonly #traders: readonly Trader[]
  readonly #sockets: TradingLine[] = []
  #underWay = 0

  constructor(port: number, connections: number, traders: readonly Trader[]) {
    this.#port = port
    this.#lines = new Lines(port, connections)
    this.#traders = traders
  }

  /** Requests and frames without an answer yet. */
  get pending(): number {
    return this.#lines.pending + this.#underWay
  }

  /** Sends what is asked, over the socket of its trader if it is a frame. A socket that ended is replaced. */
  ask({ bytes, frame, trader }: Ask, hear: (answer: Answer) => void): void {
    if (frame === null) this.#lines.ask(bytes, hear)
    else {
      this.#underWay++
      this.#socketOf(trader).ask(frame, (answer) => {
        this.#underWay--
        hear(answer)
      })
    }
  }

  #socketOf(trader: number): TradingLine {
    const known = this.#sockets[trader]
    if (known && !known.isOver) return known
    const socket = new TradingLine(this.#port, this.#traders[trader]!)
    this.#sockets[trader] = socket
    return socket
  }

  close(): void {
    this.#lines.close()
    for (const socket of this.#sockets) socket?.close()
  }
}
