import { type ApiKey, requestSigner } from '@augury/signing/request-signer'
import {
  type SubscriptionInput,
  type SubscriptionMessages,
  type VenueSubscriptionName,
  venueSubscriptions,
} from '@augury/wire/subscriptions'
import { createTRPCUntypedClient, createWSClient, TRPCClientError, wsLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { RefusedError } from './answer.ts'

/** Callbacks of a subscription. */
export interface Subscriber<Messages> {
  /** The messages of one row of the log, and the id after which another subscription may continue. */
  onData(told: { id: string; data: Messages }): void
  /** It ended for good: a refusal, or an answer that is not this service's. A lost connection does not end it. */
  onError?(error: unknown): void
  /** It began, at first or again after a lost connection. */
  onStarted?(): void
}

/** Milliseconds before the next attempt when the service is unavailable. */
const PAUSE_MS = 1000

/** Subscribes, until `unsubscribe` is called. */
export type Subscribe<Name extends VenueSubscriptionName> = (
  input: SubscriptionInput<Name>,
  subscriber: Subscriber<SubscriptionMessages<Name>>,
) => { unsubscribe(): void }

/** A subscription per row of the table. */
export type SubscriptionClient = { [Name in VenueSubscriptionName]: { subscribe: Subscribe<Name> } }

/** What subscriptions are made with. */
export interface SubscriptionOptions {
  /** Address of the order-book service. */
  url: string
  apiKey?: ApiKey | undefined
  WebSocket?: typeof WebSocket | undefined
  /** Unix milliseconds, by the server's clock. */
  now(): number
  /** What is known of that clock. */
  ahead(): number
  /** Sets it after a refusal of what was signed when `ahead` was known of it. Throws the refusal when the clock was not the reason. */
  learnClock(refusal: RefusedError, ahead: number): Promise<void>
}

/**
 * Subscriptions, each over a WebSocket of its own at `/trpc`. A lost connection is opened again, and its subscription goes on after the
 * last id it delivered.
 */
export function subscriptionClient(options: SubscriptionOptions): SubscriptionClient {
  const subscribe = (name: VenueSubscriptionName, input: object, { onData, onError, onStarted }: Subscriber<never>) => {
    const { messages } = venueSubscriptions[name]
    let stop = () => {}
    let isOver = false
    const end = (error: unknown) => {
      if (isOver) return // unsubscribed while the clock was read
      isOver = true
      stop()
      onError?.(error)
    }
    /** What was known of the clock at the last login. */
    let ahead = 0
    /** The input of the next attempt: continues after the last delivered id. */
    let asked = input
    /** The login belongs to the connection, so a new login needs a new connection. */
    const again = async (pauseMs: number) => {
      stop()
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      if (!isOver) start()
    }
    /** Corrects the clock after a refusal and reconnects; ends with the refusal when the clock was not the reason. */
    const learn = async (refusal: RefusedError) => {
      try {
        await options.learnClock(refusal, ahead)
      } catch (error) {
        return error === refusal ? end(refusal) : again(PAUSE_MS) // the time could not be read: retry
      }
      return again(0)
    }
    const start = () => {
      const socket = connect(options, () => {
        ahead = options.ahead()
      })
      const client = createTRPCUntypedClient<AnyTRPCRouter>({ links: [wsLink({ client: socket })] })
      const running = client.subscription(name, asked, {
        onStarted: () => onStarted?.(),
        onData: (told) => {
          const { id, data } = told as { id: string; data: unknown }
          const read = messages.safeParse(data)
          if (!read.success) return end(new TypeError(`unexpected message of ${name}: ${read.error.message}`))
          asked = { ...input, lastEventId: id }
          onData({ id, data: read.data as never })
        },
        onError: (error) => {
          const refusal = refusalOf(error)
          if (!(refusal instanceof RefusedError)) return end(refusal)
          if (refusal.code === 'stale_timestamp') void learn(refusal)
          else if (refusal.status === 503)
            void again(PAUSE_MS) // no writer at the moment
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

/** A socket that is opened again whenever it is lost or falls silent; `onLogin` runs before each login. */
const connect = ({ url, apiKey, WebSocket: given, now }: SubscriptionOptions, onLogin: () => void) =>
  createWSClient({
    url: `${url.replace(/^http/, 'ws').replace(/\/+$/, '')}/trpc`,
    ...(given ? { WebSocket: given } : {}),
    ...(apiKey
      ? {
          connectionParams: () => {
            onLogin()
            return login(apiKey, now())
          },
        }
      : {}),
    keepAlive: { enabled: true, intervalMs: 5000, pongTimeoutMs: 5000 },
  })

/** The signed login that the socket sends when it opens. */
async function login({ key, passphrase, secret }: ApiKey, now: number): Promise<Record<string, string>> {
  const timestamp = Math.floor(now / 1000)
  const signature = await (await requestSigner(secret))({ timestamp, method: 'GET', path: '/trpc' })
  return { key, passphrase, timestamp: String(timestamp), signature }
}

/** The refusal inside a tRPC error, as REST would answer it. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof TRPCClientError)) return error
  const { refusal, httpStatus = 500 } = (error.data ?? {}) as { refusal?: Record<string, unknown> | null; httpStatus?: number }
  return new RefusedError(httpStatus, refusal ?? { error: error.message }, undefined)
}
