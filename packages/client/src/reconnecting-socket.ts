import { CLOSE, HEARTBEAT_MS } from '@augury/wire/limits'
import { type Addresses, AddressList } from './addresses.ts'

/** Status of a stream. Its data is current only while `live`. */
export type StreamStatus = 'connecting' | 'live' | 'reconnecting' | 'refused' | 'closed'

/** The part of a `WebSocket` that streams use, which that of `ws` has too. */
export interface SocketLike {
  readonly readyState: number
  send(text: string): void
  close(): void
  addEventListener(type: 'open' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void
}

/** A class of sockets. */
export type SocketClass = new (url: string) => SocketLike

/** Options of a socket. */
export interface SocketOptions {
  /** `ws://…`. Of several, the next one is tried when one does not serve the stream. */
  url: Addresses
  onStatus?: (status: StreamStatus) => void
  /** By default, the built-in one. */
  WebSocket?: SocketClass
  /** Milliseconds without a frame after which the socket is considered dead. */
  staleMs?: number
  /** Milliseconds before the first reconnect attempt; doubles up to 10 s. */
  reconnectMs?: number
}

/** Callbacks of a socket. */
export interface SocketHandlers {
  /** Called when a connection is open: send the subscriptions. */
  onOpen(): void
  /** Called with each message of a frame, in order; `isLast` on the last one. */
  onMessage(message: unknown, isLast: boolean): void
  /** Called when the server has answered everything that was sent before a `ping`. */
  onPong?(): void
}

/** Calls a listener that may throw. Its error is rethrown outside, uncaught, so that the code after the call runs. */
export function apart(call: () => void): void {
  try {
    call()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

const MAX_PAUSE_MS = 10_000

/** A WebSocket that reconnects whenever it is lost or silent, until it is closed or refused for good. */
export class ReconnectingSocket {
  readonly #options: SocketOptions
  readonly #handlers: SocketHandlers
  readonly #addresses: AddressList
  readonly #staleMs: number
  #socket: SocketLike | undefined
  #status: StreamStatus = 'connecting'
  #attempts = 0
  /** Monotonic milliseconds since when the current connection is live, or null. */
  #liveAt: number | null = null
  /** Monotonic milliseconds of the last frame. */
  #heardAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #watch: ReturnType<typeof setInterval> | undefined

  constructor(options: SocketOptions, handlers: SocketHandlers) {
    this.#options = options
    this.#handlers = handlers
    this.#addresses = new AddressList(options.url)
    this.#staleMs = options.staleMs ?? HEARTBEAT_MS * 2.5
  }

  /** Status of the connection. */
  get status(): StreamStatus {
    return this.#status
  }

  /** Whether a socket is open or connecting. */
  get isUp(): boolean {
    return this.#socket !== undefined
  }

  /** Opens the socket. Does nothing once it is closed or refused. */
  connect(): void {
    if (this.#status === 'closed' || this.#status === 'refused') return
    clearTimeout(this.#timer) // or a scheduled attempt would open a second socket
    const Socket: SocketClass = this.#options.WebSocket ?? WebSocket
    const socket = new Socket(this.#addresses.current)
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
    // A close event follows every error and schedules the next attempt.
    socket.addEventListener('error', () => {})
    clearInterval(this.#watch)
    this.#watch = setInterval(() => this.#check(), Math.min(HEARTBEAT_MS, this.#staleMs))
  }

  /** Sends a request. It is dropped without an open socket, as `onOpen` will send the current ones. */
  send(request: unknown): void {
    this.write(JSON.stringify(request))
  }

  /** Sends a text. Returns false without an open socket: then it was not sent, and will not be. */
  write(text: string): boolean {
    if (this.#socket?.readyState !== 1) return false
    this.#socket.send(text)
    return true
  }

  /** Asks the server to say when it has answered everything that was sent so far; see `onPong`. */
  ping(): void {
    if (this.#socket?.readyState === 1) this.#socket.send('PING')
  }

  /** Call when the server accepted the subscriptions: sets the status `live`. */
  confirm(): void {
    this.#liveAt ??= performance.now()
    this.#become('live')
  }

  /** Replaces the connection. Does nothing without one, as the next attempt is scheduled already. */
  renew(): void {
    if (!this.#socket) return
    this.#socket.close()
    // One that is given up soon counts as a failed attempt, or a service in trouble would be asked again and again without a pause.
    const isFailure = this.#liveAt !== null && performance.now() - this.#liveAt < HEARTBEAT_MS
    this.#lost(1006, isFailure)
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

  #receive(socket: SocketLike, data: unknown): void {
    this.#heardAt = performance.now()
    if (data === 'PONG') this.#handlers.onPong?.()
    if (typeof data !== 'string' || data === 'PONG') return
    let frame: unknown
    try {
      frame = JSON.parse(data)
    } catch {
      this.renew() // not this service; throwing in an event handler would end the program
      return
    }
    const messages: unknown[] = Array.isArray(frame) ? frame : [frame]
    for (const [n, message] of messages.entries()) {
      if (this.#socket === socket) apart(() => this.#handlers.onMessage(message, n === messages.length - 1)) // a handler may have closed it
    }
  }

  /** Runs every few seconds: replaces a silent socket, and pings an open one. */
  #check(): void {
    if (!this.#socket) return
    if (performance.now() - this.#heardAt > this.#staleMs)
      this.renew() // a dead peer never answers a close
    else this.ping()
  }

  #lost(code: number, isFailure = false): void {
    this.#socket = undefined
    clearInterval(this.#watch)
    if (this.#liveAt === null) this.#addresses.leave(this.#addresses.current)
    else if (!isFailure) this.#attempts = 0
    this.#liveAt = null
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
