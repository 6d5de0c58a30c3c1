import { CLOSE, HEARTBEAT_MS, SOCKET_CONDITIONS } from '@augury/wire/limits'
import { type MarketMessage, type MarketRequest, marketMessage } from '@augury/wire/market-stream'
import { LiveBook } from './live-book.ts'

/** How the stream is doing. Books are current only while it is `live`. */
export type StreamStatus = 'connecting' | 'live' | 'reconnecting' | 'refused' | 'closed'

/** Which condition to follow: as `GET /markets` answers it, or its id and the ids of Yes and No. */
export interface Followed {
  condition_id: string
  tokens: readonly { token_id: string }[]
}

/** Told after each message about a followed condition. */
export type Listener = (book: LiveBook, message: MarketMessage) => void

/** Where to connect, and who wants to know. */
export interface StreamOptions {
  /** `ws://…/ws/market`. */
  url: string
  onStatus?: (status: StreamStatus) => void
  WebSocket?: new (url: string) => WebSocket
  /** Milliseconds without any frame after which the socket counts as dead. */
  staleMs?: number
  /** Milliseconds before the first new attempt; doubles up to 10 s. */
  reconnectMs?: number
}

interface Subscription {
  book: LiveBook
  listeners: Set<Listener>
}

/** Address of the market channel of a service. */
export const marketStreamUrl = (serviceUrl: string): string => `${serviceUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws/market`

/**
 * Follows conditions on `/ws/market` and keeps their books. Frames that do not follow each other, a heartbeat that names another
 * position, and a wrong checksum all lead to a new snapshot; after a lost connection it resumes where it was.
 */
export class MarketStream {
  readonly #options: StreamOptions
  readonly #staleMs: number
  readonly #followed = new Map<string, Subscription>()
  #socket: WebSocket | undefined
  #status: StreamStatus = 'connecting'
  #attempts = 0
  #heardAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #watch: ReturnType<typeof setInterval> | undefined

  constructor(options: StreamOptions) {
    this.#options = options
    this.#staleMs = options.staleMs ?? HEARTBEAT_MS * 2.5
  }

  get status(): StreamStatus {
    return this.#status
  }

  /** Follows a condition until the answered function is called. Connects at the first. */
  follow(market: Followed, listener: Listener): () => void {
    const condition = market.condition_id
    let subscription = this.#followed.get(condition)
    if (!subscription) {
      if (this.#followed.size >= SOCKET_CONDITIONS) throw new RangeError(`a stream follows at most ${SOCKET_CONDITIONS} conditions`)
      const [yes, no] = market.tokens
      subscription = { book: new LiveBook([yes!.token_id, no!.token_id]), listeners: new Set() }
      this.#followed.set(condition, subscription)
      if (!this.#socket) this.#connect()
      else this.#say({ operation: 'subscribe', markets: [condition] })
    }
    const { listeners } = subscription
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#followed.get(condition)?.listeners === listeners) {
        this.#followed.delete(condition)
        this.#say({ operation: 'unsubscribe', markets: [condition] })
      }
    }
  }

  /** Ends the stream for good. */
  close(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#watch)
    this.#become('closed')
    this.#socket?.close()
  }

  #connect(): void {
    if (this.#status === 'closed' || this.#status === 'refused') return
    const Socket = this.#options.WebSocket ?? WebSocket
    const socket = new Socket(this.#options.url)
    this.#socket = socket
    this.#heardAt = Date.now()
    const mine = (handler: () => void) => () => {
      if (this.#socket === socket) handler()
    }
    socket.addEventListener(
      'open',
      mine(() => this.#opened()),
    )
    socket.addEventListener('message', (event) => mine(() => this.#hear(event.data))())
    socket.addEventListener('close', (event) => mine(() => this.#lost(event.code))())
    // A close follows every error: that is where the next attempt starts.
    socket.addEventListener('error', () => {})
    clearInterval(this.#watch)
    this.#watch = setInterval(() => this.#check(), Math.min(HEARTBEAT_MS, this.#staleMs))
  }

  /** Asks for what is new, and resumes what was already followed. */
  #opened(): void {
    const fresh = [...this.#followed].filter(([, { book }]) => !book.ready).map(([condition]) => condition)
    this.#say({ type: 'market', markets: fresh })
    for (const [market, { book }] of this.#followed) {
      if (book.ready) this.#say({ operation: 'resume', market, seq: book.seq, epoch: book.epoch })
    }
  }

  #hear(data: unknown): void {
    this.#heardAt = Date.now()
    if (typeof data !== 'string' || data === 'PONG') return
    const frame: unknown = JSON.parse(data)
    for (const part of Array.isArray(frame) ? frame : [frame]) {
      const read = marketMessage.safeParse(part)
      if (read.success) this.#apply(read.data) // what a newer server says besides is not for us
    }
  }

  #apply(message: MarketMessage): void {
    if (message.event_type === 'subscribed') {
      this.#attempts = 0
      this.#become('live')
    } else if (message.event_type === 'heartbeat') {
      this.#compare(message.channels ?? {})
    } else if ('market' in message) {
      const subscription = this.#followed.get(message.market)
      if (subscription) this.#tell(message, subscription)
    }
  }

  #tell(message: MarketMessage & { market: string }, subscription: Subscription): void {
    const applied = subscription.book.apply(message)
    if (applied === 'gap') this.#renew(message.market, subscription)
    if (applied === 'applied') for (const listener of subscription.listeners) listener(subscription.book, message)
  }

  /** A channel that is elsewhere than our book has said something we did not hear. */
  #compare(channels: Readonly<Record<string, number>>): void {
    for (const [condition, subscription] of this.#followed) {
      const seq = channels[condition]
      if (seq !== undefined && subscription.book.ready && seq !== subscription.book.seq) this.#renew(condition, subscription)
    }
  }

  #renew(condition: string, { book }: Subscription): void {
    book.reset()
    this.#say({ operation: 'subscribe', markets: [condition] })
  }

  #say(request: MarketRequest): void {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(request))
  }

  /** Every few seconds: gives up a silent socket, and shows an open one that we are alive. */
  #check(): void {
    const socket = this.#socket
    if (!socket) return
    if (Date.now() - this.#heardAt > this.#staleMs) {
      socket.close()
      this.#lost(1006) // a dead peer never answers the close
    } else if (socket.readyState === 1) socket.send('PING')
  }

  #lost(code: number): void {
    this.#socket = undefined
    clearInterval(this.#watch)
    if (this.#status === 'closed') return
    const refused = code === CLOSE.unauthenticated || code === CLOSE.tooManySubscriptions
    this.#become(refused ? 'refused' : 'reconnecting')
    if (refused) return
    const pause = Math.min(10_000, (this.#options.reconnectMs ?? 250) * 2 ** this.#attempts++) * (0.5 + Math.random() / 2)
    this.#timer = setTimeout(() => this.#connect(), pause)
  }

  #become(status: StreamStatus): void {
    if (status === this.#status) return
    this.#status = status
    this.#options.onStatus?.(status)
  }
}
