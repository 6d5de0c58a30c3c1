import { type ApiKey, requestSigner } from '@augury/signing/request-signer'
import { type AccountEvent, type UserMessage, type UserRequest, userMessage } from '@augury/wire/user-stream'
import { KeptSocket, type SocketOptions, type StreamStatus } from './kept-socket.ts'
import type { VenueClient } from './rest.ts'

/** What a private stream follows, and as whom. */
export interface UserStreamOptions extends SocketOptions {
  apiKey: ApiKey
  /** Asked for what was missed, and for the time. With the same key. */
  client: Pick<VenueClient, 'listEvents' | 'getTime'>
  /** Every event once and in order. */
  onEvent: (event: AccountEvent) => void
  /** What a follower cannot help: history did not answer. It is asked again. */
  onError?: (error: unknown) => void
  /** Position after which to begin; without it, from now on. */
  after?: number
  /** Ids of the only markets to follow. */
  markets?: readonly string[]
  /** Whether the end of the socket cancels all open orders of the account. */
  cancelOnDisconnect?: boolean
}

/** Address of the user channel of a service. */
export const userStreamUrl = (serviceUrl: string): string => `${serviceUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws/user`

type Placed = Extract<UserMessage, { event_type: 'order' | 'trade' }>

/**
 * Follows one's own orders and trades on `/ws/user`. Whatever was missed (while the socket was away, or because frames do not follow each
 * other) is read from `GET /events` before anything newer is told: no gap and no repeat.
 */
export class UserStream {
  readonly #options: UserStreamOptions
  readonly #account: string
  readonly #socket: KeptSocket
  /** Position up to which everything was told, or null before the first login. */
  #position: number | null
  /** While history is being read: what came meanwhile. */
  #waiting: Placed[] | null = null
  #epoch: number | null = null
  /** Milliseconds by which the server's clock is ahead of ours. */
  #clockAhead: number | Promise<number> = 0

  constructor(options: UserStreamOptions) {
    this.#options = options
    this.#account = options.apiKey.address.toLowerCase()
    this.#position = options.after ?? null
    this.#socket = new KeptSocket(options, {
      opened: () => void this.#login().catch((error) => options.onError?.(error)),
      heard: (message) => {
        const read = userMessage.safeParse(message)
        if (read.success) this.#hear(read.data) // what a newer server says besides is not for us
      },
    })
    this.#socket.connect()
  }

  get status(): StreamStatus {
    return this.#socket.status
  }

  /** Position in the log up to which every event was told: where another stream may begin. */
  get position(): number | null {
    return this.#position
  }

  /** Ends the stream for good. */
  close(): void {
    this.#socket.close()
  }

  async #login(): Promise<void> {
    const { apiKey, markets, cancelOnDisconnect } = this.#options
    const timestamp = Math.floor((Date.now() + (await this.#clockAhead)) / 1000)
    const signature = await (await requestSigner(apiKey.secret))({ timestamp, method: 'GET', path: '/ws/user' })
    const auth = { key: apiKey.key, passphrase: apiKey.passphrase, timestamp: String(timestamp), signature }
    const request: UserRequest = {
      ...{ type: 'user', auth },
      ...(markets ? { markets: [...markets] } : {}),
      ...(cancelOnDisconnect ? { cancel_on_disconnect: true } : {}),
    }
    this.#socket.say(request)
  }

  #hear(message: UserMessage): void {
    if (message.event_type === 'subscribed') this.#subscribed(message.channels[this.#account]!, message.epoch)
    else if (message.event_type === 'heartbeat') this.#expect(message.channels[this.#account]!)
    else if (message.event_type === 'order' || message.event_type === 'trade') this.#take(message)
    else if (message.event_type === 'error' && message.code === 'stale_timestamp') this.#learnClock()
  }

  #subscribed(position: number, epoch: number): void {
    const isRewritten = this.#epoch !== null && this.#epoch !== epoch
    if (isRewritten)
      this.#options.onError?.(new Error(`history was rewritten: what was told last before ${position} may not have happened`))
    this.#position = isRewritten ? position : (this.#position ?? position)
    this.#epoch = epoch
    this.#waiting = null // of a socket that is no more; history has it
    this.#socket.settle()
    this.#expect(position)
  }

  /** The channel stands at a position: whatever lies before it and was not told was missed. */
  #expect(position: number): void {
    if (!this.#waiting && this.#position !== null && position > this.#position) void this.#recover(position)
  }

  #take(message: Placed): void {
    if (this.#waiting) this.#waiting.push(message)
    else if (message.prev_seq === this.#position || message.seq === this.#position) this.#tell(message)
    else if (message.prev_seq > this.#position!) {
      void this.#recover(message.prev_seq)
      this.#waiting!.push(message)
    }
  }

  #tell({ prev_seq: _, ...event }: Placed): void {
    this.#position = event.seq
    this.#options.onEvent(event)
  }

  /** Reads and tells what happened up to a position, then what came meanwhile. */
  async #recover(target: number): Promise<void> {
    const waiting: Placed[] = []
    this.#waiting = waiting
    const { client, markets, onEvent, onError } = this.#options
    try {
      while (this.#position! < target) {
        const market = markets?.join()
        const { data, seq } = await client.listEvents({ query: { after: this.#position!, ...(market ? { market } : {}) } })
        if (this.#waiting !== waiting) return // another socket has begun anew
        for (const event of data) {
          if (event.seq > target) break
          onEvent(event)
        }
        this.#position = Math.min(seq, target)
      }
    } catch (error) {
      if (this.#waiting !== waiting) return
      this.#waiting = null
      onError?.(error)
      this.#socket.renew() // the next login begins where telling stopped
      return
    }
    this.#waiting = null
    for (const message of waiting) this.#take(message)
  }

  /** A wrong clock is corrected from the server's, and the socket opened again. */
  #learnClock(): void {
    this.#clockAhead = this.#options.client.getTime().then(
      (seconds) => seconds * 1000 - Date.now(),
      () => 0,
    )
    this.#socket.renew() // before its end says that we are refused for good
  }
}
