import type { ApiKey } from '@augury/signing/request-signer'
import {
  type SubscriptionInput,
  type SubscriptionMessages,
  type VenueSubscriptionName,
  venueSubscriptions,
} from '@augury/wire/subscriptions'
import { createTRPCUntypedClient, createWSClient, TRPCClientError, wsLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { type Addresses, AddressList } from './addresses.ts'
import { RefusedError } from './answer.ts'
import type { SocketClass } from './reconnecting-socket.ts'
import { signedLogin } from './stream-login.ts'

/** Callbacks of a subscription. */
export interface Subscriber<Messages> {
  /** The messages of one row of the log, and the id after which another subscription may continue. */
  onData(event: { id: string; data: Messages }): void
  /** Called when it ended for good: by a refusal, or by a response that is not this service's. A lost connection does not end it. */
  onError?(error: unknown): void
  /** Called when it started, initially or after a reconnect. */
  onStarted?(): void
}

/** Seconds before the next attempt when the service is unavailable and does not say how long. */
const PAUSE_SECONDS = 1

/** Subscribes, until `unsubscribe` is called. */
export type Subscribe<Name extends VenueSubscriptionName> = (
  input: SubscriptionInput<Name>,
  subscriber: Subscriber<SubscriptionMessages<Name>>,
) => { unsubscribe(): void }

/** A subscription per row of the table. */
export type SubscriptionClient = { [Name in VenueSubscriptionName]: { subscribe: Subscribe<Name> } }

/** Options of `subscriptionClient`. */
export interface SubscriptionOptions {
  /** Base URL of the order-book service, or those of several of its programs. */
  url: Addresses
  apiKey?: ApiKey | undefined
  WebSocket?: SocketClass | undefined
  /** Unix milliseconds, by the server's clock. */
  now(): number
  /** Milliseconds by which that clock is ahead of ours, as far as known. */
  ahead(): number
  /** Reads the server's clock after a refusal of what was signed with this `ahead`. Throws the refusal if the clock was not the reason. */
  learnClock(refusal: RefusedError, ahead: number): Promise<void>
}

/** Makes subscriptions, each over its own WebSocket at `/trpc`. After a lost connection a subscription continues after its last delivered id. */
export function subscriptionClient(options: SubscriptionOptions): SubscriptionClient {
  const subscribe = (name: VenueSubscriptionName, input: object, { onData, onError, onStarted }: Subscriber<never>) => {
    const { messages } = venueSubscriptions[name]
    let stop = () => {}
    let isOver = false
    const end = (error: unknown) => {
      if (isOver) return // unsubscribed meanwhile
      isOver = true
      stop()
      onError?.(error)
    }
    /** `ahead` at the last login. */
    let ahead = 0
    const addresses = new AddressList(options.url)
    /** The input of the next attempt: continues after the last delivered id. */
    let nextInput = input
    /** The login belongs to the connection, so a new login needs a new connection. */
    const again = async (seconds: number) => {
      stop()
      // A little longer for some than for others, so that not all come back at once.
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000 * (1 + Math.random() / 2)))
      if (!isOver) start()
    }
    /** Corrects the clock after a refusal and reconnects; ends with the refusal if the clock was not the reason. */
    const learn = async (refusal: RefusedError) => {
      try {
        await options.learnClock(refusal, ahead)
      } catch (error) {
        return error === refusal ? end(refusal) : again(PAUSE_SECONDS) // the time could not be read: retry
      }
      return again(0)
    }
    const start = () => {
      const socket = connect(options, addresses, () => {
        ahead = options.ahead()
      })
      const client = createTRPCUntypedClient<AnyTRPCRouter>({ links: [wsLink({ client: socket })] })
      const running = client.subscription(name, nextInput, {
        onStarted: () => onStarted?.(),
        onData: (event) => {
          const { id, data } = event as { id: string; data: unknown }
          const read = messages.safeParse(data)
          if (!read.success) return end(new TypeError(`unexpected message of ${name}: ${read.error.message}`))
          nextInput = { ...input, lastEventId: id }
          onData({ id, data: read.data as never })
        },
        onError: (error) => {
          const refusal = refusalOf(error)
          if (!(refusal instanceof RefusedError)) return end(refusal)
          if (refusal.code === 'stale_timestamp') void learn(refusal)
          else if (refusal.status === 503)
            void again(refusal.retryAfter ?? PAUSE_SECONDS) // no writer at the moment
          else end(refusal)
        },
      })
      stop = () => {
        running.unsubscribe()
        void socket.close()
      }
    }
    start()
    return {
      unsubscribe() {
        isOver = true
        stop()
      },
    }
  }
  const names = Object.keys(venueSubscriptions) as VenueSubscriptionName[]
  return Object.fromEntries(
    names.map((name) => [name, { subscribe: (input: object, subscriber: Subscriber<never>) => subscribe(name, input, subscriber) }]),
  ) as SubscriptionClient
}

/** A socket that reconnects whenever it is lost or silent, each time at the next address; `onLogin` runs before each login. */
const connect = ({ apiKey, WebSocket: given, now }: SubscriptionOptions, addresses: AddressList, onLogin: () => void) =>
  createWSClient({
    url() {
      const { current } = addresses
      addresses.leave(current)
      return `${current.replace(/^http/, 'ws')}/trpc`
    },
    ...(given ? { WebSocket: given as unknown as typeof WebSocket } : {}), // typed as the whole of a browser's
    ...(apiKey
      ? {
          connectionParams: () => {
            onLogin()
            return signedLogin(apiKey, '/trpc', now())
          },
        }
      : {}),
    keepAlive: { enabled: true, intervalMs: 5000, pongTimeoutMs: 5000 },
  })

interface ErrorData {
  refusal?: Record<string, unknown> | null
  httpStatus?: number
  retryAfter?: number
}

/** The refusal inside a tRPC error, as over REST. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof TRPCClientError)) return error
  const { refusal, httpStatus = 500, retryAfter } = (error.data ?? {}) as ErrorData
  return new RefusedError(httpStatus, refusal ?? { error: error.message }, retryAfter)
}
