import type { Operation, Output, Request } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import { readAnswer } from './answer.ts'
import { nameOrders } from './name-orders.ts'
import { type CallOptions, type ClientOptions, type Sent, Transport } from './transport.ts'

type Field<Key extends string, Value> = undefined extends Value
  ? { [K in Key]?: Value }
  : Record<never, never> extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value }

/** Input of a call: the parts that its operation has. A part whose keys are all optional may be omitted. */
export type CallInput<Op extends Operation> = Field<'params', Request<Op>['params']> &
  Field<'query', Request<Op>['query']> &
  Field<'body', Request<Op>['body']>

/** A function that calls an operation. Its argument is optional if all of its parts are. */
export type Call<Op extends Operation> =
  Record<never, never> extends CallInput<Op>
    ? (input?: CallInput<Op>, how?: CallOptions) => Promise<Output<Op>>
    : (input: CallInput<Op>, how?: CallOptions) => Promise<Output<Op>>

/** A method for each operation that may be called with an API key or without authentication. */
export type Client<Table extends Record<string, Operation>> = {
  [Name in keyof Table as Table[Name]['auth'] extends 'wallet' ? never : Name]: Call<Table[Name]>
}

/** Client of the order-book service. */
export type VenueClient = Client<typeof venueOperations>

/** Result of an operation: `Answer<'getOrder'>` is an order. */
export type Answer<Name extends keyof VenueClient> = Awaited<ReturnType<VenueClient[Name]>>

interface Parts {
  params?: unknown
  query?: unknown
  body?: unknown
}

const scalar = (value: unknown): string => encodeURIComponent(String(value))

/** Path below the service's base URL, and the query including its question mark. */
function target(op: Operation, { params = {}, query = {} }: Parts): { path: string; search: string } {
  const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => scalar((params as Record<string, unknown>)[name]))
  const pairs = Object.entries(query as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => `${scalar(name)}=${scalar(one)}`))
  return { path, search: pairs.length > 0 ? `?${pairs.join('&')}` : '' }
}

/** Makes a method per operation of a table; `send` sends the request and returns the parsed response. */
export function methodsOf<Table extends Record<string, Operation>>(
  table: Table,
  send: (op: Operation, request: Sent, how?: CallOptions) => Promise<unknown>,
): Client<Table> {
  const call = async (op: Operation, parts: Parts, how?: CallOptions): Promise<unknown> => {
    const body = parts.body === undefined ? undefined : JSON.stringify(nameOrders(op, parts.body))
    return readAnswer(op, await send(op, { method: op.method, ...target(op, parts), body }, how))
  }
  const methods = Object.entries(table).map(([name, op]) => [name, (input?: Parts, how?: CallOptions) => call(op, input ?? {}, how)])
  return Object.fromEntries(methods) as Client<Table>
}

/** Makes a client of some operations of the order-book service: a page that calls few loads only those. */
export function clientOf<const Table extends Record<string, Operation>>(table: Table, options: ClientOptions): Client<Table> {
  const transport = new Transport(options)
  return methodsOf(table, (op, request, how) => transport.send(op, request, how))
}

/** Makes a client of all of them. */
export const venueClient = (options: ClientOptions): VenueClient => clientOf(venueOperations, options)
