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
  if (source instanceof IncomingMessage) {
    const { 'content-length': length, 'transfer-encoding': encoding } = source.headers
    if (length === undefined && encoding === undefined) return EMPTY
    return new Promise((resolve, reject) => readIncoming(source, limit, resolve, reject))
  }
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
 * Reads a body of known length for whoever hears of it by a call. What came in one packet with its head is there as soon as that was taken
 * apart, and no listener has to be waited for. It is whole by its length: Node says so only later.
 */
export function whenRead(incoming: IncomingMessage, limit: number, hear: (body: Uint8Array) => void, fail: (error: Error) => void): void {
  const length = incoming.headers['content-length']
  if (length === undefined) {
    hear(EMPTY)
    return
  }
  process.nextTick(() => {
    if (incoming.readableLength === Number(length)) hear((incoming.read() as Buffer | null) ?? EMPTY)
    else readIncoming(incoming, limit, hear, fail)
  })
}

/** The same by events, in the order in which requests came to their ends. One that breaks off fails with what Node says of it. */
function readIncoming(incoming: IncomingMessage, limit: number, hear: (body: Uint8Array) => void, fail: (error: Error) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  const stop = () => incoming.off('data', take).off('end', end).off('error', breakOff)
  const take = (chunk: Buffer) => {
    size += chunk.length
    chunks.push(chunk)
    if (size <= limit) return
    stop().pause()
    fail(new ServiceError('payload_too_large'))
  }
  const end = () => {
    stop()
    hear(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
  }
  const breakOff = (error: Error) => {
    stop()
    fail(error)
  }
  incoming.on('data', take).on('end', end).on('error', breakOff)
}
