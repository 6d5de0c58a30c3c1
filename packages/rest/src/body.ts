import type { IncomingMessage } from 'node:http'
import { BODY_LIMIT } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'

/** The bytes of a body, counted as they come: a length that was announced is not believed. Throws `payload_too_large`. */
export async function readBody(
  source: IncomingMessage | ReadableStream<Uint8Array> | null,
  limit: number = BODY_LIMIT,
): Promise<Uint8Array> {
  if (!source) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > limit) throw new ServiceError('payload_too_large')
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}
