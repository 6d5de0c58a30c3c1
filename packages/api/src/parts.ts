import type { Operation } from '@augury/wire/operation'
import { parse } from '@augury/wire/parse'
import { isSigned, querySchema } from '@augury/wire/query'
import { ServiceError } from '@augury/wire/service-error'

/** Reads the parts of a call by the schemas of its operation. Throws a refusal of 400. */
export const readParts = (operation: Operation, { params, query, body }: { params?: unknown; query?: unknown; body?: unknown }) => ({
  params: operation.params && withoutNul(parse(operation.params, params)),
  query: operation.query || isSigned(operation) ? withoutNul(parse(querySchema(operation), query ?? {})) : undefined,
  body: operation.body && parse(operation.body, body),
})

/** Refuses what could not be sent as a path or a query over REST either: the character that no text of a database can hold. */
function withoutNul<Part>(part: Part): Part {
  const texts = Object.values(part as Record<string, unknown>).flat()
  if (texts.some((text) => typeof text === 'string' && text.includes('\0'))) throw new ServiceError('invalid_payload')
  return part
}
