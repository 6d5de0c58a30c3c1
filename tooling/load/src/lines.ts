import { connect, type Socket } from 'node:net'

/** What came back, or null when the connection ended first and nobody knows. */
export type Answer = { status: number; text: string; hasRetryAfter: boolean } | null
type Hear = (answer: Answer) => void

const END_OF_HEAD = Buffer.from('\r\n\r\n')
/** Requests after which a connection is not used any more: servers end one after a thousand, and what was sent behind that is lost. */
const REQUESTS_PER_CONNECTION = 500

/** One connection. Answers come in the order of their requests, so several may be on their way at once. */
class Line {
  readonly #socket: Socket
  #waiting: Hear[] = []
  /** Of the oldest that waits: taking from the front moves nothing. */
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

  /** Whether another has to take its place. */
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

/** Kept connections to one port of this machine. A request takes the next one that is free, or joins the queue of one that is not. */
export class Lines {
  readonly #port: number
  readonly #lines: Line[]
  #turn = 0
  /** Requests that have no answer yet. */
  pending = 0

  constructor(port: number, count: number) {
    this.#port = port
    this.#lines = Array.from({ length: count }, () => new Line(port))
  }

  /** Sends a request as its bytes. A connection that was lost or used long enough is replaced by the next request. */
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
