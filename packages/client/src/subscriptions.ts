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
 * Subscriptions over one WebSocket at `/trpc`, opened at the first and closed after the last. A lost connection is opened again, and each
 * subscription goes on after the last id that it told.
 */
export function subscriptionClient(options: SubscriptionOptions): SubscriptionClient {
  const { apiKey, WebSocket: given } = options
  const socket = createWSClient({
    url: `${options.url.replace(/^http/, 'ws').replace(/\/+$/, '')}/trpc`,
    ...(given ? { WebSocket: given } : {}),
    ...(apiKey ? { connectionParams: () => login(apiKey, options.now()) } : {}),
    lazy: { enabled: true, closeMs: 0 },
    keepAlive: { enabled: true, intervalMs: 5000, pongTimeoutMs: 5000 },
  })
  const client = createTRPCUntypedClient<AnyTRPCRouter>({ links: [wsLink({ client: socket })] })

  const subscribe = (name: VenueSubscriptionName, input: object, { onData, onError, onStarted }: Subscriber<never>) => {
    const { messages } = venueSubscriptions[name]
    let running = { unsubscribe() {} }
    let isOver = false
    const end = (error: unknown) => {
      isOver = true
      running.unsubscribe()
      onError?.(error)
    }
    const start = (asked: object, mayLearn: boolean) => {
      let last = asked
      running = client.subscription(name, asked, {
        onStarted: () => onStarted?.(),
        onData: (told) => {
          const { id, data } = told as { id: string; data: unknown }
          const read = messages.safeParse(data)
          if (!read.success) return end(new TypeError(`unexpected message of ${name}: ${read.error.message}`))
          last = { ...input, lastEventId: id }
          onData({ id, data: read.data as never })
        },
        onError: (error) => {
          const refusal = refusalOf(error)
          if (!(refusal instanceof RefusedError && refusal.code === 'stale_timestamp' && mayLearn)) return end(refusal)
          // Signed by a wrong clock: the login is made anew with the connection.
          options.learnClock(refusal).then(async () => {
            await socket.close()
            if (!isOver) start(last, false)
          }, end)
        },
      })
    }
    start(input, true)
    return {
      unsubscribe() {
        isOver = true
        running.unsubscribe()
      },
    }
  }
  const names = Object.keys(venueSubscriptions) as VenueSubscriptionName[]
  return Object.fromEntries(
    names.map((name) => [name, { subscribe: (input: object, hears: Subscriber<never>) => subscribe(name, input, hears) }]),
  ) as SubscriptionClient
}

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
