import { BODY_LIMIT } from '@augury/wire/limits'
import type { Operation } from '@augury/wire/operation'
import { ServiceError } from '@augury/wire/service-error'

/** A request whose body is there, or which has none because of what was wrong with it. */
export interface Bounded {
  request: Request
  refusal: ServiceError | null
}

/**
 * Reads the body of a tRPC request as far as the procedures that its address names take one: what is longer is `payload_too_large` before
 * anybody parses it. Bytes are counted as they come; a length that was announced is not believed.
 */
export async function bounded(request: Request, endpoint: string, table: Readonly<Record<string, Operation>>): Promise<Bounded> {
  if (!request.body) return { request, refusal: null }
  const chunks: Uint8Array[] = []
  let size = 0
  let refusal: ServiceError | null = null
  const limit = limitOf(new URL(request.url).pathname.slice(endpoint.length + 1), table)
  try {
    // A stream that is cancelled takes the connection with it, and the refusal.
    for await (const chunk of request.body.values({ preventCancel: true })) {
      size += chunk.length
      if (size > limit) throw new ServiceError('payload_too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    refusal = asRefusal(error)
  }
  const { url, method, headers, signal } = request
  return { request: new Request(url, { method, headers, signal, body: refusal ? null : Buffer.concat(chunks) }), refusal }
}

/** The most that one of the named procedures takes. Names are told apart as tRPC does it. */
function limitOf(path: string, table: Readonly<Record<string, Operation>>): number {
  const limits = decoded(path)
    .split(',')
    .map((name) => (Object.hasOwn(table, name) ? table[name]!.bodyLimit : undefined) ?? BODY_LIMIT)
  return Math.max(...limits)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return '' // names nothing, which is for tRPC to say
  }
}

/** The server that carries us may stop reading at a limit of its own; who goes away in the middle hears nothing of what is answered. */
function asRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const tooLarge = error instanceof Error && 'status' in error && error.status === 413
  return new ServiceError(tooLarge ? 'payload_too_large' : 'bad_request', { cause: error })
}
