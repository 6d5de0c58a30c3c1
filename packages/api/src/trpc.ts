import type { Input, Operation, Output, Request } from '@augury/wire/operation'
import { ServiceError } from '@augury/wire/service-error'
import {
  initTRPC,
  TRPCError,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
  type TRPCSubscriptionProcedure,
  type TrackedEnvelope,
} from '@trpc/server'

type ErrorName = ConstructorParameters<typeof TRPCError>[0]['code']

/** tRPC's name for an HTTP status. */
const names: Readonly<Record<number, ErrorName>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  501: 'NOT_IMPLEMENTED',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
}

/** Converts a refusal to tRPC's error. */
export const trpcError = (error: ServiceError): TRPCError =>
  new TRPCError({ code: names[error.status] ?? 'INTERNAL_SERVER_ERROR', message: error.message, cause: error })

/** Headers of the refusals in a response, as over REST. */
export function refusalHeaders(errors: readonly Pick<TRPCError, 'cause'>[]): Record<string, string> {
  const each = errors.flatMap(({ cause }) => (cause instanceof ServiceError ? [cause.headers, cause.retryHeader] : []))
  return Object.assign({}, ...each)
}

/** Passes on the cause of an error that is a bug, and not a refusal by us or by tRPC. */
export function reportBug(error: TRPCError, onBug: (error: unknown) => void): void {
  if (error.code === 'INTERNAL_SERVER_ERROR' && !(error.cause instanceof ServiceError)) onBug(error.cause ?? error)
}

/** Throws a refusal as tRPC's error, and anything else as it is. */
function rethrow(error: unknown): never {
  throw error instanceof ServiceError ? trpcError(error) : error
}

/** Input of a call, as sent by a client. */
export type CallInput<Op extends Operation> = Partial<Request<Op>> | undefined

/** A table of operations as procedures: reads are queries, the rest mutations. */
export type Procedures<Table extends Record<string, Operation>> = {
  [Name in keyof Table]: Table[Name]['method'] extends 'GET'
    ? TRPCQueryProcedure<{ meta: object; input: CallInput<Table[Name]>; output: Output<Table[Name]> }>
    : TRPCMutationProcedure<{ meta: object; input: CallInput<Table[Name]>; output: Output<Table[Name]> }>
}

/** Runs an operation with its unparsed input. Throws `ServiceError`; anything else is a bug. */
export type Runner<Context> = (name: string, operation: Operation, context: Context, input: Partial<Input<Operation>>) => Promise<unknown>

/** Wraps our context, as tRPC copies and changes its own. */
export interface Carried<Context> {
  carried: Context
}

/** Opens a subscription that runs until the signal. Throws `ServiceError`; anything else is a bug. */
export type Stream<Context, Value, Input> = (context: Context, signal: AbortSignal, input: Input) => Promise<AsyncIterable<Value>>

// biome-ignore lint/suspicious/noExplicitAny: each stream has its own values and input
type Streams<Context> = Record<string, Stream<Context, any, any>>
// biome-ignore lint/suspicious/noConfusingVoidType: tRPC's word for no input
type InputOf<Open> = Open extends (context: never, signal: AbortSignal, input: infer Input) => unknown ? Input : void
/** What a client receives of a stream; tracked values come with their ids. */
type Received<Values> =
  Values extends AsyncIterable<infer Value>
    ? AsyncIterable<Value extends TrackedEnvelope<infer Data> ? { id: string; data: Data } : Value, void, void>
    : never
type Subscriptions<Given extends Streams<never>> = {
  [Name in keyof Given]: TRPCSubscriptionProcedure<{
    meta: object
    // biome-ignore lint/suspicious/noConfusingVoidType: tRPC's word for no input
    input: unknown extends InputOf<Given[Name]> ? void : InputOf<Given[Name]>
    output: Received<Awaited<ReturnType<Given[Name]>>>
  }>
}

/** Milliseconds between pings of an idle stream. */
const PING_MS = 15_000

/** Makes a tRPC router from a table of operations, so that the transports cannot differ. */
export function rootOf<Table extends Record<string, Operation>, Context, Given extends Streams<Context> = Record<never, never>>(
  table: Table,
  run: Runner<Context>,
  streams?: Given,
) {
  const trpc = initTRPC.context<Carried<Context>>().create({
    sse: { ping: { enabled: true, intervalMs: PING_MS } },
    errorFormatter({ shape, error }) {
      const refused = error.cause instanceof ServiceError ? error.cause : null
      const refusal = refused?.body() ?? null // as over REST
      // In seconds, like the header `Retry-After` over REST.
      const wait = refused?.retryAfter === undefined ? {} : { retryAfter: refused.retryAfter }
      const { stack: _, ...data } = shape.data
      // Anything but a refusal by us or by tRPC is a bug, whose message is not exposed.
      const message = refusal || error.code !== 'INTERNAL_SERVER_ERROR' ? shape.message : 'Internal server error'
      return { ...shape, message, data: { ...data, refusal, ...wait } }
    },
  })
  const procedures = Object.entries(table).map(([name, operation]) => {
    const call = async ({ ctx, input }: { ctx: object; input: unknown }) => {
      try {
        return await run(name, operation, (ctx as Carried<Context>).carried, (input ?? {}) as Partial<Input<Operation>>)
      } catch (error) {
        rethrow(error)
      }
    }
    const procedure = trpc.procedure.input((input: unknown) => input)
    return [name, operation.method === 'GET' ? procedure.query(call) : procedure.mutation(call)]
  })
  const subscriptions = Object.entries(streams ?? {}).map(([name, open]) => {
    // Opened before the response starts, so that it can still be refused.
    const subscribe = async ({ ctx, input, signal }: { ctx: object; input: unknown; signal: AbortSignal | undefined }) => {
      const messages = await open((ctx as Carried<Context>).carried, signal ?? new AbortController().signal, input).catch(rethrow)
      return (async function* () {
        try {
          yield* messages
        } catch (error) {
          rethrow(error)
        }
      })()
    }
    return [name, trpc.procedure.input((input: unknown) => input).subscription(subscribe)]
  })
  return trpc.router(Object.fromEntries([...procedures, ...subscriptions]) as Procedures<Table> & Subscriptions<Given>)
}
