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

/** Our refusal inside tRPC's error: what the same call answers over REST. */
export interface RefusalData {
  error: string
  code: string
  details?: unknown
}

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

/** A refusal as tRPC carries it. */
export const trpcError = (error: ServiceError): TRPCError =>
  new TRPCError({ code: names[error.status] ?? 'INTERNAL_SERVER_ERROR', message: error.message, cause: error })

/** The parts of a call, as a client sends them. */
export type CallInput<Op extends Operation> = Partial<Request<Op>> | undefined

/** A table of operations as procedures: reads are queries, the rest mutations. */
export type Procedures<Table extends Record<string, Operation>> = {
  [Name in keyof Table]: Table[Name]['method'] extends 'GET'
    ? TRPCQueryProcedure<{ meta: object; input: CallInput<Table[Name]>; output: Output<Table[Name]> }>
    : TRPCMutationProcedure<{ meta: object; input: CallInput<Table[Name]>; output: Output<Table[Name]> }>
}

/** Runs one operation with what a caller sent. Throws `ServiceError`, or what is a bug. */
export type Runner<Context> = (name: string, operation: Operation, context: Context, input: Partial<Input<Operation>>) => Promise<unknown>

/** What a request is carried in through tRPC, which reshapes its context. */
export interface Carried<Context> {
  carried: Context
}

/** What a caller hears from now on, until the signal. Throws `ServiceError`, or what is a bug. */
export type Stream<Context, Value, Input> = (context: Context, signal: AbortSignal, input: Input) => Promise<AsyncIterable<Value>>

// biome-ignore lint/suspicious/noExplicitAny: what streams carry, and what they are asked, is for each to say
type Streams<Context> = Record<string, Stream<Context, any, any>>
// biome-ignore lint/suspicious/noConfusingVoidType: tRPC's word for no input
type InputOf<Open> = Open extends (context: never, signal: AbortSignal, input: infer Input) => unknown ? Input : void
/** What a client hears of it: with its id what has one. */
type Heard<Told> =
  Told extends AsyncIterable<infer Value>
    ? AsyncIterable<Value extends TrackedEnvelope<infer Data> ? { id: string; data: Data } : Value, void, void>
    : never
type Subscriptions<Given extends Streams<never>> = {
  [Name in keyof Given]: TRPCSubscriptionProcedure<{
    meta: object
    // biome-ignore lint/suspicious/noConfusingVoidType: tRPC's word for no input
    input: unknown extends InputOf<Given[Name]> ? void : InputOf<Given[Name]>
    output: Heard<Awaited<ReturnType<Given[Name]>>>
  }>
}

/** Milliseconds after which a quiet stream says that it is there. */
const PING_MS = 15_000

/** A tRPC root made from a table of operations: nothing is written twice, so the transports cannot disagree. */
export function rootOf<Table extends Record<string, Operation>, Context, Given extends Streams<Context> = Record<never, never>>(
  table: Table,
  run: Runner<Context>,
  streams?: Given,
) {
  const trpc = initTRPC.context<Carried<Context>>().create({
    sse: { ping: { enabled: true, intervalMs: PING_MS } },
    errorFormatter({ shape, error }) {
      const refused = error.cause instanceof ServiceError ? error.cause : null
      const refusal = refused && (refused.body() as unknown as RefusalData)
      // Seconds, as the header of the same name says over REST.
      const wait = refused?.retryAfter === undefined ? {} : { retryAfter: refused.retryAfter }
      const { stack: _, ...data } = shape.data
      // What is no refusal is a bug: nothing of it is for the outside, unless tRPC itself refused the call.
      const message = refusal || error.code !== 'INTERNAL_SERVER_ERROR' ? shape.message : 'Internal server error'
      return { ...shape, message, data: { ...data, refusal, ...wait } }
    },
  })
  const procedures = Object.entries(table).map(([name, operation]) => {
    const call = async ({ ctx, input }: { ctx: object; input: unknown }) => {
      try {
        return await run(name, operation, (ctx as Carried<Context>).carried, (input ?? {}) as Partial<Input<Operation>>)
      } catch (error) {
        throw error instanceof ServiceError ? trpcError(error) : error
      }
    }
    const procedure = trpc.procedure.input((input: unknown) => input)
    return [name, operation.method === 'GET' ? procedure.query(call) : procedure.mutation(call)]
  })
  const subscriptions = Object.entries(streams ?? {}).map(([name, open]) => {
    const refused = (error: unknown): never => {
      throw error instanceof ServiceError ? trpcError(error) : error
    }
    // Opened before it is answered: what is refused has not begun.
    const hear = async ({ ctx, input, signal }: { ctx: object; input: unknown; signal: AbortSignal | undefined }) => {
      const messages = await open((ctx as Carried<Context>).carried, signal ?? new AbortController().signal, input).catch(refused)
      return (async function* () {
        try {
          yield* messages
        } catch (error) {
          refused(error)
        }
      })()
    }
    return [name, trpc.procedure.input((input: unknown) => input).subscription(hear)]
  })
  return trpc.router(Object.fromEntries([...procedures, ...subscriptions]) as Procedures<Table> & Subscriptions<Given>)
}
