import type { Operation, Request } from '../operation.ts'
import type { Json } from './json-schema.ts'

/** A request and its response, as on the wire. */
export interface Example {
  params?: Json
  query?: Json
  body?: unknown
  output?: unknown
}

/** Examples by operation name. */
export type Examples = Readonly<Record<string, Example | undefined>>

/** Examples of a table of operations; the types of the requests are checked. */
export type ExamplesOf<Table extends Record<string, Operation>> = {
  readonly [Name in keyof Table]?: Partial<Request<Table[Name]>> & { output?: unknown }
}
