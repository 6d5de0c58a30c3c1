import type { ApiKey } from '@augury/signing/request-signer'
import { SOCKET_ACCOUNTS } from '@augury/wire/limits'
import { type AccountEvent, type UserMessage, userMessage } from '@augury/wire/user-stream'
import { AccountChannel } from './account-channel.ts'
import { apart, ReconnectingSocket, type SocketOptions, type StreamStatus } from './reconnecting-socket.ts'
import type { VenueClient } from './rest.ts'
import { StreamLogin, streamRefusal } from './stream-login.ts'

/** Options of `AccountStreams`. The API key needs the scope `venue`. */
export interface AccountStreamsOptions extends SocketOptions {
  apiKey: ApiKey
  /** Reads missed events and the server's time, with the same key. */
  client: Pick<VenueClient, 'listEvents' | 'getTime'>
  /** Called when reading history failed, which is retried, and with the `RefusedError` of a refused login. */
  onError?: (error: unknown) => void
}

/** Called with every event of an account, once and in order. */
export type AccountListener = (event: AccountEvent) => void

interface Followed {
  channel: AccountChannel
  listeners: Set<AccountListener>
  /** Whether the current connection is subscribed to it. */
  begun: boolean
}

/** Follows the orders and trades of many accounts over one `/ws/user`, without gaps or repeats. */
export class AccountStreams {
  readonly #options: AccountStreamsOptions
  readonly #socket: ReconnectingSocket
  readonly #login: StreamLogin
  readonly #followed = new Map<string, Followed>()
  #loggedIn = false

  constructor(options: AccountStreamsOptions) {
    this.#options = options
    this.#login = new StreamLogin(options.apiKey, options.client)
    this.#socket = new ReconnectingSocket(options, {
      onOpen: () => void this.#logIn().catch(this.#fail),
      onMessage: (message, isLast) => {
        const read = userMessage.safeParse(message)
        if (read.success) this.#receive(read.data, isLast) // ignore messages that a newer server may add
      },
    })
  }

  get status(): StreamStatus {
    return this.#socket.status
  }

  /** Whether no account is followed. */
  get isIdle(): boolean {
    return this.#followed.size === 0
  }
  /** Whether no further account can be followed. */
  get isFull(): boolean {
    return this.#followed.size >= SOCKET_ACCOUNTS
  }

  /** Follows an account (in lower case) from now on, until the returned function is called. The first call connects. */
  follow(account: string, listener: AccountListener): () => void {
    let followed = this.#followed.get(account)
    if (!followed) {
      if (this.isFull) throw new RangeError(`a socket follows at most ${SOCKET_ACCOUNTS} accounts`)
      followed = this.#begin(account)
    }
    const { channel, listeners } = followed
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.#followed.get(account)?.listeners !== listeners) return
      this.#followed.delete(account)
      channel.end()
      if (this.#loggedIn) this.#socket.send({ operation: 'unsubscribe', accounts: [account] })
    }
  }

  /** Closes the stream for good. */
  close(): void {
    this.#socket.close()
    for (const { channel } of this.#followed.values()) channel.end()
  }

  #begin(account: string): Followed {
    const listeners = new Set<AccountListener>()
    const channel = new AccountChannel({
      account,
      client: this.#options.client,
      onError: this.#fail,
      renew: () => this.#socket.renew(),
      onEvent: (event) => {
        for (const listener of listeners) apart(() => listener(event))
      },
    })
    const followed = { channel, listeners, begun: false }
    this.#followed.set(account, followed)
    if (!this.#socket.isUp) this.#socket.connect()
    else if (this.#loggedIn) this.#socket.send({ operation: 'subscribe', accounts: [account] })
    return followed
  }

  readonly #fail = (error: unknown) => this.#options.onError?.(error)

  async #logIn(): Promise<void> {
    this.#loggedIn = false
    for (const followed of this.#followed.values()) followed.begun = false
    const auth = await this.#login.auth()
    this.#loggedIn = true
    this.#socket.send({ type: 'user', auth, accounts: [...this.#followed.keys()] as `0x${string}`[] })
  }

  #receive(message: UserMessage, isLast: boolean): void {
    if (message.event_type === 'subscribed') {
      this.#socket.confirm()
      this.#each(message.channels, (followed, position) => {
        if (followed.begun) followed.channel.expect(position)
        else followed.channel.begin(position, message.epoch)
        followed.begun = true
      })
    } else if (message.event_type === 'heartbeat') {
      this.#each(message.channels, ({ channel, begun }, position) => begun && channel.expect(position))
    } else if (message.event_type === 'order' || message.event_type === 'trade') {
      const followed = this.#followed.get(message.account.toLowerCase())
      if (followed?.begun) followed.channel.take(message, isLast)
    } else if (message.event_type === 'error' && message.code === 'stale_timestamp') {
      this.#login.learnClock()
      this.#socket.renew() // before the server closes it with a code that means refused
    } else if (message.event_type === 'error') this.#fail(streamRefusal(message))
  }

  #each(channels: Readonly<Record<string, number>>, act: (followed: Followed, position: number) => void): void {
    for (const [account, position] of Object.entries(channels)) {
      const followed = this.#followed.get(account.toLowerCase())
      if (followed) act(followed, position)
    }
  }
}
