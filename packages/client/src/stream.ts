import { SOCKET_CONDITIONS } from '@augury/wire/limits'
import { type MarketMessage, type MarketRequest, marketMessage } from '@augury/wire/market-stream'
import { RefusedError } from './answer.ts'
import { LiveBook } from './live-book.ts'
import { apart, ReconnectingSocket, type SocketOptions, type StreamStatus } from './reconnecting-socket.ts'

export type { LiveBook, MarketMessage, StreamStatus }

/** Options of `MarketStream`. */
export interface MarketStreamOptions extends SocketOptions {
  /** Called when the service refuses something, such as to follow a market that it does not know (`unknown_market`; `details` names it). */
  onError?: (error: RefusedError) => void
}

/** A condition to follow: as in `GET /markets`, or its id and the ids of Yes and No. */
export interface Followed {
  condition_id: string
  tokens: readonly { token_id: string }[]
}

/** Called after each message about a followed condition. */
export type Listener = (book: LiveBook, message: MarketMessage) => void

interface Subscription {
  book: LiveBook
  listeners: Set<Listener>
}

/** URL of a service's market channel. */
export const marketStreamUrl = (serviceUrl: string): string => `${serviceUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws/market`

/**
 * Follows conditions on `/ws/market` and maintains their books. A gap in the frames, a heartbeat with another position and a wrong checksum
 * lead to a new snapshot. It resumes after a lost connection.
 */
export class MarketStream {
  readonly #onError: MarketStreamOptions['onError']
  readonly #socket: ReconnectingSocket
  readonly #followed = new Map<string, Subscription>()

  constructor(options: MarketStreamOptions) {
    this.#onError = options.onError
    this.#socket = new ReconnectingSocket(options, {
      onOpen: () => this.#onOpen(),
      onMessage: (message) => this.#receive(message),
      onPong: () => this.#socket.confirm(),
    })
  }

  /** Books that are `ready` are current only while this is `live`: after a lost connection, once all that was missed has arrived. */
  get status(): StreamStatus {
    return this.#socket.status
  }

  /** Follows a condition until the returned function is called. The first call connects; beyond 200 conditions throws a `RangeError`. */
  follow(market: Followed, listener: Listener): () => void {
    const condition = market.condition_id
    let subscription = this.#followed.get(condition)
    if (!subscription) {
      if (this.#followed.size >= SOCKET_CONDITIONS) throw new RangeError(`a stream follows at most ${SOCKET_CONDITIONS} conditions`)
      const [yes, no] = market.tokens
      subscription = { book: new LiveBook([yes!.token_id, no!.token_id]), listeners: new Set() }
      this.#followed.set(condition, subscription)
      if (!this.#socket.isUp) this.#socket.connect()
      else this.#send({ operation: 'subscribe', markets: [condition] })
    }
    const { listeners } = subscription
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#followed.get(condition)?.listeners === listeners) {
        this.#followed.delete(condition)
        this.#send({ operation: 'unsubscribe', markets: [condition] })
      }
    }
  }

  /** Closes the stream for good. */
  close(): void {
    this.#socket.close()
  }

  /** Subscribes to new conditions and resumes the others. The stream is live when all of that is answered. */
  #onOpen(): void {
    const fresh = [...this.#followed].filter(([, { book }]) => !book.ready).map(([condition]) => condition)
    this.#send({ type: 'market', markets: fresh })
    for (const [market, { book }] of this.#followed) {
      if (book.ready) this.#send({ operation: 'resume', market, seq: book.seq, epoch: book.epoch })
    }
    this.#socket.ping()
  }

  #receive(message: unknown): void {
    const read = marketMessage.safeParse(message)
    if (read.success) this.#apply(read.data) // ignore messages that a newer server may add
  }

  #apply(message: MarketMessage): void {
    if (message.event_type === 'subscribed') {
      for (const market of message.unknown)
        this.#refused({ error: `unknown market ${market}`, code: 'unknown_market', details: { market } }, 404)
    } else if (message.event_type === 'error') {
      this.#refused(message, 400)
    } else if (message.event_type === 'heartbeat') {
      this.#checkPositions(message.channels ?? {})
    } else if ('market' in message) {
      const subscription = this.#followed.get(message.market)
      if (subscription) this.#applyTo(message, subscription)
    }
  }

  #applyTo(message: MarketMessage & { market: string }, subscription: Subscription): void {
    const applied = subscription.book.apply(message)
    if (applied === 'gap') this.#renew(message.market, subscription)
    if (applied !== 'applied' || !subscription.book.ready) return // being replaced by a new snapshot
    for (const listener of subscription.listeners) apart(() => listener(subscription.book, message))
  }

  /** Requests a new snapshot of each book whose position differs from the server's, as it missed a message. */
  #checkPositions(channels: Readonly<Record<string, number>>): void {
    for (const [condition, subscription] of this.#followed) {
      const seq = channels[condition]
      if (seq !== undefined && subscription.book.ready && seq !== subscription.book.seq) this.#renew(condition, subscription)
    }
  }

  #renew(condition: string, { book }: Subscription): void {
    book.reset()
    this.#send({ operation: 'subscribe', markets: [condition] })
  }

  #refused(body: Readonly<Record<string, unknown>>, status: number): void {
    this.#onError?.(new RefusedError(status, body, undefined))
  }

  #send(request: MarketRequest): void {
    this.#socket.send(request)
  }
}
