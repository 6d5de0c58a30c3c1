import type { z } from 'zod'
import type { WebBudgetName } from './platform/budgets.ts'
import type { RefusalCode } from './refusals.ts'

/** Who may call the exchange besides everybody: a wallet's signature, or a key of at least this scope. */
export type SignedAuth = 'wallet' | 'read' | 'trade' | 'operator' | 'venue'
/**
 * Who may call a deployment besides everybody: a member, or an admin. `optional` is for everybody too, but reads the browser's cookies
 * and knows a member when there is one; `public` never does, so its answers are the same for all.
 */
export type SessionAuth = 'optional' | 'member' | 'admin'
/** Who may call. `scheduler` has the deployment's secret for jobs. */
export type Auth = 'public' | SignedAuth | SessionAuth | 'scheduler'

export type Schema = z.ZodType

/** One row of the table of operations: what REST, tRPC, the client, OpenAPI and the authorisation tests are made from. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the service's address, with `{name}` for parameters. */
  path: string
  auth: Auth
  /** One sentence for the documents. */
  summary: string
  params?: Schema
  /** Without one a signed route takes `signedQuery({})`, and the rest ignore their query. Repeated keys arrive as an array. */
  query?: Schema
  body?: Schema
  output: Schema
  /** Outputs that are answered with a status of their own, by that status: they are no refusal, and have no code. */
  answers?: Readonly<Record<number, Schema>>
  /** What it may refuse with beyond the checks that every route of its `auth` has. */
  refusals: readonly RefusalCode[]
  /** Largest body in bytes; `BODY_LIMIT` unless told. */
  bodyLimit?: number
  /** What a call counts against in the web tier. */
  budget?: WebBudgetName
  /** Sending the same bytes twice does what sending them once does. Reads, and what is unique by an id of its own. */
  repeatable: boolean
  /** Mounted in sandbox mode only. */
  sandbox?: true
}

/** Keeps the literal types of a row. */
export const operation = <const Row extends Operation>(row: Row): Row => row

/** Status of an output. */
export function statusOf({ answers = {} }: Operation, output: unknown): number {
  const own = Object.entries(answers).find(([, schema]) => schema.safeParse(output).success)
  return own ? Number(own[0]) : 200
}

type Parsed<Op, Key extends 'params' | 'query' | 'body'> = Op extends { readonly [K in Key]: infer S extends Schema }
  ? z.output<S>
  : undefined
type Sent<Op, Key extends 'params' | 'query' | 'body'> = Op extends { readonly [K in Key]: infer S extends Schema } ? z.input<S> : undefined

/** What a use case of this operation receives: the parsed parameters, query and body. */
export type Input<Op extends Operation> = { params: Parsed<Op, 'params'>; query: Parsed<Op, 'query'>; body: Parsed<Op, 'body'> }
/** What a caller sends. */
export type Request<Op extends Operation> = { params: Sent<Op, 'params'>; query: Sent<Op, 'query'>; body: Sent<Op, 'body'> }
/** What it answers. */
export type Output<Op extends Operation> = z.output<Op['output']>
