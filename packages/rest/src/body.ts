import { IncomingMessage } from 'node:http'
import { BODY_LIMIT } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'

const EMPTY = new Uint8Array()

/** The bytes of a body, counted as they come: a length that was announced is not believed. Throws `payload_too_large`. */
export async function readBody(
  source: IncomingMessage | ReadableStream<Uint8Array> | null,
  limit: number = BODY_LIMIT,
): Promise<Uint8Array> {
  if (!source) return EMPTY
  if (source instanceof IncomingMessage) return readIncoming(source, limit)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    // A stream that is cancelled takes the connection with it, and the refusal.
    for await (const chunk of source.values({ preventCancel: true })) {
      size += chunk.length
      if (size > limit) throw new ServiceError('payload_too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    throw isTooLarge(error) ? new ServiceError('payload_too_large', { cause: error }) : error
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

/** Whether the server that carries us stopped reading at a limit of its own. */
const isTooLarge = (error: unknown): boolean => error instanceof Error && 'status' in error && error.status === 413

/**
 * Reads a body of known length for whoever hears of it by a call. What came in one packet with its head is there as soon as the packet was
 * taken apart, and no listener has to be waited for.
 */
export function whenRead(incoming: IncomingMessage, limit: number, hear: (body: Uint8Array) => void, fail: (error: Error) => void): void {
  if (incoming.headers['content-length'] === undefined) {
    hear(EMPTY)
    return
  }
  process.nextTick(() => {
    if (incoming.complete && !incoming.readableFlowing) hear((incoming.read() as Buffer | null) ?? EMPTY)
    else readIncoming(incoming, limit).then(hear, fail)
  })
}

/** The same by events, which cost a fraction of an iterator. A request that breaks off rejects with what Node says of it. */
function readIncoming(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  const { headers } = incoming
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return Promise.resolve(EMPTY)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const hear = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limit) return
      incoming.off('data', hear).pause()
      reject(new ServiceError('payload_too_large'))
    }
    incoming.on('data', hear)
    incoming.on('error', reject)
    incoming.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
  })
}
