import { PAGE_MAX } from '@augury/wire/limits'
import type { AccountEvent, UserMessage } from '@augury/wire/user-stream'
import { apart } from './reconnecting-socket.ts'
import type { VenueClient } from './rest.ts'

type Placed = Extract<UserMessage, { event_type: 'order' | 'trade' }>
/** Messages that arrived while history was read. */
type Waiting = { message: Placed; isLast: boolean }[]

/** Options of an account's channel. */
export interface AccountChannelOptions {
  /** In lower case; omitted for the client's own account. */
  account?: string | undefined
  /** Reads missed events. */
  client: Pick<VenueClient, 'listEvents'>
  /** Ids of the markets to follow; all if omitted. */
  markets?: readonly string[] | undefined
  /** Position after which to start; by default, now. */
  after?: number | undefined
  /** Timeline of that position; by default, that of the first connection. */
  epoch?: number | undefined
  /** Called with every event, once and in order; again, with the whole command that it belongs to, when it throws. */
  onEvent: (event: AccountEvent) => void
  /** Called when reading history failed; it is retried after a reconnect. */
  onError: (error: unknown) => void
  /** Reconnects the socket after such a failure; the channel then continues after the last delivered event. */
  renew: () => void
}

/**
 * Delivers one account's events exactly once and in order. A gap (frames that do not follow each other, or a lost connection) is filled
 * from `GET /events` before anything newer is delivered.
 */
export class AccountChannel {
  readonly #options: AccountChannelOptions
  /** Position up to which everything was delivered, or null before the first login. */
  #position: number | null
  /** Position of the frame being delivered; ahead of `#position` until its last event is delivered. */
  #frame: number | null
  /** Messages that arrived while history is being read; null when it is not. */
  #waiting: Waiting | null = null
  #epoch: number | null
  #isOver = false

  constructor(options: AccountChannelOptions) {
    this.#options = options
    this.#position = this.#frame = options.after ?? null
    this.#epoch = options.epoch ?? null
  }

  /** Log position up to which every event was delivered, the current one included. */
  get position(): number | null {
    return this.#position
  }

  /** Timeline of the position, or null before the first login. It changes when the exchange is restored from a backup. */
  get epoch(): number | null {
    return this.#epoch
  }

  /** Call when a new connection is subscribed to the account, with the channel's position and timeline. */
  begin(position: number, epoch: number): void {
    if (this.#isOver) return // ended by a listener of `live`
    const isRewritten = this.#epoch !== null && this.#epoch !== epoch
    if (isRewritten) this.#options.onError(new Error(`history was rewritten: the last events before ${position} may not have happened`))
    this.#frame = this.#position = isRewritten ? position : (this.#frame ?? position)
    this.#epoch = epoch
    this.#waiting = null // from the previous connection; history has them
    this.expect(position)
  }

  /** Call when the server reports the channel's position. Undelivered events up to it were missed and are read from history. */
  expect(position: number): void {
    if (!this.#waiting && this.#frame !== null && position > this.#frame) void this.#recover(position)
  }

  /** Handles a message of a frame; `isLast` on the frame's last one. */
  take(message: Placed, isLast: boolean): void {
    if (this.#waiting) this.#waiting.push({ message, isLast })
    else if (message.prev_seq > this.#frame!) {
      void this.#recover(message.prev_seq)
      this.#waiting!.push({ message, isLast })
    } else if (message.seq >= this.#frame!) this.#deliverFrame(message, isLast) // `after` may lie between two frames
  }

  /** Stops delivering events. */
  end(): void {
    this.#isOver = true
    this.#waiting = []
  }

  #deliverFrame({ prev_seq: _, ...event }: Placed, isLast: boolean): void {
    if (event.seq !== this.#frame) this.#position = this.#frame // the previous frame is complete
    this.#frame = event.seq
    try {
      this.#deliver(event, isLast ? event.seq : this.#position!)
    } catch (error) {
      this.#frame = this.#position // nothing newer may be delivered before the frame is read again
      this.#options.renew()
      throw error
    }
  }

  /** Delivers an event and advances the position, unless the listener throws. */
  #deliver(event: AccountEvent, position: number): void {
    const before = this.#position
    this.#position = position
    try {
      this.#options.onEvent(event)
    } catch (error) {
      this.#position = before
      throw error
    }
  }

  /** Reads and delivers events up to a position, then what arrived meanwhile. */
  async #recover(target: number): Promise<void> {
    const waiting: Waiting = []
    this.#waiting = waiting
    this.#position = this.#frame
    const { account, client, markets, onError, renew } = this.#options
    const wanted = { ...(account ? { account } : {}), ...(markets?.length ? { market: markets.join() } : {}) }
    try {
      while (this.#position! < target) {
        const before = this.#position!
        const { data, seq } = await client.listEvents({ query: { ...wanted, after: this.#position!, limit: PAGE_MAX } })
        if (this.#waiting !== waiting) return // a new connection started over
        for (const [n, event] of data.entries()) {
          if (event.seq > target) break
          this.#deliver(event, data[n + 1]?.seq === event.seq ? this.#position! : event.seq) // one command may have several events
          if (this.#waiting !== waiting) return // the listener ended the channel
        }
        const reached = Math.min(seq, target)
        if (reached <= before) throw new Error(`history ends at ${seq}, before the stream's ${target}`)
        this.#frame = this.#position = reached
      }
    } catch (error) {
      if (this.#waiting !== waiting) return
      this.#waiting = null
      this.#frame = this.#position
      onError(error)
      renew()
      return
    }
    this.#waiting = null
    apart(() => {
      for (const { message, isLast } of waiting) this.take(message, isLast)
    })
  }
}
