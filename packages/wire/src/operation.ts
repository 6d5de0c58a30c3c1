import type { z } from 'zod'
import type { RefusalCode } from './refusals.ts'

/** Who may call: everybody, a wallet's signature, a key of at least this scope, or nobody outside the sandbox. */
export type Auth = 'public' | 'wallet' | 'read' | 'trade' | 'operator' | 'venue'

export type Schema = z.ZodType

/** One row of the table of operations: what REST, tRPC, the client, OpenAPI and the authorisation tests are made from. */
export interface Operation<Params extends Schema = Schema, Query extends Schema = Schema, Body extends Schema = Schema, Output extends Schema = Schema> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the service's address, with `{name}` for parameters. */
  path: string
  auth: Auth
  /** One sentence for the documents. */
  summary: string
  params?: Params
  query?: Query
  body?: Body
  output: Output
  /** What it may refuse with beyond the checks that every route of its `auth` has. */
  refusals: readonly RefusalCode[]
  /** Largest body in bytes; 64 KiB unless told. */
  bodyLimit?: number
  /** Mounted in sandbox mode only. */
  sandbox?: true
}

/** Keeps the literal types of a row. */
export const operation = <P extends Schema, Q extends Schema, B extends Schema, O extends Schema>(row: Operation<P, Q, B, O>) => row

/** What a use case of this operation receives: the parsed parameters, query and body. */
export type Input<Op extends Operation> = {
  params: Op['params'] extends Schema ? z.output<Op['params']> : undefined
  query: Op['query'] extends Schema ? z.output<Op['query']> : undefined
  body: Op['body'] extends Schema ? z.output<Op['body']> : undefined
}
/** What a caller sends. */
export type Request<Op extends Operation> = {
  params: Op['params'] extends Schema ? z.input<Op['params']> : undefined
  query: Op['query'] extends Schema ? z.input<Op['query']> : undefined
  body: Op['body'] extends Schema ? z.input<Op['body']> : undefined
}
/** What it answers. */
export type Output<Op extends Operation> = z.output<Op['output']>
