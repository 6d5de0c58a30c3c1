import { SOCKET_CONDITIONS } from '@augury/wire/limits'
import { type MarketMessage, type MarketRequest, marketMessage } from '@augury/wire/market-stream'
import { KeptSocket, type SocketOptions, type StreamStatus } from './kept-socket.ts'
import { LiveBook } from './live-book.ts'

export type { StreamStatus }

/** Which condition to follow: as `GET /markets` answers it, or its id and the ids of Yes and No. */
export interface Followed {
  condition_id: string
  tokens: readonly { token_id: string }[]
}

/** Told after each message about a followed condition. */
export type Listener = (book: LiveBook, message: MarketMessage) => void

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
  readonly #socket: KeptSocket
  readonly #followed = new Map<string, Subscription>()

  constructor(options: SocketOptions) {
    this.#socket = new KeptSocket(options, { opened: () => this.#opened(), heard: (message) => this.#hear(message) })
  }

  get status(): StreamStatus {
    return this.#socket.status
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
      if (!this.#socket.isUp) this.#socket.connect()
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
    this.#socket.close()
  }

  /** Asks for what is new, and resumes what was already followed. */
  #opened(): void {
    const fresh = [...this.#followed].filter(([, { book }]) => !book.ready).map(([condition]) => condition)
    this.#say({ type: 'market', markets: fresh })
    for (const [market, { book }] of this.#followed) {
      if (book.ready) this.#say({ operation: 'resume', market, seq: book.seq, epoch: book.epoch })
    }
  }

  #hear(message: unknown): void {
    const read = marketMessage.safeParse(message)
    if (read.success) this.#apply(read.data) // what a newer server says besides is not for us
  }

  #apply(message: MarketMessage): void {
    if (message.event_type === 'subscribed') {
      this.#socket.settle()
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

  /** A channel at another position than our book: we missed a message. */
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
    this.#socket.say(request)
  }
}
