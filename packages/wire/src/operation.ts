import type { z } from 'zod'
import type { WebBudgetName } from './platform/budgets.ts'
import type { RefusalCode } from './refusals.ts'

/** Authentication of the exchange's non-public operations: a wallet's signature, or a key of at least this scope. */
export type SignedAuth = 'wallet' | 'read' | 'trade' | 'operator' | 'venue'
/**
 * Authentication of a deployment's non-public operations: a member, or an admin. `optional` is open to everybody but reads the session, so it
 * knows a signed-in member; `public` never does, so its responses are the same for all.
 */
export type SessionAuth = 'optional' | 'member' | 'admin'
/** Who may call an operation. `scheduler` needs the deployment's secret for jobs. */
export type Auth = 'public' | SignedAuth | SessionAuth | 'scheduler'

export type Schema = z.ZodType

/** A row of the table of operations, from which REST, tRPC, the client, OpenAPI and the authorisation tests are made. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the service's base URL, with `{name}` for parameters. */
  path: string
  auth: Auth
  /** One sentence for the documents. */
  summary: string
  params?: Schema
  /** If absent, signed routes take `signedQuery({})` and those of the site ignore their query. Repeated keys arrive as an array. */
  query?: Schema
  /** Query keys that may hold a NUL: they are only compared in memory, so a text that names nothing is not found. */
  anyText?: readonly string[]
  body?: Schema
  output: Schema
  /** Outputs with a status other than 200, by that status. They are not refusals and have no code. */
  answers?: Readonly<Record<number, Schema>>
  /** Refusals beyond those of the checks that every route of its `auth` has. */
  refusals: readonly RefusalCode[]
  /** What the bodies of its refusals may have beside `error`, `code` and `details`. */
  refusalExtras?: z.ZodObject
  /** Largest body in bytes; `BODY_LIMIT` by default. */
  bodyLimit?: number
  /** The budget of the web tier that a call counts against. */
  budget?: WebBudgetName
  /** Whether repeating the same request is safe: reads, and requests with a unique id. */
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

/** Input of the use case: parsed parameters, query and body. */
export type Input<Op extends Operation> = { params: Parsed<Op, 'params'>; query: Parsed<Op, 'query'>; body: Parsed<Op, 'body'> }
/** What a caller sends, before parsing. */
export type Request<Op extends Operation> = { params: Sent<Op, 'params'>; query: Sent<Op, 'query'>; body: Sent<Op, 'body'> }
/** Output of the use case. */
export type Output<Op extends Operation> = z.output<Op['output']>
