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
  /** Seconds for which a shared cache may keep the response to a caller who is not signed in. */
  cacheSeconds?: number
}

/**
 * What a call costs the exchange. `look-up` answers from memory or by one short query. `read-many` runs long queries of history or looks at
 * many books and markets: such calls of one client run one after another. `write` adds a command to the journal or a row to a table: it has a
 * rate limit, reduces risk, or is for managers.
 */
export type Cost = 'look-up' | 'read-many' | 'write'

/** A kind of request by which load is shed: orders that add risk first, and last what reduces risk, or shows an account where it stands. */
export type ShedClass = 'adds risk' | 'ordinary' | 'reduces risk'

/** Name of a budget of the exchange. */
export type VenueBudgetName = 'orders' | 'cancel' | 'cancelMany' | 'deadMan' | 'events' | 'books' | 'facts' | 'catalogue' | 'keys'

/** The budget that calls count against, and whose it is. */
export interface RateLimit {
  budget: VenueBudgetName
  of: 'account' | 'address'
  /** Whether each item of the body counts. They are counted after parsing; before it, one must be left. */
  each?: true
}

/** A row of the exchange's table. */
export interface VenueOperation extends Operation {
  cost: Cost
  shed: ShedClass
  rateLimit?: RateLimit
  /** Whether the account needs a registered wallet where wallets are required. */
  needsWallet?: true
  /** What it does to orders as a whole: how an unknown outcome and a failure are answered depends on it. */
  orders?: 'places' | 'cancels one' | 'cancels many'
  /** The word that names it in frames of `/ws/trade`, if it is taken there. */
  trading?: string
  /** Additional paths in the established dialect. */
  alsoAt?: readonly string[]
}

/** Keeps the literal types of a row. */
export const operation = <const Row extends Operation>(row: Row): Row => row

/** Keeps the literal types of a row of the exchange. */
export const venueOperation = <const Row extends VenueOperation>(row: Row): Row => row

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
