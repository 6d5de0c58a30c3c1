import { CLOSE, HEARTBEAT_MS } from '@augury/wire/limits'

/** State of a stream. Its data is current only while it is `live`. */
export type StreamStatus = 'connecting' | 'live' | 'reconnecting' | 'refused' | 'closed'

/** Address and timing of a socket. */
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

/** Callbacks of a socket. */
export interface SocketHandlers {
  /** A connection is open: send the subscriptions. */
  onOpen(): void
  /** A message of a frame, in order; `isLast` on the frame's last message. */
  onMessage(message: unknown, isLast: boolean): void
}

const MAX_PAUSE_MS = 10_000

/** A WebSocket that is opened again whenever it is lost or falls silent, until it is closed or refused for good. */
export class ReconnectingSocket {
  readonly #options: SocketOptions
  readonly #handlers: SocketHandlers
  readonly #staleMs: number
  #socket: WebSocket | undefined
  #status: StreamStatus = 'connecting'
  #attempts = 0
  /** Monotonic milliseconds of the last frame. */
  #heardAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #watch: ReturnType<typeof setInterval> | undefined

  constructor(options: SocketOptions, handlers: SocketHandlers) {
    this.#options = options
    this.#handlers = handlers
    this.#staleMs = options.staleMs ?? HEARTBEAT_MS * 2.5
  }

  /** Where the connection stands. */
  get status(): StreamStatus {
    return this.#status
  }

  /** Whether there is a socket, open or being opened. */
  get isUp(): boolean {
    return this.#socket !== undefined
  }

  /** Opens the socket. Does nothing once it is closed or refused. */
  connect(): void {
    if (this.#status === 'closed' || this.#status === 'refused') return
    clearTimeout(this.#timer) // else a scheduled attempt would open a second socket
    const Socket = this.#options.WebSocket ?? WebSocket
    const socket = new Socket(this.#options.url)
    this.#socket = socket
    this.#heardAt = performance.now()
    const mine = (handler: () => void) => () => {
      if (this.#socket === socket) handler()
    }
    socket.addEventListener(
      'open',
      mine(() => this.#handlers.onOpen()),
    )
    socket.addEventListener('message', (event) => mine(() => this.#receive(socket, event.data))())
    socket.addEventListener('close', (event) => mine(() => this.#lost(event.code))())
    // A close follows every error: that is where the next attempt starts.
    socket.addEventListener('error', () => {})
    clearInterval(this.#watch)
    this.#watch = setInterval(() => this.#check(), Math.min(HEARTBEAT_MS, this.#staleMs))
  }

  /** Sends a request. Without an open socket it is dropped: `onOpen` follows and sends what is current. */
  send(request: unknown): void {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(request))
  }

  /** Reports that the server accepted the subscriptions: the status is `live`, and the reconnect delay starts anew. */
  confirm(): void {
    this.#attempts = 0
    this.#become('live')
  }

  /** Drops this connection and opens another. Does nothing while none is there, since the next attempt is scheduled. */
  renew(): void {
    if (!this.#socket) return
    this.#socket.close()
    this.#lost(1006)
  }

  /** Closes it for good; further messages are ignored. */
  close(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#watch)
    const socket = this.#socket
    this.#socket = undefined
    this.#become('closed')
    socket?.close()
  }

  #receive(socket: WebSocket, data: unknown): void {
    this.#heardAt = performance.now()
    if (typeof data !== 'string' || data === 'PONG') return
    let frame: unknown
    try {
      frame = JSON.parse(data)
    } catch {
      this.renew() // not this service; an error thrown in an event handler would end the program
      return
    }
    const messages: unknown[] = Array.isArray(frame) ? frame : [frame]
    for (const [n, message] of messages.entries()) {
      if (this.#socket === socket) this.#handlers.onMessage(message, n === messages.length - 1) // a handler may have closed it
    }
  }

  /** Runs every few seconds: gives up on a silent socket, and pings an open one. */
  #check(): void {
    if (!this.#socket) return
    if (performance.now() - this.#heardAt > this.#staleMs)
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
