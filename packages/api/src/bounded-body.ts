import { BODY_LIMIT } from '@augury/wire/limits'
import type { Operation } from '@augury/wire/operation'
import { ServiceError } from '@augury/wire/service-error'

/** A request with its body read, or without a body and with the reason for its refusal. */
export interface Bounded {
  request: Request
  body: Uint8Array
  refusal: ServiceError | null
}

/**
 * Reads the body of a tRPC request up to the limit of the procedures named in its URL; a longer one is refused as `payload_too_large` before it
 * is parsed. Counts the bytes received, as `Content-Length` may be wrong.
 */
export async function bounded(request: Request, endpoint: string, table: Readonly<Record<string, Operation>>): Promise<Bounded> {
  if (!request.body) return { request, body: new Uint8Array(), refusal: null }
  const chunks: Uint8Array[] = []
  let size = 0
  let refusal: ServiceError | null = null
  const limit = limitOf(new URL(request.url).pathname.slice(endpoint.length + 1), table)
  try {
    // Cancelling the stream would close the connection before the refusal is sent.
    for await (const chunk of request.body.values({ preventCancel: true })) {
      size += chunk.length
      if (size > limit) throw new ServiceError('payload_too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    refusal = asRefusal(error)
  }
  const { url, method, headers, signal } = request
  const body = Buffer.concat(refusal ? [] : chunks)
  return { request: new Request(url, { method, headers, signal, body: refusal ? null : body }), body, refusal }
}

/** The largest limit of the procedures that a path below the endpoint names, parsed as tRPC does. */
export function limitOf(path: string, table: Readonly<Record<string, Operation>>): number {
  const limits = decoded(path)
    .split(',')
    .map((name) => (Object.hasOwn(table, name) ? table[name]!.bodyLimit : undefined) ?? BODY_LIMIT)
  return Math.max(...limits)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return '' // not a valid name, which tRPC refuses
  }
}

/** Maps an error of reading a body: the HTTP server may have a limit of its own, and a client that went away gets no response anyway. */
function asRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const tooLarge = error instanceof Error && 'status' in error && error.status === 413
  return new ServiceError(tooLarge ? 'payload_too_large' : 'bad_request', { cause: error })
}
