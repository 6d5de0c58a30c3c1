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

/** Who hears what a subscription tells. */
export interface Subscriber<Messages> {
  /** All that one row of the log has to say, and the id after which another subscription may go on. */
  onData(told: { id: string; data: Messages }): void
  /** It ended for good: a refusal, or what is none of this service. A lost connection is not the end. */
  onError?(error: unknown): void
  /** It began, at first or again after a lost connection. */
  onStarted?(): void
}

/** Milliseconds before a service is asked again that cannot answer now. */
const PAUSE_MS = 1000

/** Subscribes; what it returns ends it. */
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
  /** Sets that clock after a refusal of what was signed by it. */
  learnClock(refusal: RefusedError): Promise<void>
}

/**
 * Subscriptions, each over a WebSocket of its own at `/trpc`. A lost connection is opened again, and its subscription goes on after the
 * last id that it told.
 */
export function subscriptionClient(options: SubscriptionOptions): SubscriptionClient {
  const subscribe = (name: VenueSubscriptionName, input: object, { onData, onError, onStarted }: Subscriber<never>) => {
    const { messages } = venueSubscriptions[name]
    let stop = () => {}
    let isOver = false
    const end = (error: unknown) => {
      isOver = true
      stop()
      onError?.(error)
    }
    /** What the next attempt asks for: after the last id that was told. */
    let asked = input
    /** The login is made with the connection, so another login is another connection. */
    const again = async (pauseMs: number) => {
      stop()
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      if (!isOver) start(false)
    }
    const start = (mayLearn: boolean) => {
      const socket = connect(options)
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
          if (refusal.code === 'stale_timestamp' && mayLearn) options.learnClock(refusal).then(() => again(0), end)
          else if (refusal.status === 503)
            void again(PAUSE_MS) // a standby, or a writer that is not sure: soon somebody is
          else end(refusal)
        },
      })
      stop = () => {
        running.unsubscribe()
        void socket.close()
      }
    }
    start(true)
    return {
      unsubscribe() {
        isOver = true
        stop()
      },
    }
  }
  const names = Object.keys(venueSubscriptions) as VenueSubscriptionName[]
  return Object.fromEntries(
    names.map((name) => [name, { subscribe: (input: object, hears: Subscriber<never>) => subscribe(name, input, hears) }]),
  ) as SubscriptionClient
}

/** A socket that is opened again whenever it is lost or falls silent. */
const connect = ({ url, apiKey, WebSocket: given, now }: SubscriptionOptions) =>
  createWSClient({
    url: `${url.replace(/^http/, 'ws').replace(/\/+$/, '')}/trpc`,
    ...(given ? { WebSocket: given } : {}),
    ...(apiKey ? { connectionParams: () => login(apiKey, now()) } : {}),
    keepAlive: { enabled: true, intervalMs: 5000, pongTimeoutMs: 5000 },
  })

/** What the socket is told when it opens. */
async function login({ key, passphrase, secret }: ApiKey, now: number): Promise<Record<string, string>> {
  const timestamp = Math.floor(now / 1000)
  const signature = await (await requestSigner(secret))({ timestamp, method: 'GET', path: '/trpc' })
  return { key, passphrase, timestamp: String(timestamp), signature }
}

/** What REST would have answered, inside of what tRPC answers. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof TRPCClientError)) return error
  const { refusal, httpStatus = 500 } = (error.data ?? {}) as { refusal?: Record<string, unknown> | null; httpStatus?: number }
  return new RefusedError(httpStatus, refusal ?? { error: error.message }, undefined)
}
