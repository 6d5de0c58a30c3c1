import type { Operation, Schema } from '@augury/wire/operation'
import { parse } from '@augury/wire/parse'
import { isSigned, querySchema } from '@augury/wire/query'
import { ServiceError } from '@augury/wire/service-error'
import { isWellFormedText } from '@augury/wire/text'

/**
 * Parses the parts of a call by the schemas of its operation, and refuses what is none of them: a filter that is not in `query` would be passed
 * over. Throws a `ServiceError` of status 400.
 */
export function readParts(operation: Operation, { params, query, body, ...rest }: { params?: unknown; query?: unknown; body?: unknown }) {
  const [stray] = Object.keys(rest)
  if (stray !== undefined)
    throw new ServiceError('invalid_payload', { details: [{ path: stray, problem: 'expected nothing beside params, query and body' }] })
  return {
    params: operation.params && read(operation.params, params),
    query: operation.query || isSigned(operation) ? read(querySchema(operation), query ?? {}) : undefined,
    body: operation.body && read(operation.body, body),
  }
}

/** Also refuses malformed text, as REST does before parsing. */
function read(schema: Schema, value: unknown): unknown {
  const part = parse(schema, value)
  if (!isWellFormedText(part)) throw new ServiceError('invalid_payload', { text: 'Invalid payload: not a text' })
  return part
}
