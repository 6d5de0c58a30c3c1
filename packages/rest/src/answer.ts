import type { Operation, Schema } from '@augury/wire/operation'
import { parse } from '@augury/wire/parse'
import { isSigned, querySchema } from '@augury/wire/query'
import type { RefusalCode } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'
import { fitFast, readFast } from './fast-body.ts'
import { readJson } from './json.ts'
import { readQuery } from './query.ts'

/** The response of a route, independent of the server that sends it. */
export interface Answer {
  status: number
  /** A repeated header has a list. */
  headers: Record<string, string | string[]>
  /** JSON text, or its bytes, possibly compressed as in the headers. */
  body: string | Buffer<ArrayBuffer>
  /** Code of a refusal. */
  code?: RefusalCode
  /** Called when all of it was passed to the socket, on transports that know. */
  onSent?: () => void
}

/** The parsed parts of a request. */
export interface Parts {
  params: unknown
  query: unknown
  body: unknown
}

/** The unparsed parts of a request. */
export interface RawParts {
  params: Record<string, string>
  /** What follows the `?`; may be empty. */
  query: string
  body: Uint8Array
  contentType: string | undefined
  contentEncoding: string | undefined
}

/** Parses the parts of a request by the schemas of its operation. Throws a `ServiceError` of status 400 or 415. */
export function readParts(operation: Operation, raw: RawParts): Parts {
  return {
    params: operation.params && parse(operation.params, raw.params),
    query: queryOf(operation, raw.query),
    body: operation.body && bodyOf(operation.body, raw),
  }
}

/** The parts of a request that has nothing but a body, parsed from JSON already. Throws as `readParts` does. */
export const bodyParts = (operation: Operation, value: unknown): Parts => ({
  params: undefined,
  query: queryOf(operation, ''),
  body: operation.body && (fitFast(operation.body, value) ?? parse(operation.body, value)),
})

const NOTHING = Object.freeze({})

/** Where an operation has no query, one that is public ignores whatever comes as one. */
function queryOf(operation: Operation, text: string): unknown {
  if (operation.query === undefined && (text === '' || !isSigned(operation))) return isSigned(operation) ? NOTHING : undefined
  return parse(querySchema(operation), text === '' ? NOTHING : readQuery(text, operation.anyText))
}

/** Tries the fast parser first; the schema parses everything else, and refuses. */
function bodyOf(schema: Schema, { body, contentType, contentEncoding = 'identity' }: RawParts): unknown {
  if (body.length > 0 && contentEncoding.toLowerCase() !== 'identity')
    throw new ServiceError('unsupported_media_type', {
      text: 'Content-Encoding must be identity',
      headers: { 'Accept-Encoding': 'identity' },
    })
  if (body.length > 0 && contentType !== 'application/json' && !/^application\/json\s*(;|$)/i.test(contentType ?? ''))
    throw new ServiceError('unsupported_media_type')
  return readFast(schema, body) ?? parse(schema, readJson(body))
}

/** Lets shared caches keep a response for so many seconds, and send it for as long again while they ask for a new one. */
export const keptFor = (seconds: number): Record<string, string> => ({
  'Cache-Control': `public, max-age=0, s-maxage=${seconds}, stale-while-revalidate=${seconds}`,
})

/** Response with an output. */
export const success = (output: unknown, headers: Record<string, string>): Answer => ({
  status: 200,
  headers,
  body: JSON.stringify(output),
})

/** Response with a refusal. */
export function refusal(error: ServiceError, headers: Record<string, string>): Answer {
  return {
    status: error.status,
    headers: { ...headers, ...error.headers, ...error.retryHeader },
    body: JSON.stringify(error.body()),
    code: error.code,
  }
}
