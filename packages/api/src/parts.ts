import type { Operation, Schema } from '@augury/wire/operation'
import { parse } from '@augury/wire/parse'
import { isSigned, querySchema } from '@augury/wire/query'
import { ServiceError } from '@augury/wire/service-error'
import { isWellFormedText } from '@augury/wire/text'

/** Parses the parts of a call by the schemas of its operation. Throws a `ServiceError` of status 400. */
export const readParts = (operation: Operation, { params, query, body }: { params?: unknown; query?: unknown; body?: unknown }) => ({
  params: operation.params && read(operation.params, params),
  query: operation.query || isSigned(operation) ? read(querySchema(operation), query ?? {}) : undefined,
  body: operation.body && read(operation.body, body),
})

/** Also refuses malformed text, as REST does before parsing. */
function read(schema: Schema, value: unknown): unknown {
  const part = parse(schema, value)
  if (!isWellFormedText(part)) throw new ServiceError('invalid_payload', { text: 'Invalid payload: not a text' })
  return part
}
