import { connect, type Socket } from 'node:net'

/** A response, or null when the connection ended first and the outcome is unknown. */
export type Answer = { status: number; text: string; hasRetryAfter: boolean } | null
type Hear = (answer: Answer) => void

const END_OF_HEAD = Buffer.from('\r\n\r\n')
/** Requests per connection: servers close one after a thousand, and requests sent after that are lost. */
const REQUESTS_PER_CONNECTION = 500

/** One connection with pipelining: responses come in the order of their requests. */
class Line {
  readonly #socket: Socket
  #waiting: Hear[] = []
  /** Index of the oldest waiting request, so that removing it moves nothing. */
  #first = 0
  #asked = 0
  #ended = false
  #rest: Buffer = Buffer.alloc(0)

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true)
    this.#socket.on('error', () => {})
    this.#socket.on('data', (chunk: Buffer) => this.#hear(chunk))
    this.#socket.on('close', () => {
      this.#ended = true
      for (const hear of this.#waiting.splice(0).slice(this.#first)) hear(null)
      this.#first = 0
    })
  }

  get pending(): number {
    return this.#waiting.length - this.#first
  }

  /** Whether it has to be replaced. */
  get isSpent(): boolean {
    return this.#ended || this.#asked >= REQUESTS_PER_CONNECTION
  }

  ask(bytes: Buffer, hear: Hear): void {
    this.#asked++
    this.#waiting.push(hear)
    this.#socket.write(bytes)
  }

  close(): void {
    this.#socket.destroy()
  }

  #hear(chunk: Buffer): void {
    let data: Buffer = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    for (;;) {
      const end = data.indexOf(END_OF_HEAD)
      if (end === -1) break
      const head = data.toString('latin1', 0, end).toLowerCase()
      const length = Number(/content-length: (\d+)/.exec(head)?.[1])
      if (Number.isNaN(length)) throw new Error(`an answer of unknown length:\n${head}`)
      const whole = end + 4 + length
      if (data.length < whole) break
      const hear = this.#waiting[this.#first++]!
      if (this.#first * 2 > this.#waiting.length + 64) {
        this.#waiting = this.#waiting.slice(this.#first)
        this.#first = 0
      }
      hear({
        status: Number(head.slice(9, 12)),
        text: data.toString('utf8', end + 4, whole),
        hasRetryAfter: head.includes('\r\nretry-after:'),
      })
      data = data.subarray(whole)
    }
    this.#rest = Buffer.from(data)
    if (this.pending === 0 && this.isSpent) this.#socket.end()
  }
}

/** A pool of connections to one local port. A request uses the next one that is free, or queues on one that is not. */
export class Lines {
  readonly #port: number
  readonly #lines: Line[]
  #turn = 0
  /** Requests without an answer yet. */
  pending = 0

  constructor(port: number, count: number) {
    this.#port = port
    this.#lines = Array.from({ length: count }, () => new Line(port))
  }

  /** Sends the bytes of a request. A lost or used-up connection is replaced by the next request. */
  ask(bytes: Buffer, hear: Hear): void {
    const { length } = this.#lines
    let best = this.#turn++ % length
    for (let n = 0; n < length && this.#lines[best]!.pending > 0; n++) {
      const other = (this.#turn + n) % length
      if (this.#lines[other]!.pending < this.#lines[best]!.pending) best = other
    }
    if (this.#lines[best]!.isSpent) this.#lines[best] = new Line(this.#port)
    this.pending++
    this.#lines[best]!.ask(bytes, (answer) => {
      this.pending--
      hear(answer)
    })
  }

  close(): void {
    for (const line of this.#lines) line.close()
  }
}
