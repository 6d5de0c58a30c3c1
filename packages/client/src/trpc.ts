import type { Operation } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import { createTRPCUntypedClient, httpLink, TRPCClientError } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { readAnswer } from './answer.ts'
import type { Call } from './rest.ts'
import { type SubscriptionClient, subscriptionClient } from './subscriptions.ts'
import { type ClientOptions, type RefusalIn, Transport } from './transport.ts'

/** A procedure for each operation that may be called with an API key or without authentication: reads are queries, the rest mutations. */
export type TrpcClient<Table extends Record<string, Operation>> = {
  [Name in keyof Table as Table[Name]['auth'] extends 'wallet' ? never : Name]: Table[Name]['method'] extends 'GET'
    ? { query: Call<Table[Name]> }
    : { mutate: Call<Table[Name]> }
}

/** Client of the order-book service over tRPC. */
export type VenueTrpcClient = TrpcClient<typeof venueOperations> & SubscriptionClient

/** Options of a client over tRPC. */
export interface TrpcOptions extends ClientOptions {
  /** For subscriptions, where there is no built-in one. */
  WebSocket?: typeof WebSocket
}

const operations: Readonly<Record<string, Operation>> = venueOperations

/**
 * Makes a client of the order-book service at `/trpc`, with the same operations, types and errors as over REST, and the streams as
 * subscriptions. Its types come from the table of operations, not from the server.
 */
export function venueTrpcClient(options: TrpcOptions): VenueTrpcClient {
  const transport = new Transport(options, refusalIn)
  const send = async (input: URL | RequestInfo, init?: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(String(input))
    const body = typeof init?.body === 'string' ? init.body : undefined
    const op = operations[pathname.slice('/trpc/'.length)]!
    return Response.json(await transport.send(op, { method: init?.method ?? 'GET', path: pathname, search, body }))
  }
  // The transport knows the base URL; the link only provides the procedure's name.
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

/** Extracts the body that REST would answer from a tRPC response. */
const refusalIn: RefusalIn = (answer) => {
  const { error } = answer as WrappedRefusal
  return error?.data?.refusal ?? { ...answer, error: error?.message ?? answer.error }
}
