import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { BODY_LIMIT } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import { hearNoMore } from './unreadable.ts'

const EMPTY = new Uint8Array()

/** Whether a request says that it has no body, or one of no bytes. */
const hasNoBody = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined

/** Reads a body, counting the bytes received, as `Content-Length` may be wrong. Throws `payload_too_large`. */
export async function readBody(
  source: IncomingMessage | ReadableStream<Uint8Array> | null,
  limit: number = BODY_LIMIT,
): Promise<Uint8Array> {
  if (!source) return EMPTY
  if (source instanceof IncomingMessage) return new Promise((resolve, reject) => onBody(source, limit, resolve, reject))
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    // Cancelling the stream would close the connection before the refusal is sent.
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

/** Whether the HTTP server stopped reading at a limit of its own. */
const isTooLarge = (error: unknown): boolean => error instanceof Error && 'status' in error && error.status === 413

/**
 * Reads a body by callbacks. A body with a `Content-Length` that arrived in the same packet as its head is complete on the next tick, and is read
 * then instead of waiting for Node's events.
 */
export function onBody(
  incoming: IncomingMessage,
  limit: number,
  onRead: (body: Uint8Array) => void,
  onError: (error: Error) => void,
): void {
  if (hasNoBody(incoming)) {
    onRead(EMPTY)
    return
  }
  const length = lengthOf(incoming)
  if (length > limit) {
    onError(tooLong(incoming))
    return
  }
  process.nextTick(() => {
    if (incoming.readableLength === length) onRead((incoming.read() as Buffer | null) ?? EMPTY)
    else readIncoming(incoming, limit, onRead, onError)
  })
}

/** The refusal of a body, of which no more is read. */
function tooLong({ socket }: IncomingMessage): ServiceError {
  hearNoMore(socket)
  return new ServiceError('payload_too_large')
}

const lengthOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'])

/** The readers of bodies in chunks, by connection. */
const inChunks = new WeakMap<Socket, () => void>()

/**
 * Ends the reading of a body in chunks whose last one has come on this connection. Node tells of the end only after it has parsed what follows
 * in the same packet, which must not overtake it.
 */
export const endChunks = (socket: Socket): void => inChunks.get(socket)?.()

/** Reads a body by Node's events. Fails with `payload_too_large`, or with Node's error when the client disconnects. */
function readIncoming(incoming: IncomingMessage, limit: number, onRead: (body: Uint8Array) => void, onError: (error: Error) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  const { socket } = incoming
  const stop = () => {
    inChunks.delete(socket)
    return incoming.off('data', take).off('end', end).off('error', breakOff)
  }
  const take = (chunk: Buffer) => {
    size += chunk.length
    chunks.push(chunk)
    if (size > limit) {
      stop()
      onError(tooLong(incoming))
    } else if (size === lengthOf(incoming)) end() // at once: a request that follows in the same packet must not overtake it
  }
  const end = () => {
    stop()
    onRead(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
  }
  const breakOff = (error: Error) => {
    stop()
    onError(error)
  }
  incoming.on('data', take).on('end', end).on('error', breakOff)
  if (incoming.headers['transfer-encoding'] !== undefined)
    inChunks.set(socket, () => {
      if (incoming.complete && incoming.readableLength === 0) end()
    })
}
