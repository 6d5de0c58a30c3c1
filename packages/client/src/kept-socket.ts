import { CLOSE, HEARTBEAT_MS } from '@augury/wire/limits'

/** State of a stream. Its data is current only while it is `live`. */
export type StreamStatus = 'connecting' | 'live' | 'reconnecting' | 'refused' | 'closed'

/** How a socket is kept, and who wants to know. */
export interface SocketOptions {
  /** `ws://…`. */
  url: string
  onStatus?: (status: StreamStatus) => void
  WebSocket?: new (url: string) => WebSocket
  /** Milliseconds without any frame after which the socket counts as dead. */
  staleMs?: number
  /** Milliseconds before the first new attempt; doubles up to 10 s. */
  reconnectMs?: number
}

/** What a stream does with its socket. */
export interface SocketUser {
  /** A new socket is open: ask for what is wanted. */
  opened(): void
  /** A message of a frame, in order, and whether it is the last one. */
  heard(message: unknown, isLast: boolean): void
}

const MAX_PAUSE_MS = 10_000

/** A WebSocket that is opened again whenever it is lost or falls silent, until it is closed or refused for good. */
export class KeptSocket {
  readonly #options: SocketOptions
  readonly #user: SocketUser
  readonly #staleMs: number
  #socket: WebSocket | undefined
  #status: StreamStatus = 'connecting'
  #attempts = 0
  #heardAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #watch: ReturnType<typeof setInterval> | undefined

  constructor(options: SocketOptions, user: SocketUser) {
    this.#options = options
    this.#user = user
    this.#staleMs = options.staleMs ?? HEARTBEAT_MS * 2.5
  }

  get status(): StreamStatus {
    return this.#status
  }

  /** Whether `connect` was called and the socket was not lost since. */
  get isUp(): boolean {
    return this.#socket !== undefined
  }

  connect(): void {
    if (this.#status === 'closed' || this.#status === 'refused') return
    clearTimeout(this.#timer) // an attempt that waits would open a second one
    const Socket = this.#options.WebSocket ?? WebSocket
    const socket = new Socket(this.#options.url)
    this.#socket = socket
    this.#heardAt = Date.now()
    const mine = (handler: () => void) => () => {
      if (this.#socket === socket) handler()
    }
    socket.addEventListener(
      'open',
      mine(() => this.#user.opened()),
    )
    socket.addEventListener('message', (event) => mine(() => this.#hear(socket, event.data))())
    socket.addEventListener('close', (event) => mine(() => this.#lost(event.code))())
    // A close follows every error: that is where the next attempt starts.
    socket.addEventListener('error', () => {})
    clearInterval(this.#watch)
    this.#watch = setInterval(() => this.#check(), Math.min(HEARTBEAT_MS, this.#staleMs))
  }

  /** Sends a request; without an open socket it is dropped, and `opened` comes. */
  say(request: unknown): void {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(request))
  }

  /** What was asked for has come: the next loss is a first one. */
  settle(): void {
    this.#attempts = 0
    this.#become('live')
  }

  /** Gives this socket up and opens another; where it was lost already, another comes anyway. */
  renew(): void {
    if (!this.#socket) return
    this.#socket.close()
    this.#lost(1006)
  }

  /** Ends it for good: what it still says is not heard. */
  close(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#watch)
    const socket = this.#socket
    this.#socket = undefined
    this.#become('closed')
    socket?.close()
  }

  #hear(socket: WebSocket, data: unknown): void {
    this.#heardAt = Date.now()
    if (typeof data !== 'string' || data === 'PONG') return
    let frame: unknown
    try {
      frame = JSON.parse(data)
    } catch {
      this.renew() // whoever says this is not the service: an error thrown here would end the program
      return
    }
    const messages: unknown[] = Array.isArray(frame) ? frame : [frame]
    for (const [n, message] of messages.entries()) {
      if (this.#socket === socket) this.#user.heard(message, n === messages.length - 1) // whoever hears one may end it
    }
  }

  /** Runs every few seconds: gives up on a silent socket, and pings an open one. */
  #check(): void {
    if (!this.#socket) return
    if (Date.now() - this.#heardAt > this.#staleMs)
      this.renew() // a dead peer never answers the close
    else if (this.#socket.readyState === 1) this.#socket.send('PING')
  }

  #lost(code: number): void {
    this.#socket = undefined
    clearInterval(this.#watch)
    if (this.#status === 'closed') return
    const refused = code === CLOSE.unauthenticated || code === CLOSE.tooManySubscriptions
    this.#become(refused ? 'refused' : 'reconnecting')
    if (refused) return
    const pause = Math.min(MAX_PAUSE_MS, (this.#options.reconnectMs ?? 250) * 2 ** this.#attempts++) * (0.5 + Math.random() / 2)
    this.#timer = setTimeout(() => this.connect(), pause)
  }

  #become(status: StreamStatus): void {
    if (status === this.#status) return
    this.#status = status
    this.#options.onStatus?.(status)
  }
}
