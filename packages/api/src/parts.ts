import type { Operation } from '@augury/wire/operation'
import { parse } from '@augury/wire/parse'
import { isSigned, querySchema } from '@augury/wire/query'

/** Reads the parts of a call by the schemas of its operation. Throws a refusal of 400. */
export const readParts = (operation: Operation, { params, query, body }: { params?: unknown; query?: unknown; body?: unknown }) => ({
  params: operation.params && parse(operation.params, params),
  query: operation.query || isSigned(operation) ? parse(querySchema(operation), query ?? {}) : undefined,
  body: operation.body && parse(operation.body, body),
})
