import type { Operation } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import { createTRPCUntypedClient, httpLink, TRPCClientError } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { readAnswer } from './answer.ts'
import type { Call } from './rest.ts'
import { type SubscriptionClient, subscriptionClient } from './subscriptions.ts'
import { type ClientOptions, type RefusalIn, Transport } from './transport.ts'

/** One procedure for each operation that may be called with an API key or without one: reads are queries, the rest mutations. */
export type TrpcClient<Table extends Record<string, Operation>> = {
  [Name in keyof Table as Table[Name]['auth'] extends 'wallet' ? never : Name]: Table[Name]['method'] extends 'GET'
    ? { query: Call<Table[Name]> }
    : { mutate: Call<Table[Name]> }
}

/** The order-book service's client over tRPC. */
export type VenueTrpcClient = TrpcClient<typeof venueOperations> & SubscriptionClient

/** What a client over tRPC is made with. */
export interface TrpcOptions extends ClientOptions {
  /** For subscriptions, where there is none built in. */
  WebSocket?: typeof WebSocket
}

const operations: Readonly<Record<string, Operation>> = venueOperations

/**
 * Makes a client of the order-book service at `/trpc`: the same operations, types and errors as over REST. Its types come from the
 * table of operations; nothing of the server is needed. The streams are subscriptions.
 */
export function venueTrpcClient(options: TrpcOptions): VenueTrpcClient {
  const transport = new Transport(options, refusalIn)
  const send = async (input: URL | RequestInfo, init?: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(String(input))
    const body = typeof init?.body === 'string' ? init.body : undefined
    const op = operations[pathname.slice('/trpc/'.length)]!
    return Response.json(await transport.send(op, { method: init?.method ?? 'GET', path: pathname, search, body }))
  }
  // The address is the transport's business; the link only has to name the procedure.
  const link = httpLink<AnyTRPCRouter>({ url: 'http://exchange/trpc', fetch: send as typeof fetch })
  const client = createTRPCUntypedClient<AnyTRPCRouter>({ links: [link] })
  const call = async (name: string, op: Operation, input: unknown): Promise<unknown> => {
    try {
      return readAnswer(op, await (op.method === 'GET' ? client.query(name, input) : client.mutation(name, input)))
    } catch (error) {
      throw error instanceof TRPCClientError && error.cause ? error.cause : error
    }
  }
  const procedures = Object.entries(operations).map(([name, op]) => {
    const procedure = (input?: unknown) => call(name, op, input)
    return [name, op.method === 'GET' ? { query: procedure } : { mutate: procedure }]
  })
  const { url, apiKey, WebSocket } = options
  const subscriptions = subscriptionClient({
    ...{ url, apiKey, WebSocket, now: () => transport.now(), ahead: () => transport.ahead },
    learnClock: (refusal, ahead) => transport.learnClock(refusal, ahead),
  })
  return { ...Object.fromEntries(procedures), ...subscriptions } as VenueTrpcClient
}

interface WrappedRefusal {
  error?: { message?: string; data?: { refusal?: Readonly<Record<string, unknown>> | null } }
}

/** What REST would have answered, inside of what tRPC answers. */
const refusalIn: RefusalIn = (answer) => {
  const { error } = answer as WrappedRefusal
  return error?.data?.refusal ?? { ...answer, error: error?.message ?? answer.error }
}
