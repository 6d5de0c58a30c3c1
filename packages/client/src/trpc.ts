import type { Operation } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import { createTRPCUntypedClient, httpLink, TRPCClientError } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { type RefusalIn, readAnswer } from './answer.ts'
import { nameOrders } from './name-orders.ts'
import type { SocketClass } from './reconnecting-socket.ts'
import type { Call } from './rest.ts'
import { type SubscriptionClient, subscriptionClient } from './subscriptions.ts'
import { type CallOptions, type ClientOptions, Transport } from './transport.ts'

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
  WebSocket?: SocketClass
}

const operations: Readonly<Record<string, Operation>> = venueOperations

/**
 * Makes a client of the order-book service at `/trpc`, with the same operations, types and errors as over REST, and the streams as
 * subscriptions. Its types come from the table of operations, not from the server.
 */
export function venueTrpcClient(options: TrpcOptions): VenueTrpcClient {
  const transport = new Transport(options, refusalIn)
  // The transport knows the base URL, retries and gives up; the link provides the procedure's name and the form of its input.
  const client = (how: CallOptions | undefined) => {
    const send = async (input: URL | RequestInfo, init?: RequestInit): Promise<Response> => {
      const { pathname, search } = new URL(String(input))
      const body = typeof init?.body === 'string' ? init.body : undefined
      const op = operations[pathname.slice('/trpc/'.length)]!
      return Response.json(await transport.send(op, { method: init?.method ?? 'GET', path: pathname, search, body }, how))
    }
    const link = httpLink<AnyTRPCRouter>({ url: 'http://exchange/trpc', fetch: send as typeof fetch })
    return createTRPCUntypedClient<AnyTRPCRouter>({ links: [link] })
  }
  const call = async (
    name: string,
    op: Operation,
    parts: { body?: unknown } | undefined,
    how: CallOptions | undefined,
  ): Promise<unknown> => {
    const input = parts?.body === undefined ? parts : { ...parts, body: nameOrders(op, parts.body) }
    try {
      return readAnswer(op, await (op.method === 'GET' ? client(how).query(name, input) : client(how).mutation(name, input)))
    } catch (error) {
      throw error instanceof TRPCClientError && error.cause ? error.cause : error
    }
  }
  const procedures = Object.entries(operations).map(([name, op]) => {
    const procedure = (input?: { body?: unknown }, how?: CallOptions) => call(name, op, input, how)
    return [name, op.method === 'GET' ? { query: procedure } : { mutate: procedure }]
  })
  const { url, apiKey, WebSocket } = options
  const subscriptions = subscriptionClient({
    url,
    apiKey,
    WebSocket,
    now: () => transport.now(),
    ahead: () => transport.ahead,
    learnClock: (refusal, ahead) => transport.learnClock(refusal, ahead),
  })
  return { ...Object.fromEntries(procedures), ...subscriptions } as VenueTrpcClient
}

interface WrappedRefusal {
  error?: { message?: string; data?: { refusal?: Readonly<Record<string, unknown>> | null; retryAfter?: number } }
}

/** Extracts what REST would answer from a tRPC response. */
const refusalIn: RefusalIn = (answer) => {
  const { error } = answer as WrappedRefusal
  const { refusal, retryAfter } = error?.data ?? {}
  return { body: refusal ?? { ...answer, error: error?.message ?? answer.error }, retryAfter }
}
