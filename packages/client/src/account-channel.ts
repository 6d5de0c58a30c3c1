import type { AccountEvent, UserMessage } from '@augury/wire/user-stream'
import type { VenueClient } from './rest.ts'

type Placed = Extract<UserMessage, { event_type: 'order' | 'trade' }>
/** What came while history was being read. */
type Waiting = { message: Placed; isLast: boolean }[]

/** What a follower of an account needs to have no gaps. */
export interface AccountChannelOptions {
  /** In lower case, where it is another's than the client's. */
  account?: string | undefined
  /** Asked for what was missed. */
  client: Pick<VenueClient, 'listEvents'>
  /** Ids of the only markets to follow. */
  markets?: readonly string[] | undefined
  /** Position after which to begin; without it, from now on. */
  after?: number | undefined
  /** Every event once and in order. */
  onEvent: (event: AccountEvent) => void
  /** Called when history did not answer. It is asked again. */
  onError: (error: unknown) => void
  /** History did not answer: opens the socket again, so that the next login begins where telling stopped. */
  renew: () => void
}

/**
 * One account's frames made whole: whatever was missed (while the socket was away, or because frames do not follow each other) is read
 * from `GET /events` before anything newer is told.
 */
export class AccountChannel {
  readonly #options: AccountChannelOptions
  /** Position up to which everything was told, or null before the first login. */
  #position: number | null
  /** Position of the frame that is being told, which is ahead until its last event was. */
  #frame: number | null
  /** While history is being read: what came meanwhile. */
  #waiting: Waiting | null = null
  #epoch: number | null = null

  constructor(options: AccountChannelOptions) {
    this.#options = options
    this.#position = this.#frame = options.after ?? null
  }

  /** Position in the log up to which every event was told, the one that is being told included. */
  get position(): number | null {
    return this.#position
  }

  /** A new socket follows the account, whose frames stand at this position. */
  begin(position: number, epoch: number): void {
    const isRewritten = this.#epoch !== null && this.#epoch !== epoch
    if (isRewritten) this.#options.onError(new Error(`history was rewritten: what was told last before ${position} may not have happened`))
    this.#frame = this.#position = isRewritten ? position : (this.#frame ?? position)
    this.#epoch = epoch
    this.#waiting = null // of a socket that is no more; history has it
    this.expect(position)
  }

  /** The channel stands at a position: whatever lies before it and was not told was missed. */
  expect(position: number): void {
    if (!this.#waiting && this.#frame !== null && position > this.#frame) void this.#recover(position)
  }

  /** A message of a frame of the account, and whether the frame ends with it. */
  take(message: Placed, isLast: boolean): void {
    if (this.#waiting) this.#waiting.push({ message, isLast })
    else if (message.prev_seq === this.#frame || message.seq === this.#frame) this.#tell(message, isLast)
    else if (message.prev_seq > this.#frame!) {
      void this.#recover(message.prev_seq)
      this.#waiting!.push({ message, isLast })
    }
  }

  /** Tells nothing more. */
  end(): void {
    this.#waiting = []
  }

  #tell({ prev_seq: _, ...event }: Placed, isLast: boolean): void {
    if (event.seq !== this.#frame) this.#position = this.#frame // the frame before is whole
    this.#frame = event.seq
    this.#hand(event, isLast ? event.seq : this.#position!)
  }

  /** Tells an event, with which a position is reached: whoever could not hear it has not reached that. */
  #hand(event: AccountEvent, position: number): void {
    const before = this.#position
    this.#position = position
    try {
      this.#options.onEvent(event)
    } catch (error) {
      this.#position = before
      throw error
    }
  }

  /** Reads and tells what happened up to a position, then what came meanwhile. */
  async #recover(target: number): Promise<void> {
    const waiting: Waiting = []
    this.#waiting = waiting
    this.#position = this.#frame
    const { account, client, markets, onError, renew } = this.#options
    const wanted = { ...(account ? { account } : {}), ...(markets?.length ? { market: markets.join() } : {}) }
    try {
      while (this.#position! < target) {
        const { data, seq } = await client.listEvents({ query: { ...wanted, after: this.#position! } })
        if (this.#waiting !== waiting) return // another socket has begun anew
        for (const [n, event] of data.entries()) {
          if (event.seq > target) break
          this.#hand(event, data[n + 1]?.seq === event.seq ? this.#position! : event.seq) // a command may have several
          if (this.#waiting !== waiting) return // whoever heard it has had enough
        }
        this.#frame = this.#position = Math.min(seq, target)
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
    for (const { message, isLast } of waiting) this.take(message, isLast)
  }
}
