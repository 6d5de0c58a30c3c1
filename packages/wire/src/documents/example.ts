import type { Operation, Request } from '../operation.ts'
import type { Json } from './json-schema.ts'

/** A call and its answer, as they are on the wire. */
export interface Example {
  params?: Json
  query?: Json
  body?: unknown
  output?: unknown
}

/** Examples by the name of their operation. */
export type Examples = Readonly<Record<string, Example | undefined>>

/** Examples of a table of operations: what is sent has the type that the operation takes. */
export type ExamplesOf<Table extends Record<string, Operation>> = {
  readonly [Name in keyof Table]?: Partial<Request<Table[Name]>> & { output?: unknown }
}
