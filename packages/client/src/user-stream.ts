import type { ApiKey } from '@augury/signing/request-signer'
import { type AccountEvent, type UserMessage, type UserRequest, userMessage } from '@augury/wire/user-stream'
import { getAddress } from 'viem'
import { AccountChannel } from './account-channel.ts'
import { ReconnectingSocket, type SocketOptions, type StreamStatus } from './reconnecting-socket.ts'
import type { VenueClient } from './rest.ts'
import { StreamLogin, streamRefusal } from './stream-login.ts'

export type { AccountEvent }

/** Options of a private stream. */
export interface UserStreamOptions extends SocketOptions {
  apiKey: ApiKey
  /** Reads missed events and the server's time, with the same key. */
  client: Pick<VenueClient, 'listEvents' | 'getTime'>
  /** Called with every event, once and in order; again, with the whole command that it belongs to, when it throws. */
  onEvent: (event: AccountEvent) => void
  /** Called when reading history failed, which is retried, and with the `RefusedError` of a refused login. */
  onError?: (error: unknown) => void
  /** Position after which to start; by default, now. */
  after?: number
  /** Timeline of that position (`stream.epoch`), so that a restored backup is noticed at the first login. */
  epoch?: number
  /** Ids of the markets to follow; all if omitted. */
  markets?: readonly string[]
  /** Whether to cancel all open orders of the account when the socket ends. */
  cancelOnDisconnect?: boolean
}

/** URL of a service's user channel. */
export const userStreamUrl = (serviceUrl: string): string => `${serviceUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws/user`

/** Follows the key's own orders and trades on `/ws/user`, without gaps or repeats. */
export class UserStream {
  readonly #options: UserStreamOptions
  readonly #account: string
  readonly #socket: ReconnectingSocket
  readonly #channel: AccountChannel
  readonly #login: StreamLogin

  constructor(options: UserStreamOptions) {
    this.#options = options
    const { apiKey, client, markets, after, epoch, onEvent } = options
    this.#account = getAddress(apiKey.address)
    this.#login = new StreamLogin(apiKey, client)
    const onError = (error: unknown) => options.onError?.(error)
    this.#channel = new AccountChannel({ client, markets, after, epoch, onEvent, onError, renew: () => this.#socket.renew() })
    this.#socket = new ReconnectingSocket(options, {
      onOpen: () => void this.#logIn().catch(onError),
      onMessage: (message, isLast) => {
        const read = userMessage.safeParse(message)
        if (read.success) this.#receive(read.data, isLast) // ignore messages that a newer server may add
      },
    })
    this.#socket.connect()
  }

  get status(): StreamStatus {
    return this.#socket.status
  }

  /** Log position up to which every event was delivered: pass it as `after` to continue with another stream. */
  get position(): number | null {
    return this.#channel.position
  }

  /** Timeline of that position: pass it as `epoch`. */
  get epoch(): number | null {
    return this.#channel.epoch
  }

  /** Closes the stream for good. */
  close(): void {
    this.#socket.close()
    this.#channel.end()
  }

  async #logIn(): Promise<void> {
    const { markets, cancelOnDisconnect } = this.#options
    const request: UserRequest = {
      type: 'user',
      auth: await this.#login.auth(),
      ...(markets ? { markets: [...markets] } : {}),
      ...(cancelOnDisconnect ? { cancel_on_disconnect: true } : {}),
    }
    this.#socket.send(request)
  }

  #receive(message: UserMessage, isLast: boolean): void {
    if (message.event_type === 'subscribed') {
      this.#socket.confirm()
      this.#channel.begin(message.channels[this.#account]!, message.epoch)
    } else if (message.event_type === 'heartbeat') this.#channel.expect(message.channels[this.#account]!)
    else if (message.event_type === 'order' || message.event_type === 'trade') this.#channel.take(message, isLast)
    else if (message.event_type === 'error' && message.code === 'stale_timestamp') {
      this.#login.learnClock()
      this.#socket.renew() // before the server closes it with a code that means refused
    } else if (message.event_type === 'error') this.#options.onError?.(streamRefusal(message))
  }
}
